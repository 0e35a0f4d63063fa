/* random_host.c - see random_host.h. */
#include "random_host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct trial {
    const host_case *of;
    unsigned char **entry, **values,
        **adjoints;     /* of each argument: bytes on entry, of a call, of its adjoint */
    double *seeds;      /* of all active cells, one after another */
    double result_seed; /* of the value returned; a gradient's is 1 */
    size_t cells;       /* how many are active */
    size_t kinks;
    int failures;
    uint64_t random;
} trial;

static uint64_t next(trial *t) {
    uint64_t z = t->random += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static double uniform(trial *t, double low, double high) {
    return low + (high - low) * (double)(next(t) >> 11) * 0x1p-53;
}

static double get(const unsigned char *at, size_t size) {
    float narrow;
    double value;
    long double wide;
    if (size == sizeof narrow) return memcpy(&narrow, at, size), (double)narrow;
    if (size == sizeof value) return memcpy(&value, at, size), value;
    return memcpy(&wide, at, sizeof wide), (double)wide;
}

static void set(unsigned char *at, size_t size, double value) {
    float narrow = (float)value;
    long double wide = value;
    if (size == sizeof narrow)
        memcpy(at, &narrow, size);
    else if (size == sizeof value)
        memcpy(at, &value, size);
    else
        memcpy(at, &wide, sizeof wide);
}

static size_t cells_of(const host_argument *a) { return a->count * (size_t)a->cell_count; }

static unsigned char *place(const host_argument *a, unsigned char *bytes, size_t i) {
    size_t inside = (size_t)a->cell_count;
    return bytes + i / inside * a->element + a->cells[i % inside].offset;
}

static size_t size_of(const host_argument *a, size_t i) { return a->cells[i % (size_t)a->cell_count].size; }

/* ---- making and ending ---- */

static void fill(trial *t, const host_argument *a, unsigned char *bytes) {
    if (a->initial)
        memcpy(bytes, a->initial, a->element * a->count);
    else
        for (size_t i = 0; i < cells_of(a); i++) {
            double value = uniform(t, a->low, a->high);
            set(place(a, bytes, i), size_of(a, i),
                (double)(float)value); /* the same number in all precisions */
        }
}

static void *zeroed(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) exit(3);
    return memory;
}

static trial begin(const host_case *c) {
    trial t = {.of = c, .random = c->seed, .result_seed = 1};
    size_t count = (size_t)c->count;
    t.entry = zeroed(3 * count, sizeof *t.entry);
    t.values = t.entry + count;
    t.adjoints = t.values + count;
    for (size_t k = 0; k < count; k++) {
        const host_argument *a = &c->arguments[k];
        t.entry[k] = zeroed(a->count, a->element);
        t.values[k] = zeroed(a->count, a->element);
        fill(&t, a, t.entry[k]);
        if (!a->active) continue;
        t.adjoints[k] = zeroed(a->count, a->element);
        t.cells += cells_of(a);
    }
    t.seeds = zeroed(t.cells, sizeof *t.seeds);
    for (size_t i = 0; i < t.cells; i++)
        t.seeds[i] = (double)(float)(uniform(&t, 0.25, 1.75) * (next(&t) & 1 ? 1 : -1));
    return t;
}

static void end(trial *t) {
    for (int k = 0; k < t->of->count; k++) {
        free(t->entry[k]);
        free(t->values[k]);
        free(t->adjoints[k]);
    }
    free(t->entry);
    free(t->seeds);
}

static void enter(trial *t) {
    for (int k = 0; k < t->of->count; k++)
        memcpy(t->values[k], t->entry[k], t->of->arguments[k].element * t->of->arguments[k].count);
}

/* ---- active cells as one array ---- */

static void read_cells(const trial *t, unsigned char **from, double *into) {
    for (int k = 0; k < t->of->count; k++) {
        const host_argument *a = &t->of->arguments[k];
        if (a->active)
            for (size_t i = 0; i < cells_of(a); i++)
                *into++ = get(place(a, from[k], i), size_of(a, i));
    }
}

static void write_cells(const trial *t, unsigned char **into, const double *from) {
    for (int k = 0; k < t->of->count; k++) {
        const host_argument *a = &t->of->arguments[k];
        if (!a->active) continue;
        memset(into[k], 0, a->element * a->count);
        for (size_t i = 0; i < cells_of(a); i++)
            set(place(a, into[k], i), size_of(a, i), *from++);
    }
}

