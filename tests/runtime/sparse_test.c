/* Sparse Jacobians without a compiler: patterns, colours and values of y = A x for matrices of all shapes, by
 * the calls that emitted text makes; and what must be said. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One allocation of a call fails, the first being number 0. */
static long failing = -1;
static void *test_malloc(size_t bytes) { return failing-- == 0 ? NULL : malloc(bytes); }
static void *test_calloc(size_t count, size_t bytes) { return failing-- == 0 ? NULL : calloc(count, bytes); }
static void *test_realloc(void *old, size_t bytes) { return failing-- == 0 ? NULL : realloc(old, bytes); }
#define malloc test_malloc
#define calloc test_calloc
#define realloc test_realloc
#include "../../runtime/coloring.c"
#include "../../runtime/sparse.c"
#include "../../runtime/sparse_entries.c"
#include "../../runtime/sparse_pattern.c"
#undef malloc
#undef calloc
#undef realloc

static int failures;
#define CHECK(condition)                                                    \
    do {                                                                    \
        if (!(condition)) {                                                 \
            printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
            failures++;                                                     \
        }                                                                   \
    } while (0)

static unsigned long long state = 1;
static unsigned below(unsigned end) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33) % end;
}

typedef struct dense {
    int rows, columns;
    double *cell; /* 0: no entry */
    int pattern_runs, value_runs;
} dense;

static dense zeros(int rows, int columns) {
    return (dense){rows, columns, calloc((size_t)rows * (size_t)columns + 1, sizeof(double)), 0, 0};
}

static void run_pattern(dense *a, const unsigned long long *from, unsigned long long *to) {
    a->pattern_runs++;
    for (int i = 0; i < a->rows; i++)
        for (int k = 0; k < a->columns; k++)
            if (a->cell[i * a->columns + k] != 0) to[i] |= from[k];
}

/* Each entry, some twice, in pieces that have no order; some rows have had others, which are gone. */
static void name_entries(dense *a, gw_sparse *j) {
    const unsigned long long *columns = j->from, *rows = j->to;
    a->pattern_runs++;
    for (int k = 0; k < a->rows; k++) {
        if (k % 3 == 0) gw_sparse_row(j, rows[k]), gw_sparse_entry(j, columns[a->columns / 2]);
        if (k % 3 == 0) gw_sparse_row_on(j, rows[k]), gw_sparse_entry(j, columns[0]);
        if (k % 3 == 0) gw_sparse_row(j, rows[k]);
    }
    for (int k = a->columns - 1; k >= 0; k--)
        for (int i = 0; i < a->rows; i++) {
            if (a->cell[i * a->columns + k] == 0) continue;
            gw_sparse_row_on(j, rows[i]);
            for (unsigned times = 1 + below(2); times > 0; times--) gw_sparse_entry(j, columns[k]);
        }
}

static void run_columns(dense *a, const double *from, double *to, int at_once) {
    a->value_runs++;
    for (int i = 0; i < a->rows; i++)
        for (int k = 0; k < a->columns; k++)
            for (int lane = 0; lane < at_once; lane++)
                to[i * at_once + lane] += a->cell[i * a->columns + k] * from[k * at_once + lane];
}

static void run_rows(dense *a, double *from, double *to, int at_once) {
    a->value_runs++;
    for (int i = 0; i < a->rows; i++)
        for (int lane = 0; lane < at_once; lane++) {
            double *const seed = &from[i * at_once + lane];
            for (int k = 0; k < a->columns; k++) to[k * at_once + lane] += a->cell[i * a->columns + k] * *seed;
            *seed = 0; /* seeds are consumed */
        }
}

/* What decides: numbers, integers alone; and those, with entries that are named. */
typedef enum decider { NUMBERS, INTEGERS, NAMED } decider;

static gw_status jacobian(dense *a, gw_sparse *j, unsigned at_once, decider kind, unsigned long long path) {
    const gw_sparse_form form = {(size_t)a->rows, (size_t)a->columns, sizeof(double), at_once, at_once,
                                 kind == NUMBERS, kind == NAMED, kind == NUMBERS ? 0 : path};
    a->pattern_runs = a->value_runs = 0;
    gw_status status = gw_sparse_begin(j, &form);
    while (status == GW_OK && gw_sparse_next_pattern(j)) {
        if (kind == NAMED) name_entries(a, j);
        else run_pattern(a, j->from, j->to);
        status = gw_sparse_take_pattern(j, path);
    }
    while (status == GW_OK && gw_sparse_next_rows(j)) {
        run_rows(a, j->from, j->to, (int)at_once);
        gw_sparse_take_rows(j);
    }
    while (status == GW_OK && gw_sparse_next_columns(j)) {
        run_columns(a, j->from, j->to, (int)at_once);
        gw_sparse_take_columns(j);
    }
    return status;
}

