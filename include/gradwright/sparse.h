/*
 * sparse.h - the matrix that a sparse Jacobian is: f_jacobian of GW_JACOBIAN("sparse y[0:m] wrt x[0:n]").
 *
 *     gw_sparse j = GW_SPARSE;
 *     if (f_jacobian(y, x, m, n, &j) != GW_OK) puts(gw_last_error());
 *     for (int i = 0; i < j.rows; i++)
 *         for (int e = j.row_begin[i]; e < j.row_begin[i + 1]; e++) use(i, j.column[e], j.value[e]);
 *     gw_sparse_free(&j);
 *
 * The first call finds the pattern: which input each output may depend on, along the way that the run took. It
 * then gives columns colours, so that no two of one colour share a row, and is done in a run for each few
 * colours. Later calls with the handle keep both while they hold. What they hold for is known exactly: the
 * function's integers, and all that it read or compared to choose a branch, an iteration or an index, as one
 * number of 64 bits. If that is another one the pattern is found again.
 *
 * The pattern has every entry that may be other than 0, and ones that happen to be 0. It has both sides of
 * fmin, fmax and `?:`. A handle is used by one call at a time; calls with other handles may run beside it. C17
 * in libgwruntime; what stands behind "for emitted text" is called by that alone.
 */
#ifndef GRADWRIGHT_SPARSE_H
#define GRADWRIGHT_SPARSE_H

#include "gradwright/runtime.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rows one after another (CSR). All memory is the handle's; it stays as it is until the next call with it. If
 * that fails, the handle is as good as new. */
typedef struct gw_sparse {
    int rows, columns, entries;
    const int *row_begin; /* rows + 1: where the entries of a row begin */
    const int *column;    /* of each entry, ascending in a row */
    double *value;        /* of each entry; of a function of floats NULL, and they are in value_f */
    float *value_f;
    int runs;        /* of the function or its gradient, for the values of one call */
    bool by_rows;    /* in reverse: a run for each colour of rows */
    bool is_new;     /* the last call found the pattern */
    void *from, *to; /* for emitted text: what a run is given, and what it makes */
    struct gw_sparse_work *work;
} gw_sparse;
#define GW_SPARSE {0, 0, 0, NULL, NULL, NULL, NULL, 0, false, false, NULL, NULL, NULL}

/* The handle is as good as new. */
void gw_sparse_free(gw_sparse *gw_matrix);

/* ---- for emitted text ---- */
typedef struct gw_sparse_form {
    size_t rows, columns;
    size_t bytes;          /* of a number: 4 or 8 */
    unsigned seeds;        /* rows of one run */
    unsigned directions;   /* columns of one run */
    bool decides;          /* the function adds to the path what it reads and compares to decide */
    bool names;            /* it names its entries, and carries no bits */
    unsigned long long path; /* so far: the function, its integers */
} gw_sparse_form;
gw_status gw_sparse_begin(gw_sparse *gw_matrix, const gw_sparse_form *gw_form);
/* `gw_count` outputs at `gw_output`, of which `gw_first` is the row of the first, as they were before all
 * runs. */
void gw_sparse_keep(gw_sparse *gw_matrix, const void *gw_output, size_t gw_first, size_t gw_count);
void gw_sparse_put_back(const gw_sparse *gw_matrix, void *gw_output, size_t gw_first, size_t gw_count);
/* Whether there is one more run, of which `from` is filled and `to` is 0; then its result. */
bool gw_sparse_next_pattern(gw_sparse *gw_matrix);
gw_status gw_sparse_take_pattern(gw_sparse *gw_matrix, unsigned long long gw_path);
/* A function that names entries is given the numbers of columns and rows in the place of bits. A row begins
 * anew, without what it had, or goes on; then its columns, each as often as there is a reason. */
void gw_sparse_row(gw_sparse *gw_matrix, unsigned long long gw_row);
void gw_sparse_row_on(gw_sparse *gw_matrix, unsigned long long gw_row);
void gw_sparse_entry(gw_sparse *gw_matrix, unsigned long long gw_column);
bool gw_sparse_next_rows(gw_sparse *gw_matrix);
void gw_sparse_take_rows(gw_sparse *gw_matrix);
bool gw_sparse_next_columns(gw_sparse *gw_matrix);
void gw_sparse_take_columns(gw_sparse *gw_matrix);

#ifdef __cplusplus
}
#endif
#endif
