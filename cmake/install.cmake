# `cmake --install`: program, libraries, headers, examples, and a package so that
#   find_package(delassus)
#   target_link_libraries(mine delassus::contact_global_solvers)
# works elsewhere.
include(CMakePackageConfigHelpers)

set(DELASSUS_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/delassus)
get_property(targets GLOBAL PROPERTY delassus_targets)

install(TARGETS delassus_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ${targets} EXPORT delassusTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT delassusTargets NAMESPACE delassus::
  DESTINATION ${DELASSUS_CMAKE_DIR})
install(DIRECTORY include/delassus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(DIRECTORY parameter_files meshes postprocess
  DESTINATION ${CMAKE_INSTALL_DATADIR}/delassus)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY doc/ DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(cmake/delassusConfig.cmake.in
  ${CMAKE_BINARY_DIR}/delassusConfig.cmake
  INSTALL_DESTINATION ${DELASSUS_CMAKE_DIR})
write_basic_package_version_file(
  ${CMAKE_BINARY_DIR}/delassusConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_BINARY_DIR}/delassusConfig.cmake
  ${CMAKE_BINARY_DIR}/delassusConfigVersion.cmake
  DESTINATION ${DELASSUS_CMAKE_DIR})
