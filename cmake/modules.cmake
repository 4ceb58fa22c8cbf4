# One library per module; each links only its direct dependencies, so the arrow
#   applications -> simulation -> {output, time_integration, contact}
#     -> bodies -> {materials, mesh, linear_solvers} -> parameters -> base
# is written here once (tests/dependency_arrow checks the includes against it).

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
    target_compile_options(${target} PRIVATE -Wall -Wextra)
    if(ARG_PLAIN)
      if(DELASSUS_NATIVE)
        target_compile_options(${target} PRIVATE -march=native)
      endif()
    else()
      deal_ii_setup_target(${target})
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
  delassus_module(base base PLAIN LIBRARIES fmt::fmt)
  delassus_module(parameters parameters DEPENDS base
    LIBRARIES nlohmann_json::nlohmann_json)

  # The frictional-contact problem and its solvers: no finite elements.
  delassus_module(contact_local_solvers contact/local_solvers PLAIN DEPENDS base)
  delassus_module(contact_laws contact/laws PLAIN DEPENDS contact_local_solvers)
  delassus_module(contact_delassus contact/delassus PLAIN DEPENDS contact_local_solvers)
  delassus_module(contact_problem contact/problem PLAIN
    DEPENDS contact_laws contact_delassus)
  delassus_module(contact_global_solvers contact/global_solvers PLAIN
    DEPENDS contact_problem)

  delassus_module(mesh mesh DEPENDS parameters LIBRARIES ${GMSH_LIBRARY})
  target_include_directories(delassus_mesh SYSTEM PRIVATE ${GMSH_INCLUDE_DIR})
  delassus_module(materials materials DEPENDS parameters)
  delassus_module(linear_solvers linear_solvers DEPENDS base
    LIBRARIES ${CHOLMOD_LIBRARY})
  target_include_directories(delassus_linear_solvers SYSTEM PRIVATE
    ${CHOLMOD_INCLUDE_DIR})
  delassus_module(bodies bodies DEPENDS materials mesh linear_solvers)
  delassus_module(contact_kinematics contact/kinematics
    DEPENDS bodies contact_delassus)
  delassus_module(contact_detection contact/detection DEPENDS contact_kinematics)
  delassus_module(time_integration time_integration DEPENDS bodies)
  delassus_module(output output DEPENDS contact_detection contact_problem)
  delassus_module(simulation simulation
    DEPENDS output time_integration contact_detection contact_global_solvers)
  delassus_module(applications applications DEPENDS simulation LIBRARIES CLI11::CLI11)
endfunction()
