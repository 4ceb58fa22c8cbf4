# Warnings of our own files. Headers of others are SYSTEM includes, which raise
# none. With DELASSUS_WERROR (the launcher, and so CI) they are errors; not by
# default, because another compiler warns of other things.
function(delassus_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra
    $<$<BOOL:${DELASSUS_WERROR}>:-Werror>)
endfunction()
