/* printer.h - the text of one op, for messages. */
#ifndef GW_PRINTER_H
#define GW_PRINTER_H
#include "gradwright/ir/ir.h"
void gw_print_op(const gw_func *f, gw_op op, gw_text *out);
#endif