/* Every entry, no other, and its number. */
static void compare(const dense *a, const gw_sparse *j) {
    CHECK(j->rows == a->rows && j->columns == a->columns);
    for (int i = 0; i < a->rows; i++) {
        int e = j->row_begin[i];
        for (int k = 0; k < a->columns; k++) {
            const double number = a->cell[i * a->columns + k];
            const bool here = e < j->row_begin[i + 1] && j->column[e] == k;
            CHECK(here == (number != 0));
            if (here) CHECK(j->value[e] == number);
            e += here ? 1 : 0;
        }
        CHECK(e == j->row_begin[i + 1]);
    }
    CHECK(j->row_begin[a->rows] == j->entries);
}

static void set(dense *a, int row, int column) {
    if (row >= 0 && row < a->rows && column >= 0 && column < a->columns)
        a->cell[row * a->columns + column] = 1 + below(1000);
}

/* ---- shapes ---- */
static void test_band(void) {
    gw_sparse j = GW_SPARSE;
    for (int n = 1; n < 400; n += n < 5 ? 1 : 97)
        for (int reach = 0; reach < 8; reach++) {
            const decider kind = reach < 4 ? INTEGERS : NAMED;
            dense a = zeros(n, n);
            for (int i = 0; i < n; i++)
                for (int k = -reach; k <= reach; k++) set(&a, i, i + k);
            CHECK(jacobian(&a, &j, 4, kind, (unsigned)reach) == GW_OK && j.is_new);
            compare(&a, &j);
            if (n > 20) CHECK(j.runs == (2 * reach + 1 + 3) / 4 && !j.by_rows);
            CHECK(kind == NAMED ? a.pattern_runs == 1 : a.pattern_runs <= 4);
            for (int i = 0; i < n * n; i++) a.cell[i] *= 2;
            CHECK(jacobian(&a, &j, 4, kind, (unsigned)reach) == GW_OK && !j.is_new && !a.pattern_runs);
            compare(&a, &j);
            free(a.cell);
        }
    gw_sparse_free(&j);
}

static void test_arrow(void) {
    gw_sparse j = GW_SPARSE;
    for (int flip = 0; flip < 2; flip++) {
        dense a = zeros(200, 200);
        for (int i = 0; i < 200; i++) set(&a, i, i), flip ? set(&a, i, 3) : set(&a, 3, i);
        CHECK(jacobian(&a, &j, 4, NUMBERS, 1) == GW_OK && j.by_rows == !flip && j.runs == 1);
        compare(&a, &j);
        CHECK(a.value_runs == j.runs + j.by_rows); /* the last is for the values of the function */
        free(a.cell);
        gw_sparse_free(&j);
    }
}

static void test_random(void) {
    gw_sparse j = GW_SPARSE;
    for (int round = 0; round < 300; round++) {
        dense a = zeros((int)below(90), (int)below(180));
        const unsigned one_in = 1 + below(60);
        for (int i = 0; i < a.rows; i++)
            for (int k = 0; k < a.columns; k++)
                if (below(one_in) == 0) set(&a, i, k);
        const unsigned at_once = below(2) ? 4 : 1;
        CHECK(jacobian(&a, &j, at_once, NUMBERS, (unsigned)round) == GW_OK && j.is_new);
        compare(&a, &j);
        CHECK(jacobian(&a, &j, at_once, NUMBERS, (unsigned)round) == GW_OK && !j.is_new && a.pattern_runs == 1);
        compare(&a, &j);
        CHECK(a.value_runs >= 1);
        CHECK(jacobian(&a, &j, at_once, NAMED, (unsigned)round) == GW_OK && j.is_new);
        compare(&a, &j);
        free(a.cell);
    }
    gw_sparse_free(&j);
}

/* All entries: a colour each, and not the square of them for each row. */
static void test_full(void) {
    gw_sparse j = GW_SPARSE;
    dense a = zeros(1500, 300);
    for (int i = 0; i < a.rows; i++)
        for (int k = 0; k < a.columns; k++) set(&a, i, k);
    CHECK(jacobian(&a, &j, 4, NUMBERS, 1) == GW_OK && j.runs == 75 && a.pattern_runs < 32);
    compare(&a, &j);
    free(a.cell);
    gw_sparse_free(&j);
}