/* As write_cells, but leaves what lies between the cells. */
static void move_cells(const trial *t, unsigned char **into, const double *from) {
    for (int k = 0; k < t->of->count; k++) {
        const host_argument *a = &t->of->arguments[k];
        for (size_t i = 0; a->active && i < cells_of(a); i++)
            set(place(a, into[k], i), size_of(a, i), *from++);
    }
}

/* The primal's named cells on exit, and what it returns. */
static void exit_values(trial *t, double *into) {
    double result = 0;
    enter(t);
    t->of->primal((void **)t->values, &result);
    read_cells(t, t->values, into);
    into[t->cells] = result;
}

/* ---- the gradient and differences ---- */

static bool near(double a, double b, double tolerance, double least) {
    double size = fmax(fmax(fabs(a), fabs(b)), least);
    return fabs(a - b) <= tolerance * size;
}

static void fail(trial *t, const char *text) {
    printf("%s: %s\n", t->of->name, text);
    t->failures++;
}

static void check_entry_bytes(trial *t, const char *after) {
    for (int k = 0; k < t->of->count; k++)
        if (memcmp(t->values[k], t->entry[k], t->of->arguments[k].element * t->of->arguments[k].count) != 0) {
            fail(t, after);
            return;
        }
}

/* The adjoints on exit; false: the gradient reported an error. */
static bool run_gradient(trial *t, double *got) {
    enter(t);
    write_cells(t, t->adjoints, t->seeds);
    int status = t->of->gradient((void **)t->values, (void **)t->adjoints);
    if (status != 0) fail(t, "status: the gradient reports an error");
    check_entry_bytes(t, "the primal's bytes are changed by the gradient");
    read_cells(t, t->adjoints, got);
    return status == 0;
}

typedef struct probe {
    trial *t;
    const host_argument *a;
    int argument;
    size_t cell;
    double at, *high, *low;
} probe;

static double difference(probe *p, double up, double down) {
    trial *t = p->t;
    unsigned char *bytes = place(p->a, t->entry[p->argument], p->cell);
    size_t size = size_of(p->a, p->cell);
    double sum = 0;
    set(bytes, size, p->at + up);
    exit_values(t, p->high);
    set(bytes, size, p->at + down);
    exit_values(t, p->low);
    set(bytes, size, p->at);
    for (size_t i = 0; i < t->cells; i++)
        sum += t->seeds[i] * (p->high[i] - p->low[i]);
    return sum + (t->of->returns ? t->result_seed * (p->high[t->cells] - p->low[t->cells]) : 0);
}

static double five_point(probe *p, double h) {
    return (8 * difference(p, h, -h) - difference(p, 2 * h, -2 * h)) / (12 * h);
}

static double one_sided(probe *p, double h) {
    return (4 * difference(p, h, 0) - difference(p, 2 * h, 0)) / (2 * h);
}

static double step_of(double x, int bits) { return ldexp(1, ilogb(fmax(fabs(x), 0.125)) - bits); }

typedef enum verdict { RIGHT, AT_KINK, WRONG } verdict;

static verdict judge(probe *p, double got, double *want) {
    *want = five_point(p, step_of(p->at, 12));
    if (near(got, *want, 1e-7, 1e-2)) return RIGHT;
    for (int bits = 16; bits <= 24; bits += 4)
        if (near(got, five_point(p, step_of(p->at, bits)), bits == 24 ? 1e-5 : 1e-6, 1e-2)) return RIGHT;
    for (int bits = 13; bits <= 21; bits += 4) {
        double h = step_of(p->at, bits), above = one_sided(p, h), below = one_sided(p, -h);
        bool meets = near(got, above, 1e-5, 1e-2) || near(got, below, 1e-5, 1e-2);
        if (meets && !near(above, below, 1e-4, 1e-2)) return AT_KINK;
    }
    return WRONG;
}

static void check_differences(trial *t, const double *got) {
    double *high = zeroed(2 * (t->cells + 1), sizeof *high);
    for (int k = 0; k < t->of->count; k++) {
        const host_argument *a = &t->of->arguments[k];
        for (size_t i = 0; a->active && i < cells_of(a); i++, got++) {
            double at = get(place(a, t->entry[k], i), size_of(a, i)), want;
            probe p = {t, a, k, i, at, high, high + t->cells + 1};
            verdict v = judge(&p, *got, &want);
            t->kinks += v == AT_KINK;
            if (v != WRONG) continue;
            char text[128];
            snprintf(text, sizeof text, "adjoint of parameter %d, cell %zu is %.10g, not %.10g", k, i, *got,
                     want);
            fail(t, text);
        }
    }
    free(high);
}

