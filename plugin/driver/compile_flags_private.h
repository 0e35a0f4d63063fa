/*
 * compile_flags_private.h - a compiler's command line (gcc, Clang, nvcc) as flags of a parse by Clang.
 */
#ifndef GW_COMPILE_FLAGS_PRIVATE_H
#define GW_COMPILE_FLAGS_PRIVATE_H
#include "analysis/ir/support.h"

typedef GW_VEC(char *) gw_words;

/* Adds what changes the meaning of a source to *flags; `folder` is what relative paths are relative to. NULL,
 * or what is wrong (caller frees). */
char *gw_compile_flags_translate(const gw_words *command, const char *folder, gw_words *flags);
/* The words of a command as a POSIX shell reads them, without expansions. */
void gw_compile_flags_split(const char *text, gw_words *words);
void gw_words_free(gw_words *words);

#endif
