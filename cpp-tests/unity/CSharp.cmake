# The C# layer, compiled and run by Mono, which is what Unity runs on.
find_program(MCS mcs REQUIRED)
find_program(MONO mono REQUIRED)
set(csharp_sources "${CMAKE_CURRENT_LIST_DIR}")
file(GLOB unity_runtime CONFIGURE_DEPENDS "${PROXEL_UNITY_DIR}/Runtime/*.cs" "${PROXEL_UNITY_DIR}/Runtime/Generated/*.cs")

# csharp(TARGET OUTPUT OPTION... SOURCES FILE...): compiles with every warning an error.
function(csharp target output)
  cmake_parse_arguments(PARSE_ARGV 2 csharp "" "" "OPTIONS;SOURCES;DEPENDS")
  add_custom_command(OUTPUT "${output}"
    COMMAND ${MCS} -unsafe -optimize -warn:4 -warnaserror ${csharp_OPTIONS} "-out:${output}" ${csharp_SOURCES}
    DEPENDS ${csharp_SOURCES} ${csharp_DEPENDS} VERBATIM)
  add_custom_target(${target} ALL DEPENDS "${output}")
endfunction()

# unity_test(TOPIC PROGRAM ARGUMENT...): under Mono, with the installed library.
function(unity_test topic program)
  add_test(NAME ${topic} COMMAND ${PROXEL_TEST_LAUNCHER} ${MONO} "${program}" ${ARGN})
  set_tests_properties(${topic} PROPERTIES TIMEOUT 1200 ENVIRONMENT "LD_LIBRARY_PATH=$<TARGET_FILE_DIR:Proxel::proxel>")
endfunction()

# What a C compiler says of every struct.
get_target_property(proxel_headers Proxel::proxel INTERFACE_INCLUDE_DIRECTORIES)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_custom_command(OUTPUT layouts.c
  COMMAND ${Python3_EXECUTABLE} "${csharp_sources}/layouts.py" "${proxel_headers}/proxel.h" >layouts.c
  DEPENDS "${csharp_sources}/layouts.py" "${proxel_headers}/proxel.h")
add_executable(layouts "${PROJECT_BINARY_DIR}/layouts.c")
target_link_libraries(layouts PRIVATE Proxel::proxel)
add_custom_command(TARGET layouts POST_BUILD COMMAND layouts >layouts.txt)

# Mono has memory of its own, which the sanitizers do not know.
if(PROXEL_TEST_SANITIZED)
  return()
endif()

set(library "${PROJECT_BINARY_DIR}/Proxel.dll")
csharp(unity_library "${library}" OPTIONS -target:library SOURCES ${unity_runtime})
foreach(topic Layouts Queries Contacts Breaking Lifetimes)
  csharp(unity_${topic} "${PROJECT_BINARY_DIR}/${topic}.exe" OPTIONS "-r:${library}" DEPENDS unity_library SOURCES
    "${csharp_sources}/${topic}.cs" "${csharp_sources}/Check.cs" "${csharp_sources}/Shapes.cs" "${csharp_sources}/Device.cs")
endforeach()
# The whole package as Unity compiles it, with the sample, against stand-ins.
csharp(unity_Component "${PROJECT_BINARY_DIR}/Component.exe" OPTIONS -define:UNITY_2021_2_OR_NEWER SOURCES ${unity_runtime}
  "${PROXEL_UNITY_DIR}/Samples~/Contact/ProxelContact.cs" "${csharp_sources}/UnityEngine.cs" "${csharp_sources}/Component.cs"
  "${csharp_sources}/Check.cs" "${csharp_sources}/Device.cs")

csharp(hello_cs_program "${PROJECT_BINARY_DIR}/Hello.exe" SOURCES ${unity_runtime} "${csharp_sources}/../../examples/Hello.cs")

unity_test(hello_cs "${PROJECT_BINARY_DIR}/Hello.exe")
set_tests_properties(hello_cs PROPERTIES FAIL_REGULAR_EXPRESSION "validated: "
  PASS_REGULAR_EXPRESSION "depth: 0.100, force on the small cube: .0.12 -?0.00 -?0.00.")
unity_test(unity_layouts "${PROJECT_BINARY_DIR}/Layouts.exe" "${PROJECT_BINARY_DIR}/layouts.txt")
unity_test(unity_queries "${PROJECT_BINARY_DIR}/Queries.exe")
# It culls by visibility, too, which draws.
set_tests_properties(unity_queries PROPERTIES LABELS vulkan)
unity_test(unity_contacts "${PROJECT_BINARY_DIR}/Contacts.exe")
unity_test(unity_breaking "${PROJECT_BINARY_DIR}/Breaking.exe")
unity_test(unity_lifetimes "${PROJECT_BINARY_DIR}/Lifetimes.exe")
unity_test(unity_component "${PROJECT_BINARY_DIR}/Component.exe")
