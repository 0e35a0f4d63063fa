/*
 * sparse.c - a sparse Jacobian by runs of seeds (contract: gradwright/sparse.h).
 *
 * A call goes through phases: the pattern is looked for (sparse_pattern.c, sparse_entries.c) or looked at again
 * by one run, which is spared where nothing but the function's integers decides its way; then values are made,
 * forward or in reverse, whichever takes fewer runs. A run's seeds are all columns, or rows, of its colours,
 * and each entry is read from the one run that has its colour.
 */
#include "sparse_private.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void forget(gw_sparse *matrix) {
    gw_sparse_work *w = matrix->work;
    if (w) {
        gw_search_free(&w->search);
        gw_naming_free(&w->naming);
        gw_lists_free(&w->pattern);
        free(w->kept);
        free(w->floats);
        free(w->doubles);
        free(w->color);
        free(w->seed);
        free(w->entry);
        free(w->place);
        free(w->share);
    }
    free(w);
    free(matrix->from);
    free(matrix->to);
    *matrix = (gw_sparse)GW_SPARSE;
}

void gw_sparse_free(gw_sparse *gw_matrix) {
    if (gw_matrix) forget(gw_matrix);
}

/* ---- a call begins ---- */
/* Everything but the path: what the handle's memory is made for. */
static bool is_made_for(const gw_sparse *matrix, const gw_sparse_form *form) {
    const gw_sparse_work *w = matrix->work;
    return w && w->form.rows == form->rows && w->form.columns == form->columns &&
           w->form.bytes == form->bytes && w->form.seeds == form->seeds &&
           w->form.directions == form->directions && w->form.decides == form->decides &&
           w->form.names == form->names;
}

static size_t places(const gw_sparse_form *form) {
    return (form->rows > form->columns ? form->rows : form->columns) + 1;
}

static unsigned most_at_once(const gw_sparse_form *form) {
    return form->seeds > form->directions ? form->seeds : form->directions;
}

static size_t bytes_of_place(const gw_sparse_form *form) {
    const size_t number = form->bytes * most_at_once(form);
    return number > sizeof(unsigned long long) ? number : sizeof(unsigned long long);
}

static bool make(gw_sparse *matrix, const gw_sparse_form *form) {
    forget(matrix);
    matrix->work = calloc(1, sizeof *matrix->work);
    matrix->from = malloc(places(form) * bytes_of_place(form));
    matrix->to = malloc(places(form) * bytes_of_place(form));
    if (!matrix->work || !matrix->from || !matrix->to) return false;
    matrix->work->kept = malloc((form->rows + 1) * form->bytes);
    if (!matrix->work->kept) return false;
    matrix->work->form = *form;
    return true;
}

gw_status gw_sparse_no_memory(void) {
    return gw_report(GW_ERROR_MEMORY, "no memory for a sparse Jacobian");
}

static gw_status look_anew(gw_sparse *matrix) {
    gw_sparse_work *w = matrix->work;
    w->phase = GW_PHASE_FIND;
    w->knows_path = false;
    matrix->is_new = true;
    if (w->form.names ? gw_naming_begin(matrix) : gw_search_begin(matrix)) return GW_OK;
    forget(matrix);
    return gw_sparse_no_memory();
}

/* Nothing is seeded, whatever a run before has left. */
static void begin_values(gw_sparse *matrix) {
    gw_sparse_work *w = matrix->work;
    memset(matrix->from, 0, places(&w->form) * bytes_of_place(&w->form));
    w->phase = GW_PHASE_VALUES;
}

gw_status gw_sparse_begin(gw_sparse *gw_matrix, const gw_sparse_form *gw_form) {
    const size_t most = INT_MAX / 2 / most_at_once(gw_form);
    if (gw_form->rows >= most || gw_form->columns >= most) {
        forget(gw_matrix);
        return gw_report(GW_ERROR_ARGUMENT, "a sparse Jacobian of %zu rows and %zu columns", gw_form->rows,
                         gw_form->columns);
    }
    if (!is_made_for(gw_matrix, gw_form) && !make(gw_matrix, gw_form)) {
        forget(gw_matrix);
        return gw_sparse_no_memory();
    }
    gw_sparse_work *w = gw_matrix->work;
    w->run = 0;
    gw_matrix->is_new = false;
    if (w->phase != GW_PHASE_VALUES) return look_anew(gw_matrix); /* the call before has failed, too */
    if (gw_form->decides) w->phase = GW_PHASE_CHECK;
    else if (w->form.path != gw_form->path) return look_anew(gw_matrix);
    else begin_values(gw_matrix);
    return GW_OK;
}

void gw_sparse_keep(gw_sparse *gw_matrix, const void *gw_output, size_t gw_first, size_t gw_count) {
    const gw_sparse_work *w = gw_matrix->work;
    if (gw_count) memcpy(w->kept + gw_first * w->form.bytes, gw_output, gw_count * w->form.bytes);
}