/* ---- forward mode ---- */

/* One forward sweep along v: what the named cells and the result move by. The values are the primal's. */
static void run_forward(trial *t, const double *v, double *moved, double tolerance) {
    double *values = zeroed(2 * (t->cells + 1), sizeof *values), *want = values + t->cells + 1, result = 0;
    exit_values(t, want);
    enter(t);
    write_cells(t, t->adjoints, v);
    t->of->forward((void **)t->values, (void **)t->adjoints, &result, &moved[t->cells]);
    read_cells(t, t->adjoints, moved);
    read_cells(t, t->values, values);
    values[t->cells] = result;
    for (size_t i = 0; i < t->cells + t->of->returns; i++)
        if (!near(values[i], want[i], tolerance, 1)) {
            fail(t, "forward mode computes another value");
            break;
        }
    free(values);
}

/* An argument's blocks: what stands in an element, once for each direction. */
static unsigned char *block_place(const host_argument *a, unsigned char *blocks, size_t i, int lane) {
    size_t inside = (size_t)a->cell_count, at = i / inside * HOST_DIRECTIONS + (size_t)lane;
    return blocks + at * a->element + a->cells[i % inside].offset;
}

/* Several directions at once, multiples of v by powers of 2: each gives that multiple of what v alone gives. */
static void check_several(trial *t, const double *v, const double *moved, double tolerance) {
    static const double scale[HOST_DIRECTIONS] = {1, -2, 0.5};
    const host_case *c = t->of;
    unsigned char **blocks = zeroed((size_t)c->count, sizeof *blocks);
    double result = 0, returned[HOST_DIRECTIONS] = {0}, size = 1;
    size_t n = 0;
    for (size_t i = 0; i < t->cells + c->returns; i++) size = fmax(size, fabs(moved[i]));
    for (int k = 0; k < c->count; k++) {
        const host_argument *a = &c->arguments[k];
        blocks[k] = zeroed(HOST_DIRECTIONS * a->count, a->element);
        for (size_t i = 0; a->active && i < cells_of(a); i++, n++)
            for (int lane = 0; lane < HOST_DIRECTIONS; lane++)
                set(block_place(a, blocks[k], i, lane), size_of(a, i), v[n] * scale[lane]);
    }
    enter(t);
    c->several((void **)t->values, (void **)blocks, &result, returned);
    n = 0;
    bool good = isfinite(size);
    for (int k = 0; k < c->count; k++) {
        const host_argument *a = &c->arguments[k];
        for (size_t i = 0; a->active && i < cells_of(a); i++, n++)
            for (int lane = 0; lane < HOST_DIRECTIONS; lane++)
                good &= near(get(block_place(a, blocks[k], i, lane), size_of(a, i)) / scale[lane], moved[n],
                             tolerance, size);
        free(blocks[k]);
    }
    for (int lane = 0; c->returns && lane < HOST_DIRECTIONS; lane++)
        good &= near(returned[lane] / scale[lane], moved[n], tolerance, size);
    if (!good && isfinite(size)) fail(t, "several directions at once differ from one");
    free(blocks);
}

/* <s, moved>, and the sum of the terms' sizes. */
static double weighed(const trial *t, const double *moved, double *size) {
    double sum = 0;
    for (size_t i = 0; i < t->cells; i++) {
        sum += t->seeds[i] * moved[i];
        *size += fabs(t->seeds[i] * moved[i]);
    }
    return sum + (t->of->returns ? t->result_seed * moved[t->cells] : 0);
}

/* Weights of L at the entry values plus -2h .. 2h times v, whose sum over 12 h is the derivative: from both
 * sides, from one. */
typedef struct stencil {
    double weights[5];
} stencil;
static const stencil both_sides = {{1, -8, 0, 8, -1}}, above = {{0, 0, -18, 24, -6}},
                     below = {{6, -24, 18, 0, 0}};