/* Two of 11, 3 and 1 columns a row, as in bundle adjustment: 15 colours, and few runs for 5,000 columns. */
static void test_bundle(void) {
    gw_sparse j = GW_SPARSE;
    dense a = zeros(2 * 600, 11 * 7 + 3 * 100 + 600);
    for (int i = 0; i < 600; i++)
        for (int k = 0; k < 2; k++) {
            const int camera = (int)below(7), point = (int)below(100);
            for (int c = 0; c < 11; c++) set(&a, 2 * i + k, 11 * camera + c);
            for (int c = 0; c < 3; c++) set(&a, 2 * i + k, 77 + 3 * point + c);
            set(&a, 2 * i + k, 377 + i);
        }
    CHECK(jacobian(&a, &j, 4, NUMBERS, 1) == GW_OK && j.runs == 4);
    CHECK(a.pattern_runs < 12); /* 16 by 64 columns each */
    compare(&a, &j);
    free(a.cell);
    gw_sparse_free(&j);
}

/* ---- ways ---- */
static void test_ways(void) {
    gw_sparse j = GW_SPARSE;
    dense a = zeros(30, 30);
    for (int i = 0; i < 30; i++) set(&a, i, i);
    CHECK(jacobian(&a, &j, 4, NUMBERS, 1) == GW_OK && j.is_new);
    set(&a, 3, 29);
    CHECK(jacobian(&a, &j, 4, NUMBERS, 2) == GW_OK && j.is_new);
    compare(&a, &j);
    /* A function that goes another way each time has no pattern; the handle can be used on. */
    const gw_sparse_form form = {300, 300, sizeof(double), 4, 4, true, false, 0};
    gw_status status = gw_sparse_begin(&j, &form);
    for (unsigned long long way = 0; status == GW_OK && gw_sparse_next_pattern(&j); way++) {
        memcpy(j.to, j.from, 300 * sizeof(unsigned long long));
        status = gw_sparse_take_pattern(&j, way);
    }
    CHECK(status == GW_ERROR_ARGUMENT && strstr(gw_last_error(), "another way") && !j.entries);
    CHECK(jacobian(&a, &j, 4, NUMBERS, 2) == GW_OK && j.is_new);
    compare(&a, &j);
    const gw_sparse_form large = {(size_t)1 << 31, 3, sizeof(double), 4, 4, true, false, 0};
    CHECK(gw_sparse_begin(&j, &large) == GW_ERROR_ARGUMENT && !j.entries);
    free(a.cell);
    gw_sparse_free(&j);
}

/* Each allocation in its turn: the call says so, and the next one is as if it had not been. */
static void test_memory(decider kind, long least) {
    gw_sparse j = GW_SPARSE;
    dense a = zeros(100, 200);
    long number = 0;
    for (int i = 0; i < 100; i++) set(&a, i, 2 * i), set(&a, i, (7 * i + 1) % 200);
    for (gw_status status = GW_ERROR_MEMORY; status != GW_OK; number++) {
        failing = number;
        status = jacobian(&a, &j, 4, kind, 1);
        CHECK(status == GW_OK ? failing >= 0 : status == GW_ERROR_MEMORY && !j.entries && !j.value);
        failing = -1;
        CHECK(jacobian(&a, &j, 4, kind, 1) == GW_OK && j.is_new == (status != GW_OK));
        compare(&a, &j);
        if (status != GW_OK) gw_sparse_free(&j);
    }
    CHECK(number > least);
    free(a.cell);
    gw_sparse_free(&j);
}

/* More names than a number counts: that is said before any is looked at. */
static void test_too_many(void) {
    gw_sparse j = GW_SPARSE;
    const gw_sparse_form form = {2, 2, sizeof(double), 4, 4, false, true, 1};
    CHECK(gw_sparse_begin(&j, &form) == GW_OK && gw_sparse_next_pattern(&j));
    gw_sparse_row(&j, 1);
    j.work->naming.columns = INT_MAX;
    CHECK(gw_sparse_take_pattern(&j, 1) == GW_ERROR_ARGUMENT && strstr(gw_last_error(), "too many entries"));
    CHECK(!j.work && !j.entries);
}

int main(void) {
    test_memory(NUMBERS, 20);
    test_memory(NAMED, 18);
    test_too_many();
    test_band();
    test_arrow();
    test_random();
    test_full();
    test_bundle();
    test_ways();
    return failures != 0;
}
