/*
 * sparse_entries.c - the pattern of a sparse Jacobian as a run of f_jacobian_pattern names it, entry by entry
 * (contract: sparse_private.h).
 *
 * What is named is kept in its order, in pieces of one row: a row that begins anew forgets its pieces so far,
 * as a cell that is written forgets what was in it. In the end it is turned twice, into columns and back, which
 * sorts it: what a row has twice stands side by side in between.
 */
#include "sparse_private.h"

#include <limits.h>
#include <stdlib.h>

void gw_naming_free(gw_naming *naming) {
    free(naming->piece);
    free(naming->column);
    free(naming->begin);
    *naming = (gw_naming){0};
}

bool gw_naming_begin(gw_sparse *matrix) {
    gw_naming *n = &matrix->work->naming;
    gw_naming_free(n);
    n->begin = calloc(matrix->work->form.rows + 1, sizeof *n->begin);
    return n->begin != NULL;
}

void gw_naming_prepare(gw_sparse *matrix) {
    const gw_sparse_form *form = &matrix->work->form;
    unsigned long long *columns = matrix->from, *rows = matrix->to;
    for (size_t i = 0; i < form->columns; i++) columns[i] = i;
    for (size_t i = 0; i < form->rows; i++) rows[i] = i;
}

/* ---- naming ---- */
/* Room for one more; NULL: there is none, and what was there is as it was. */
static void *grown(void *all, size_t count, size_t *room, size_t bytes) {
    enum { FIRST = 1024 };
    if (count < *room) return all;
    const size_t wanted = *room ? 2 * *room : FIRST;
    void *more = wanted > SIZE_MAX / bytes / 2 ? NULL : realloc(all, wanted * bytes);
    if (more) *room = wanted;
    return more;
}

void gw_sparse_row_on(gw_sparse *gw_matrix, unsigned long long gw_row) {
    gw_naming *n = &gw_matrix->work->naming;
    gw_piece *more = n->no_memory ? NULL : grown(n->piece, n->pieces, &n->piece_room, sizeof *more);
    n->no_memory = !more;
    if (!more) return;
    n->piece = more;
    n->piece[n->pieces++] = (gw_piece){(int)gw_row, n->columns};
}

void gw_sparse_row(gw_sparse *gw_matrix, unsigned long long gw_row) {
    gw_naming *n = &gw_matrix->work->naming;
    n->begin[gw_row] = n->pieces;
    gw_sparse_row_on(gw_matrix, gw_row);
}

void gw_sparse_entry(gw_sparse *gw_matrix, unsigned long long gw_column) {
    gw_naming *n = &gw_matrix->work->naming;
    int *more = n->no_memory ? NULL : grown(n->column, n->columns, &n->column_room, sizeof *more);
    n->no_memory = !more;
    if (!more) return;
    n->column = more;
    n->column[n->columns++] = (int)gw_column;
}

/* ---- taking ---- */
static size_t end_of(const gw_naming *n, size_t piece) {
    return piece + 1 < n->pieces ? n->piece[piece + 1].first : n->columns;
}

/* What counts, row after row, in the order in which it was named. */
static gw_status collect(const gw_naming *n, size_t rows, gw_lists *found) {
    *found = (gw_lists){(int)rows, calloc(rows + 2, sizeof(int)), NULL};
    if (!found->begin) return gw_sparse_no_memory();
    int *const next = found->begin + 1;
    size_t entries = 0;
    for (size_t i = 0; i < n->pieces; i++) {
        const gw_piece *piece = &n->piece[i];
        if (i < n->begin[piece->row]) continue;
        entries += end_of(n, i) - piece->first;
        if (entries > INT_MAX / 2) return gw_report(GW_ERROR_ARGUMENT, "the Jacobian has too many entries");
        next[piece->row + 1] += (int)(end_of(n, i) - piece->first);
    }
    found->item = malloc((entries + 1) * sizeof(int));
    if (!found->item) return gw_sparse_no_memory();
    for (size_t i = 0; i < rows; i++) next[i + 1] += next[i];
    for (size_t i = 0; i < n->pieces; i++) {
        const gw_piece *piece = &n->piece[i];
        if (i < n->begin[piece->row]) continue;
        for (size_t e = piece->first; e < end_of(n, i); e++) found->item[next[piece->row]++] = n->column[e];
    }
    return GW_OK;
}

static void drop_repeats(gw_lists *lists) {
    int to = 0;
    for (int i = 0; i < lists->count; i++) {
        const int first = lists->begin[i], end = lists->begin[i + 1];
        lists->begin[i] = to;
        for (int e = first; e < end; e++)
            if (e == first || lists->item[e] != lists->item[e - 1]) lists->item[to++] = lists->item[e];
    }
    lists->begin[lists->count] = to;
}

gw_status gw_naming_take(gw_sparse *matrix) {
    gw_sparse_work *w = matrix->work;
    gw_lists found = {0}, columns = {0};
    gw_status status = w->naming.no_memory ? gw_sparse_no_memory() : collect(&w->naming, w->form.rows, &found);
    gw_naming_free(&w->naming);
    if (status == GW_OK && !gw_lists_turn(&found, (int)w->form.columns, &columns))
        status = gw_sparse_no_memory();
    gw_lists_free(&found);
    gw_lists_free(&w->pattern);
    if (status == GW_OK) {
        drop_repeats(&columns);
        if (!gw_lists_turn(&columns, (int)w->form.rows, &w->pattern)) status = gw_sparse_no_memory();
    }
    gw_lists_free(&columns);
    return status;
}
