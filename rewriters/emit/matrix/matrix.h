/* matrix.h - what is filled by calls of other derivatives, which stand above it in the file. */
#ifndef GW_EMIT_MATRIX_H
#define GW_EMIT_MATRIX_H
#include "rewriters/emit/text/text.h"

/* matrix.c: f_hessian or f_jacobian, or its prototype */
void gw_emit_matrix(gw_emitter *e, uint32_t request, bool is_definition);
/* part.c: the number of rows (0) or columns (1), of what `f`'s parameters are called: "(size_t)(n) + 1". */
char *gw_matrix_size(gw_emitter *e, const gw_request *q, const gw_func *f, unsigned side);
/* rounding.c: what stands above the terms of a rounding error, their rows; and below them f_error, the sum, or
 * its prototype */
void gw_emit_rounding_table(gw_emitter *e, uint32_t request, bool is_definition);
void gw_emit_rounding(gw_emitter *e, uint32_t request, bool is_definition);
#endif
