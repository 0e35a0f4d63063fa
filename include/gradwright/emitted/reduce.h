/*
 * reduce.h - sums of rows by key, with the same bits on every run: the C interface (reduce.cuh is the
 * implementation).
 *
 * A reduction has `rows` rows, each with a key (a signed integer) and a value in each of `columns` columns. It
 * adds to the cell of a column that belongs to a key the sum of that column over all rows of the key:
 *
 *     *(value type *)((char *)column.cells + key * column.stride) += sum
 *
 * Rows whose key is the unused one (every byte GW_REDUCE_UNUSED) count for nothing; their values may be
 * anything. The order of additions depends on the keys and their order only: rows are sorted by key, rows of
 * one key stay in their order (or nothing is sorted, where rows of one key lie behind each other already), and
 * are summed in tiles of 32 by a fixed tree.
 *
 * Memory is the caller's: gw_reduce_bytes() bytes on the device, aligned to GW_WORKSPACE_ALIGNMENT, which start
 * with keys                rows * key_bytes bytes values, row by row  columns * value_bytes bytes each, from
 * gw_reduce_values_at() on and hold nothing of interest afterwards. Distinct columns have distinct cells, and
 * nobody else reaches them meanwhile. Nothing is allocated and nobody waits: work is enqueued on the stream, so
 * a reduction can be captured into a graph.
 */
#ifndef GRADWRIGHT_REDUCE_H
#define GRADWRIGHT_REDUCE_H

#include "gradwright/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GW_REDUCE_UNUSED 0x80
#define GW_REDUCE_COLUMNS 16 /* at most */
#define GW_REDUCE_ASCENDING 2

typedef struct gw_reduction {
    size_t rows;          /* less than 2^32 */
    unsigned key_bytes;   /* 4: int32_t, 8: int64_t */
    unsigned value_bytes; /* 4: float, 8: double */
    unsigned columns;     /* 1 to GW_REDUCE_COLUMNS */
    int contiguous; /* not 0: rows of one key lie behind each other, whatever unused rows there are between
                       them; GW_REDUCE_ASCENDING: and keys never fall, which is tested: a row whose key does
                       stops the device */
} gw_reduction;

typedef struct gw_reduce_column {
    void *cells;      /* of key 0, in memory of the device */
    ptrdiff_t stride; /* bytes from a key's cell to that of the next key */
} gw_reduce_column;

/* Bytes of memory for it; SIZE_MAX where it is not legal or the device cannot be asked. */
size_t gw_reduce_bytes(const gw_reduction *gw_r);
/* The begin of the values, in bytes from the start of the memory. */
size_t gw_reduce_values_at(const gw_reduction *gw_r);
/* Enqueues it on the stream (a cudaStream_t). GW_OK; GW_ERROR_ARGUMENT where it is not legal,
 * GW_ERROR_WORKSPACE where the memory is missing, too small or misaligned, and nothing was enqueued;
 * GW_ERROR_CUDA where a launch failed. */
gw_status gw_reduce_by_key(const gw_reduction *gw_r, const gw_reduce_column *gw_columns, void *gw_memory,
                           size_t gw_bytes, void *gw_stream);

/* The CPU device's sort: gw_order[i] becomes the number in `gw_numbers` of the row that comes i-th by key, rows
 * of one key in their order, and gw_sorted[i] its key. */
void gw_sort_rows(const void *gw_keys, unsigned gw_key_bytes, size_t gw_rows, const uint32_t *gw_numbers,
                  uint32_t *gw_order, void *gw_sorted);

#ifdef __cplusplus
}
#endif
#endif
