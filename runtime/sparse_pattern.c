/*
 * sparse_pattern.c - which output depends on which input, by runs of f_jacobian_pattern (contract:
 * sparse_private.h).
 *
 * That function carries for each number 64 bits, of which bit k says whether it depends on anything that is
 * seeded with bit k. Columns are found in groups that are divided again and again: of every row it is known on
 * which groups it depends, at first on the one group that has all columns. Groups that share a row get
 * different colours, and part r of a group of colour c bit c * parts + r: so a bit of a row stands for one part
 * of one of its groups, and what is found is exact. A matrix of which a row depends on few groups takes few
 * runs for each division, and not one for 64 columns each.
 */
#include "sparse_private.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 64 };

void gw_search_free(gw_search *search) {
    gw_lists_free(&search->groups);
    free(search->color);
    free(search->seen);
    *search = (gw_search){0};
}

static size_t group_count(size_t columns, size_t width) { return (columns + width - 1) / width; }

/* The colours are there: how far the groups are divided, and memory for what is seen. */
static bool plan(gw_search *search, size_t rows, int colors) {
    const size_t all = colors > 0 ? (size_t)colors : 1;
    search->parts = search->width > 1 ? 2 : 1;
    while (search->parts < search->width && 2 * search->parts * all <= BITS) search->parts *= 2;
    search->runs = (all * search->parts + BITS - 1) / BITS;
    search->run = 0;
    free(search->seen);
    search->seen = malloc((search->runs * rows + 1) * sizeof *search->seen);
    return search->seen != NULL;
}

bool gw_search_begin(gw_sparse *matrix) {
    gw_search *search = &matrix->work->search;
    const int rows = (int)matrix->work->form.rows;
    gw_search_free(search);
    search->width = 1;
    while (search->width < matrix->work->form.columns) search->width *= 2;
    search->groups = (gw_lists){rows, malloc(((size_t)rows + 1) * sizeof(int)),
                                calloc((size_t)rows + 1, sizeof(int))};
    search->color = calloc(1, sizeof *search->color);
    if (!search->groups.begin || !search->groups.item || !search->color) return false;
    for (int i = 0; i <= rows; i++) search->groups.begin[i] = i;
    return plan(search, (size_t)rows, 1);
}

void gw_search_prepare(gw_sparse *matrix) {
    const gw_search *search = &matrix->work->search;
    unsigned long long *seeds = matrix->from;
    const size_t part = search->width / search->parts;
    for (size_t i = 0; i < matrix->work->form.columns; i++) {
        const size_t place = i / part, group = place / search->parts;
        const size_t bit = (size_t)search->color[group] * search->parts + place % search->parts;
        seeds[i] = bit / BITS == search->run ? 1ull << bit % BITS : 0;
    }
}

/* ---- what was seen ---- */
static bool is_seen(const gw_search *search, size_t rows, size_t row, size_t bit) {
    return search->seen[bit / BITS * rows + row] >> bit % BITS & 1;
}

/* The parts on which the row depends, written to `into` if there is one. */
static size_t parts_of(const gw_search *search, size_t row, int *into) {
    const gw_lists *groups = &search->groups;
    size_t count = 0;
    for (int e = groups->begin[row]; e < groups->begin[row + 1]; e++) {
        const size_t group = (size_t)groups->item[e];
        for (size_t r = 0; r < search->parts; r++) {
            const size_t bit = (size_t)search->color[group] * search->parts + r;
            if (!is_seen(search, (size_t)groups->count, row, bit)) continue;
            if (into) into[count] = (int)(group * search->parts + r);
            count++;
        }
    }
    return count;
}

/* All runs of a division are there: the parts become the groups. */
static gw_status divide(gw_search *search) {
    const size_t rows = (size_t)search->groups.count;
    size_t entries = 0;
    for (size_t i = 0; i < rows; i++) entries += parts_of(search, i, NULL);
    if (entries > INT_MAX / 2) return gw_report(GW_ERROR_ARGUMENT, "the Jacobian has too many entries");
    gw_lists parts = {(int)rows, malloc((rows + 1) * sizeof(int)), malloc((entries + 1) * sizeof(int))};
    if (!parts.begin || !parts.item) {
        gw_lists_free(&parts);
        return gw_sparse_no_memory();
    }
    entries = 0;
    for (size_t i = 0; i < rows; i++) {
        parts.begin[i] = (int)entries;
        entries += parts_of(search, i, parts.item + entries);
    }
    parts.begin[rows] = (int)entries;
    gw_lists_free(&search->groups);
    search->groups = parts;
    search->width /= search->parts;
    return GW_OK;
}

static bool color_groups(gw_search *search, size_t columns) {
    const size_t count = group_count(columns, search->width);
    gw_lists rows = {0};
    free(search->color);
    search->color = malloc((count + 1) * sizeof *search->color);
    int colors = -1;
    if (search->color && gw_lists_turn(&search->groups, (int)count, &rows))
        colors = gw_color(&rows, &search->groups, search->color);
    gw_lists_free(&rows);
    return colors >= 0 && plan(search, (size_t)search->groups.count, colors);
}

gw_status gw_search_take(gw_sparse *matrix, bool *done) {
    gw_sparse_work *w = matrix->work;
    gw_search *search = &w->search;
    memcpy(search->seen + search->run * w->form.rows, matrix->to, w->form.rows * sizeof *search->seen);
    *done = false;
    if (++search->run < search->runs) return GW_OK;
    const gw_status status = divide(search);
    if (status != GW_OK) return status;
    *done = search->width == 1;
    if (*done) {
        gw_lists_free(&w->pattern);
        w->pattern = search->groups;
        search->groups = (gw_lists){0};
        gw_search_free(search);
        return GW_OK;
    }
    return color_groups(search, w->form.columns) ? GW_OK : gw_sparse_no_memory();
}