void gw_sparse_put_back(const gw_sparse *gw_matrix, void *gw_output, size_t gw_first, size_t gw_count) {
    const gw_sparse_work *w = gw_matrix->work;
    if (gw_count) memcpy(gw_output, w->kept + gw_first * w->form.bytes, gw_count * w->form.bytes);
}

/* ---- colours, and what each run gives ---- */
/* Fewest runs that there can be: an item's things all have different colours. */
static size_t runs_of(int colors, size_t at_once) { return ((size_t)colors + at_once - 1) / at_once; }

/* Columns or rows, by the runs that they take; the way with the lower bound first, and the other one only if it
 * may win. */
static bool choose_colors(gw_sparse *matrix, const gw_lists *of_columns) {
    gw_sparse_work *w = matrix->work;
    const gw_lists *things[2] = {of_columns, &w->pattern}, *items[2] = {&w->pattern, of_columns};
    const size_t at_once[2] = {w->form.directions, w->form.seeds},
                 behind[2] = {0, 1}; /* rows end in a run for values */
    size_t best = SIZE_MAX;
    const size_t bound[2] = {runs_of(gw_lists_longest(items[0]), at_once[0]),
                             runs_of(gw_lists_longest(items[1]), at_once[1]) + 1};
    for (int turn = 0; turn < 2; turn++) {
        const int side = (bound[1] < bound[0]) != (turn == 1);
        if (bound[side] >= best) continue;
        int *color = malloc(((size_t)things[side]->count + 1) * sizeof *color);
        const int colors = color ? gw_color(things[side], items[side], color) : -1;
        const size_t runs = colors < 0 ? 0 : runs_of(colors, at_once[side]);
        if (colors >= 0 && runs + behind[side] < best) {
            int *const other = w->color;
            w->color = color, color = other;
            best = runs + behind[side];
            matrix->by_rows = side == 1;
            matrix->runs = (int)runs;
        }
        free(color);
        if (colors < 0) return false;
    }
    return true;
}

/* How many colours a run has. */
static size_t colors_at_once(const gw_sparse *matrix) {
    return matrix->by_rows ? matrix->work->form.seeds : matrix->work->form.directions;
}

static size_t run_of(const gw_sparse *matrix, int thing) {
    return (size_t)matrix->work->color[thing] / colors_at_once(matrix);
}

/* The place where a run has the number of a row or column, of the colour that its `seed` has. */
static size_t place_in_run(const gw_sparse *matrix, int number, int seed) {
    return (size_t)number * colors_at_once(matrix) + (size_t)matrix->work->color[seed] % colors_at_once(matrix);
}

/* The place where a run makes the entry. */
static int place_of_entry(const gw_sparse *matrix, int row, int column) {
    return (int)(matrix->by_rows ? place_in_run(matrix, column, row) : place_in_run(matrix, row, column));
}

/* Sorted by their runs, of which counts become beginnings. */
static void share_out(gw_sparse *matrix) {
    gw_sparse_work *w = matrix->work;
    gw_share *next = w->share + 1; /* where the next one of a run goes */
    const int seeds = (int)(matrix->by_rows ? w->form.rows : w->form.columns);
    for (int i = 0; i < seeds; i++) next[run_of(matrix, i) + 1].first_seed++;
    for (int i = 0; i < w->pattern.count; i++)
        for (int e = w->pattern.begin[i]; e < w->pattern.begin[i + 1]; e++)
            next[run_of(matrix, matrix->by_rows ? i : w->pattern.item[e]) + 1].first_entry++;
    for (int r = 0; r < matrix->runs; r++) {
        next[r + 1].first_seed += next[r].first_seed;
        next[r + 1].first_entry += next[r].first_entry;
    }
    for (int i = 0; i < seeds; i++) w->seed[next[run_of(matrix, i)].first_seed++] = i;
    for (int i = 0; i < w->pattern.count; i++)
        for (int e = w->pattern.begin[i]; e < w->pattern.begin[i + 1]; e++) {
            const int column = w->pattern.item[e],
                      to = next[run_of(matrix, matrix->by_rows ? i : column)].first_entry++;
            w->entry[to] = e;
            w->place[to] = place_of_entry(matrix, i, column);
        }
}

/* Memory for what a pattern of so many entries needs; what was there before is gone. */
static bool make_room(gw_sparse *matrix) {
    gw_sparse_work *w = matrix->work;
    const size_t entries = (size_t)matrix->entries + 1, runs = (size_t)matrix->runs + 2;
    free(w->seed), free(w->entry), free(w->place), free(w->share), free(w->floats), free(w->doubles);
    w->floats = NULL, w->doubles = NULL;
    w->seed = malloc(places(&w->form) * sizeof *w->seed);
    w->entry = malloc(entries * sizeof *w->entry);
    w->place = malloc(entries * sizeof *w->place);
    w->share = calloc(runs, sizeof *w->share);
    if (w->form.bytes == sizeof(float)) w->floats = calloc(entries, sizeof *w->floats);
    else w->doubles = calloc(entries, sizeof *w->doubles);
    return w->seed && w->entry && w->place && w->share && (w->floats || w->doubles);
}

