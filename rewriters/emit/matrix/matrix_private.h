/* matrix_private.h - what matrix.c and sparse.c share of functions that fill a matrix. */
#ifndef GW_EMIT_MATRIX_PRIVATE_H
#define GW_EMIT_MATRIX_PRIVATE_H
#include "rewriters/emit/matrix/matrix.h"

typedef struct gw_matrix {
    gw_emitter *e;
    const gw_request *q;
    const gw_func *by[2];   /* parts: rows (a Hessian's products), columns; NULL: none */
    const gw_func *pattern; /* of a sparse one */
    const char *sizes[2];   /* of rows, of columns */
    gw_names extents[2];    /* of the outputs, of the inputs: a variable, or 0 for a number */
    const char *type, *made, *space, *row, *column, *status, *path;
    const char *last; /* what a pattern's last parameter takes, if it has one of its own */
} gw_matrix;

const char *gw_matrix_unique(gw_emitter *e, const char *wish);
/* Columns that a call makes, which are the last dimension of what it takes. */
unsigned gw_matrix_width(const gw_func *f);
/* What `width` times the count is: "4 * (columns + rows)", or "(columns + rows)"; the caller frees it. */
char *gw_matrix_in_block(unsigned width, const char *count);
/* The begin of the name's numbers among the outputs (0) or inputs (1): " + x_size + 1"; "" at the front. */
char *gw_matrix_begin_of(const gw_matrix *m, unsigned side, gw_str name);
void gw_matrix_declare_sizes(gw_matrix *m, const gw_func *f);
/* The call of a part. `first`: seeds or directions, `result`: where a row goes, or the outputs' tangents. */
void gw_matrix_call(const gw_matrix *m, const gw_func *f, const char *first, const char *result);
void gw_matrix_sparse_body(gw_matrix *m);
#endif