/* The difference of L along v for the step h. */
static double along(trial *t, const double *v, double h, const stencil *s) {
    double *values = zeroed(t->cells + 1, sizeof *values), *entry = zeroed(2 * t->cells, sizeof *entry),
           sum = 0;
    double *moved = entry + t->cells, size = 0;
    read_cells(t, t->entry, entry);
    for (int k = 0; k < 5; k++) {
        if (s->weights[k] == 0) continue;
        for (size_t i = 0; i < t->cells; i++)
            moved[i] = entry[i] + (k - 2) * h * v[i];
        move_cells(t, t->entry, moved);
        exit_values(t, values);
        sum += s->weights[k] * weighed(t, values, &size);
    }
    move_cells(t, t->entry, entry);
    free(values);
    free(entry);
    return sum / (12 * h);
}

static void check_along(trial *t, const double *v, double forward, double size) {
    double want = 0, least = fmax(size, 1);
    for (int bits = 12; bits <= 24; bits += 4) {
        want = along(t, v, ldexp(1, -bits), &both_sides);
        if (fabs(forward - want) <= (bits == 24 ? 1e-5 : 1e-6) * least) return;
    }
    for (int bits = 13; bits <= 21; bits += 4) {
        double up = along(t, v, ldexp(1, -bits), &above), down = along(t, v, ldexp(1, -bits), &below);
        bool meets = fabs(forward - up) <= 1e-5 * least || fabs(forward - down) <= 1e-5 * least;
        if (meets && fabs(up - down) > 1e-4 * least) {
            t->kinks++;
            return;
        }
    }
    char text[128];
    snprintf(text, sizeof text, "forward mode gives %.10g, not %.10g", forward, want);
    fail(t, text);
}

/* With a gradient, <s, J v> = <J^T s, v> for a random v; without one, J v against differences along v. */
static void check_forward(trial *t, const double *got) {
    double *v = zeroed(2 * t->cells + 1, sizeof *v), *moved = v + t->cells, reverse = 0, size = 0;
    double tolerance = t->of->wide ? 1e-4 : 1e-10;
    for (size_t i = 0; i < t->cells; i++)
        v[i] = (double)(float)uniform(t, -1, 1);
    run_forward(t, v, moved, tolerance);
    if (t->of->several) check_several(t, v, moved, tolerance);
    double forward = weighed(t, moved, &size);
    for (size_t i = 0; got && i < t->cells; i++) {
        reverse += got[i] * v[i];
        size += fabs(got[i] * v[i]);
    }
    char text[128];
    snprintf(text, sizeof text, "forward mode differs from reverse mode: %.10g, %.10g", forward, reverse);
    if (!got)
        check_along(t, v, forward, size);
    else if (!(fabs(forward - reverse) <= tolerance * fmax(size, 1)))
        fail(t, text);
    free(v);
}

/* ---- a case ---- */

static bool finite_values(trial *t) {
    double *values = zeroed(t->cells + 1, sizeof *values);
    bool finite = true;
    exit_values(t, values);
    for (size_t i = 0; i <= t->cells; i++)
        finite = finite && isfinite(values[i]);
    free(values);
    return finite;
}

static void compare_with_wide(trial *t, const double *got) {
    trial wide = begin(t->of->wide);
    double *want = zeroed(wide.cells, sizeof *want);
    if (run_gradient(&wide, want))
        for (size_t i = 0; i < t->cells; i++)
            if (!near(got[i], want[i], 1e-3, 1e-1)) {
                char text[128];
                snprintf(text, sizeof text, "adjoint of cell %zu is %.10g, but in double %.10g", i, got[i],
                         want[i]);
                fail(t, text);
            }
    t->failures += wide.failures;
    free(want);
    end(&wide);
}

static const char *check(trial *t) {
    if (!finite_values(t)) return "unusable";
    double *got = zeroed(t->cells, sizeof *got);
    if (!t->of->gradient)
        check_forward(t, NULL);
    else if (run_gradient(t, got)) {
        if (t->of->wide)
            compare_with_wide(t, got);
        else
            check_differences(t, got);
        check_forward(t, got);
    }
    free(got);
    return t->failures ? "FAIL" : "ok";
}

int host_run(const host_case *const *cases, int count, int argc, char **argv) {
    for (int k = argc > 1 ? atoi(argv[1]) : 0; k < count; k++) {
        printf("begin %d %s\n", k, cases[k]->name);
        fflush(stdout);
        trial t = begin(cases[k]);
        const char *result = check(&t);
        printf("end %s %s %zu %zu\n", cases[k]->name, result, cases[k]->wide ? 0 : t.cells, t.kinks);
        fflush(stdout);
        end(&t);
    }
    return 0;
}