static gw_status settle(gw_sparse *matrix) {
    gw_sparse_work *w = matrix->work;
    gw_lists of_columns = {0};
    matrix->entries = w->pattern.begin[w->pattern.count];
    bool good = gw_lists_turn(&w->pattern, (int)w->form.columns, &of_columns) &&
                choose_colors(matrix, &of_columns) && make_room(matrix);
    gw_lists_free(&of_columns);
    if (!good) return gw_sparse_no_memory();
    share_out(matrix);
    matrix->rows = (int)w->form.rows, matrix->columns = (int)w->form.columns;
    matrix->row_begin = w->pattern.begin, matrix->column = w->pattern.item;
    matrix->value = w->doubles, matrix->value_f = w->floats;
    begin_values(matrix);
    return GW_OK;
}

/* ---- the pattern ---- */
bool gw_sparse_next_pattern(gw_sparse *gw_matrix) {
    gw_sparse_work *w = gw_matrix->work;
    if (w->phase == GW_PHASE_VALUES) return false;
    memset(gw_matrix->to, 0, w->form.rows * sizeof(unsigned long long));
    if (w->form.names) gw_naming_prepare(gw_matrix);
    else if (w->phase == GW_PHASE_CHECK)
        memset(gw_matrix->from, 0, w->form.columns * sizeof(unsigned long long));
    else gw_search_prepare(gw_matrix);
    return true;
}

gw_status gw_sparse_take_pattern(gw_sparse *gw_matrix, unsigned long long gw_path) {
    gw_sparse_work *w = gw_matrix->work;
    if (w->phase == GW_PHASE_CHECK) {
        if (w->form.path != gw_path) return look_anew(gw_matrix);
        begin_values(gw_matrix);
        return GW_OK;
    }
    if (w->knows_path && w->form.path != gw_path) {
        forget(gw_matrix);
        return gw_report(GW_ERROR_ARGUMENT, "a function with a sparse Jacobian took another way when it ran "
                                            "again: do arrays overlap?");
    }
    w->form.path = gw_path;
    w->knows_path = true;
    bool done = w->form.names;
    gw_status status = done ? gw_naming_take(gw_matrix) : gw_search_take(gw_matrix, &done);
    if (status == GW_OK && done) status = settle(gw_matrix);
    if (status != GW_OK) forget(gw_matrix);
    return status;
}

/* ---- the values ---- */
static void fill(gw_sparse *matrix, size_t at, double number) {
    if (matrix->value_f) ((float *)matrix->from)[at] = (float)number;
    else ((double *)matrix->from)[at] = number;
}

static void seed_run(gw_sparse *matrix, double number) {
    const gw_sparse_work *w = matrix->work;
    if (w->run >= (size_t)matrix->runs) return; /* a run for the values of the function alone */
    const gw_share *share = &w->share[w->run];
    for (int i = share[0].first_seed; i < share[1].first_seed; i++)
        fill(matrix, place_in_run(matrix, w->seed[i], w->seed[i]), number);
}

/* What the run has made goes to its entries; its seeds are taken back, or what a gradient has left of them. */
static void end_run(gw_sparse *matrix) {
    gw_sparse_work *w = matrix->work;
    if (w->run < (size_t)matrix->runs) {
        const gw_share *share = &w->share[w->run];
        for (int i = share[0].first_entry; i < share[1].first_entry; i++)
            if (w->floats) w->floats[w->entry[i]] = ((const float *)matrix->to)[w->place[i]];
            else w->doubles[w->entry[i]] = ((const double *)matrix->to)[w->place[i]];
    }
    seed_run(matrix, 0);
    w->run++;
}

bool gw_sparse_next_rows(gw_sparse *gw_matrix) {
    gw_sparse_work *w = gw_matrix->work;
    if (!gw_matrix->by_rows || w->run >= (size_t)gw_matrix->runs) return false;
    memset(gw_matrix->to, 0, w->form.bytes * w->form.seeds * w->form.columns);
    seed_run(gw_matrix, 1);
    return true;
}

void gw_sparse_take_rows(gw_sparse *gw_matrix) { end_run(gw_matrix); }

/* At least one, so that the function has run in the end. */
bool gw_sparse_next_columns(gw_sparse *gw_matrix) {
    gw_sparse_work *w = gw_matrix->work;
    const size_t last = gw_matrix->by_rows || !gw_matrix->runs ? (size_t)gw_matrix->runs + 1
                                                               : (size_t)gw_matrix->runs;
    if (w->run >= last) return false;
    memset(gw_matrix->to, 0, w->form.bytes * w->form.directions * w->form.rows);
    seed_run(gw_matrix, 1);
    return true;
}

void gw_sparse_take_columns(gw_sparse *gw_matrix) { end_run(gw_matrix); }
