/*
 * text.h - the IR as text, written (printer.c) and read (parser.c), and the rules that it keeps (verifier.c);
 * the text's grammar: docs/internals/ir.md.
 */
#ifndef GW_TEXT_H
#define GW_TEXT_H
#include "analysis/ir/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

void gw_print_func(const gw_func *f, gw_text *out);
void gw_print_session(const gw_session *s, gw_text *out);
/* Parses text of gw_print_session into s (empty session); false with diagnostics if it is not legal. */
bool gw_parse_session(gw_session *s, const char *text, const char *file);
/* First broken rule as text in *why (caller frees), or true. */
bool gw_verify(const gw_func *f, char **why);

#ifdef __cplusplus
}
#endif
#endif
