/* printer_private.h - the text of one op, for messages; and what the printer's files share. */
#ifndef GW_PRINTER_PRIVATE_H
#define GW_PRINTER_PRIVATE_H
#include "analysis/ir/ir.h"

void gw_print_op(const gw_func *f, gw_op op, gw_text *out);

/* ---- printer_names.c ---- */
bool gw_print_is_plain(const char *text,
                       const char *extra); /* an identifier, `extra` allowed behind its start */
void gw_print_quoted(gw_text *out, const char *text);
void gw_print_name(gw_text *out, const char *text); /* quoted only if it is not plain */
void gw_print_ordinal(gw_text *out, uint32_t ordinal);
void gw_print_type(const gw_session *s, gw_type t, gw_text *out);
void gw_print_func_label(const gw_func *f, gw_text *out);
void gw_print_place(const gw_session *s, gw_loc loc, gw_text *out); /* "a.cu":3:5 */
void gw_print_real(gw_text *out, gw_type type, double x); /* reads back as the same bits */
#endif
