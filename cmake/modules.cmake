# One library per module; each links only its direct dependencies, so the arrow
#   applications -> verification -> simulation
#     -> bodies/results -> {output, rigid_bodies, time_integration, contact}
#     -> bodies -> {materials, mesh, systems} -> linear_solvers, parameters -> base
# (time_integration also uses linear_solvers/multigrid, which needs deal.II;
# shells -> linear_solvers -> base, and of materials the interface of sheets;
# shell_systems -> {shells, systems}, shell_building -> {shell_systems, bodies},
# shell_results -> {shell_systems, bodies/results})
# is written here once (tests/dependency_arrow checks the includes against it).
# Only parameters/parameters.h, and the headers of plain values that it includes,
# may be included by all.

# deal.II as one interface library: deal_ii_setup_target() links by CMake's old
# signature, which cannot be mixed with PUBLIC and PRIVATE, and says nothing to
# those who link a module.
function(delassus_deal_ii)
  if(NOT TARGET ${DEAL_II_TARGET_RELEASE})
    include(${DEAL_II_TARGET_CONFIG})
  endif()
  set(build RELEASE)
  if(CMAKE_BUILD_TYPE STREQUAL "Debug" AND DEAL_II_BUILD_TYPE MATCHES "Debug")
    set(build DEBUG)
  endif()
  add_library(delassus_deal_ii INTERFACE)
  set_target_properties(delassus_deal_ii PROPERTIES EXPORT_NAME deal_ii)
  target_include_directories(delassus_deal_ii SYSTEM INTERFACE
    ${DEAL_II_INCLUDE_DIRS})
  separate_arguments(flags NATIVE_COMMAND
    "${DEAL_II_CXX_FLAGS} ${DEAL_II_CXX_FLAGS_${build}}")
  if(build STREQUAL "RELEASE")
    # Debian's flags ask for debug information: it doubles the build.
    list(REMOVE_ITEM flags -g)
  elseif(DELASSUS_SANITIZE)
    list(FILTER flags EXCLUDE REGEX "^(-g.*|-Wa,.*)$")
    list(APPEND flags -g1)
  endif()
  target_compile_options(delassus_deal_ii INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:${flags}>")
  target_compile_definitions(delassus_deal_ii INTERFACE
    ${DEAL_II_USER_DEFINITIONS} ${DEAL_II_USER_DEFINITIONS_${build}})
  separate_arguments(link_flags NATIVE_COMMAND
    "${DEAL_II_LINKER_FLAGS} ${DEAL_II_LINKER_FLAGS_${build}}")
  target_link_options(delassus_deal_ii INTERFACE ${link_flags})
  target_link_libraries(delassus_deal_ii INTERFACE ${DEAL_II_TARGET_${build}})
  set_property(GLOBAL APPEND PROPERTY delassus_targets delassus_deal_ii)
endfunction()

# delassus_module(NAME PATH [PLAIN] DEPENDS module...)
# PLAIN modules know nothing of deal.II.
function(delassus_module name path)
  cmake_parse_arguments(ARG "PLAIN" "" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/source/${path}/*.cc)
  list(FILTER sources EXCLUDE REGEX "main\\.cc$")
  set(target delassus_${name})
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(delassus::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  foreach(dependency ${ARG_DEPENDS})
    target_link_libraries(${target} ${scope} delassus_${dependency})
  endforeach()
  target_link_libraries(${target} ${scope} ${ARG_LIBRARIES})
  target_compile_features(${target} ${scope} cxx_std_17)
  if(sources)
    delassus_warnings(${target})
    if(ARG_PLAIN)
      # deal.II's configuration empties CMake's own flags of each build type.
      target_compile_options(${target} PRIVATE
        "$<IF:$<CONFIG:Debug>,${DELASSUS_DEBUG_FLAGS},-O3>")
      if(DELASSUS_NATIVE)
        target_compile_options(${target} PRIVATE -march=native)
      endif()
    else()
      target_link_libraries(${target} PUBLIC delassus_deal_ii)
      if(name STREQUAL "parameters")
        target_precompile_headers(${target} PRIVATE
          ${CMAKE_SOURCE_DIR}/cmake/precompiled.h)
      else()
        target_precompile_headers(${target} REUSE_FROM delassus_parameters)
      endif()
    endif()
  endif()
  set_property(GLOBAL APPEND PROPERTY delassus_targets ${target})
endfunction()

function(delassus_modules)
  delassus_deal_ii()
  delassus_module(base base PLAIN LIBRARIES fmt::fmt)
  # DELASSUS_ASSERT of modules without deal.II.
  target_compile_definitions(delassus_base PUBLIC
    $<$<CONFIG:Debug>:DELASSUS_DEBUG>)
  delassus_module(parameters parameters DEPENDS base
    LIBRARIES nlohmann_json::nlohmann_json ${MUPARSER_LIBRARY})
  target_include_directories(delassus_parameters SYSTEM PRIVATE
    ${MUPARSER_INCLUDE_DIR})

  # The frictional-contact problem and its solvers: no finite elements.
  delassus_module(contact_local_solvers contact/local_solvers PLAIN DEPENDS base)
  delassus_module(contact_laws contact/laws PLAIN DEPENDS contact_local_solvers)
  delassus_module(contact_delassus contact/delassus PLAIN DEPENDS contact_local_solvers)
  delassus_module(contact_problem contact/problem PLAIN
    DEPENDS contact_laws contact_delassus)
  delassus_module(linear_solvers linear_solvers PLAIN DEPENDS base
    LIBRARIES ${CHOLMOD_LIBRARY} ${UMFPACK_LIBRARY} ${MUMPS_LIBRARY} MPI::MPI_CXX
      ${LAPACK_LIBRARIES})
  target_include_directories(delassus_linear_solvers SYSTEM PRIVATE
    ${CHOLMOD_INCLUDE_DIR} ${MUMPS_INCLUDE_DIR})
  delassus_module(contact_global_solvers contact/global_solvers PLAIN
    DEPENDS contact_problem linear_solvers)
  # Shells: element, meshes, assembly; no deal.II.
  delassus_module(shells shells PLAIN DEPENDS linear_solvers)

  delassus_module(mesh mesh DEPENDS parameters LIBRARIES ${GMSH_LIBRARY})
  target_include_directories(delassus_mesh SYSTEM PRIVATE ${GMSH_INCLUDE_DIR})
  delassus_module(materials materials DEPENDS parameters)
  # The kernels are plain doubles without deal.II: they are
  # compiled as the plain modules are. (deal.II's vector types depend on the
  # processor; no file that sees them may have other flags than the rest.)
  set(flags "$<IF:$<CONFIG:Debug>,${DELASSUS_DEBUG_FLAGS},-O3>")
  if(DELASSUS_NATIVE)
    list(APPEND flags -march=native)
  endif()
  set_source_files_properties(
    ${CMAKE_SOURCE_DIR}/source/bodies/solid_shell_element.cc
    ${CMAKE_SOURCE_DIR}/source/materials/barlat_kernel.cc
    ${CMAKE_SOURCE_DIR}/source/materials/hill_kernel.cc
    ${CMAKE_SOURCE_DIR}/source/materials/inelastic_kernel.cc
    ${CMAKE_SOURCE_DIR}/source/materials/multiplicative_core.cc
    ${CMAKE_SOURCE_DIR}/source/materials/sheet_elastic.cc
    ${CMAKE_SOURCE_DIR}/source/materials/sheet_plastic.cc PROPERTIES
    SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS "${flags}")
  # Problems in the formats of other programs. Plain fclib: its CMake target
  # brings the serial HDF5's paths, and deal.II may have another one.
  delassus_module(contact_exchange contact/exchange PLAIN
    DEPENDS contact_global_solvers linear_solvers
    LIBRARIES ${FCLIB_LIBRARY} ${CMAKE_DL_LIBS})
  target_include_directories(delassus_contact_exchange SYSTEM PRIVATE
    ${FCLIB_INCLUDE_DIR})
  delassus_module(linear_solvers_multigrid linear_solvers/multigrid
    DEPENDS linear_solvers parameters)
  # What moves, as contact, the step and checkpoints see it.
  delassus_module(systems systems DEPENDS parameters linear_solvers)
  # Shells as one of them.
  delassus_module(shell_systems shell_systems DEPENDS shells systems)
  delassus_module(bodies bodies DEPENDS materials mesh systems)
  # Shells as parameter files describe them.
  delassus_module(shell_building shell_systems/building
    DEPENDS shell_systems bodies)
  delassus_module(contact_kinematics contact/kinematics
    DEPENDS systems contact_delassus)
  delassus_module(contact_detection contact/detection
    DEPENDS bodies contact_kinematics)
  delassus_module(time_integration time_integration
    DEPENDS bodies linear_solvers_multigrid)
  delassus_module(rigid_bodies rigid_bodies
    DEPENDS contact_detection systems)
  delassus_module(output output DEPENDS contact_detection contact_problem
    LIBRARIES ZLIB::ZLIB)
  # Solids as result files show them.
  delassus_module(bodies_results bodies/results DEPENDS bodies output)
  # Sheets likewise.
  delassus_module(shell_results shell_systems/results
    DEPENDS shell_systems bodies_results)
  delassus_module(simulation simulation
    DEPENDS bodies_results output time_integration rigid_bodies
      shell_building shell_results
      contact_detection
      contact_global_solvers contact_exchange)
  get_target_property(type delassus_simulation TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    target_compile_definitions(delassus_simulation PRIVATE
      DELASSUS_VERSION="${PROJECT_VERSION}"
      DELASSUS_GMSH_VERSION="${DELASSUS_GMSH_VERSION}")
  endif()
  delassus_module(verification verification DEPENDS simulation
    LIBRARIES nlohmann_json::nlohmann_json)
  delassus_module(applications applications
    DEPENDS verification LIBRARIES CLI11::CLI11)
  get_target_property(type delassus_applications TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    target_include_directories(delassus_applications PRIVATE
      ${CMAKE_BINARY_DIR}/include)
  endif()
endfunction()
