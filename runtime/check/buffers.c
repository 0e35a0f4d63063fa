/*
 * buffers.c - the memory of parameters and their shadows, with guards around it, and what it holds before a run
 * (contract: check_private.h).
 *
 * Guards are of 0xFF: NaN to whoever reads a floating-point number there, -1 as an integer.
 */
#include "check_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 4096, GUARD_BYTE = 0xFF, USUAL_COUNT = 256, USUAL_INTEGER = 16 };

static size_t guard_of(const gw_check_param *p) { return GUARD + gw_check_bytes(p) / GUARD * GUARD; }

static bool fail(gw_check *c, const char *cell, const char *words) {
    gw_check_say(c, "inputs", "fail", cell, words);
    return false;
}

static unsigned char *guarded(gw_check *c, const gw_check_param *p) {
    const size_t guard = guard_of(p), bytes = gw_check_bytes(p);
    if (p->count && bytes / p->count != p->element) return NULL;
    unsigned char *memory = c->device->allocate(bytes + 2 * guard);
    if (!memory) return NULL;
    memset(memory, GUARD_BYTE, bytes + 2 * guard);
    return memory + guard;
}

/* ---- contents ---- */
static FILE *input_of(const gw_check *c, const gw_check_param *p, uint64_t *count) {
    char path[4096];
    if (!*c->inputs) return NULL;
    snprintf(path, sizeof path, "%s/%s.%s", c->inputs, c->f->name, p->name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        snprintf(path, sizeof path, "%s/%s", c->inputs, p->name);
        file = fopen(path, "rb");
    }
    if (file && fread(count, sizeof *count, 1, file) != 1) *count = 0;
    return file;
}

static bool read_input(gw_check *c, gw_check_param *p, FILE *file, uint64_t count) {
    const uint64_t wanted = (uint64_t)p->count * p->cell_count;
    char words[160];
    snprintf(words, sizeof words, "--inputs has %llu numbers for it, %llu are wanted",
             (unsigned long long)count, (unsigned long long)wanted);
    bool good = count == wanted || fail(c, p->name, words);
    for (uint64_t i = 0; good && i < count; i++) {
        double value;
        good = fread(&value, sizeof value, 1, file) == 1;
        if (good) gw_check_put(p->data + i / p->cell_count * p->element, &p->cells[i % p->cell_count], value);
    }
    return good;
}

static void shuffle(gw_check *c, gw_check_param *p) {
    for (size_t i = 0; i < p->count; i++)
        gw_check_put(p->data + i * p->element, p->cells, (double)i);
    for (size_t i = p->count; i > 1; i--) {
        unsigned char *a = p->data + (i - 1) * p->element,
                      *b = p->data + gw_check_random(&c->random) % i * p->element;
        const double x = gw_check_get(a, p->cells), y = gw_check_get(b, p->cells);
        gw_check_put(a, p->cells, y);
        gw_check_put(b, p->cells, x);
    }
}

/* Steps of 0 to 2 from number to number: sorted, or ranges that follow each other. */
static void ascend(gw_check *c, gw_check_param *p) {
    double at = 0;
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; k < p->cell_count; k++) {
            gw_check_put(p->data + i * p->element, &p->cells[k], at);
            const bool between = p->content == GW_CHECK_RANGES && k == 1;
            if (!between) at += (double)(gw_check_random(&c->random) % 3);
        }
}

static double any_number(gw_check *c, const gw_check_param *p, const gw_check_cell *cell) {
    if (cell->number == GW_CHECK_REAL)
        return cell->has_range ? gw_check_uniform(&c->random, cell->low, cell->high)
                               : gw_check_uniform(&c->random, 0.5, 1.5);
    if (cell->has_range) return floor(gw_check_uniform(&c->random, cell->low, cell->high + 1));
    if (cell->number == GW_CHECK_BOOL) return 1;
    if (p->role == GW_CHECK_VALUE) return USUAL_INTEGER;
    return (double)(gw_check_random(&c->random) % USUAL_INTEGER);
}

static void fill(gw_check *c, gw_check_param *p) {
    memset(p->data, 0, gw_check_bytes(p));
    if (p->content == GW_CHECK_INJECTIVE && p->cell_count == 1 && !p->cells->has_range) {
        shuffle(c, p);
        return;
    }
    if (p->content >= GW_CHECK_SORTED && !p->cells->has_range) {
        ascend(c, p);
        return;
    }
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; k < p->cell_count; k++)
            gw_check_put(p->data + i * p->element, &p->cells[k], any_number(c, p, &p->cells[k]));
}

static bool no_memory(gw_check *c, const gw_check_param *p) {
    const char *why = c->device->finish();
    return fail(c, p->name, why ? why : "no memory for it");
}

static bool begin(gw_check *c, size_t at) {
    gw_check_param *p = &c->f->params[at];
    uint64_t count = 0;
    FILE *file = input_of(c, p, &count);
    if (p->role == GW_CHECK_ARRAY && !p->count)
        p->count = file && p->cell_count ? (size_t)(count / p->cell_count) : USUAL_COUNT;
    p->data = guarded(c, p);
    bool good = p->data != NULL || no_memory(c, p);
    if (good) fill(c, p);
    if (good && file) good = read_input(c, p, file, count);
    if (file) fclose(file);
    return good;
}

/* Values first: the sizes of arrays follow from them. */
static bool begin_all(gw_check *c) {
    for (size_t i = 0; i < c->f->count; i++) {
        gw_check_param *p = &c->f->params[i];
        p->count = p->role != GW_CHECK_ARRAY;
        p->data = p->shadow = NULL;
    }
    for (size_t i = 0; i < c->f->count; i++)
        if (c->f->params[i].role != GW_CHECK_ARRAY && !begin(c, i)) return false;
    c->f->set(c->f->params);
    c->f->size(c->f->params);
    for (size_t i = 0; i < c->f->count; i++)
        if (c->f->params[i].role == GW_CHECK_ARRAY && !begin(c, i)) return false;
    return true;
}

/* The greatest value that the place's member has in any element: what its steps are a share of. */
static double scale_of(const gw_check *c, size_t place) {
    const gw_check_place *own = &c->places[place];
    double most = 0;
    for (size_t i = 0; i < c->count; i++)
        if (c->places[i].param == own->param && c->places[i].cell == own->cell)
            most = fmax(most, fabs(c->values[i]));
    return most > 0 && isfinite(most) ? most : 1;
}

/* The first element's cells have the scales of all. */
static double scale_from(const gw_check *c, size_t place, size_t first) {
    const gw_check_place *own = &c->places[place];
    if (own->element == 0) return scale_of(c, place);
    while (c->places[first].cell != own->cell)
        first++;
    return c->scale[first];
}

static bool find_numbers(gw_check *c) {
    double **const arrays[] = {&c->seeds, &c->scale,  &c->values, &c->gradient, &c->above,
                               &c->below, &c->middle, &c->noise,  &c->even};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i] = calloc(c->count + 1, sizeof **arrays[i]))) return false;
    c->excluded = calloc(c->count + 1, sizeof *c->excluded);
    gw_check_get_values(c, c->values);
    size_t first = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (c->places[i].param != c->places[first].param) first = i;
        const bool is_one = gw_check_param_at(c, i)->role == GW_CHECK_RESULT && c->f->seed_is_one;
        const double sign = gw_check_random(&c->random) & 1 ? 1 : -1;
        c->scale[i] = scale_from(c, i, first);
        c->seeds[i] = sign * (double)(float)gw_check_uniform(&c->random, 0.25, 1.75);
        if (is_one) c->seeds[i] = 1;
    }
    return c->excluded != NULL;
}

bool gw_check_prepare(gw_check *c) {
    c->random = c->seed;
    c->entry = calloc(c->f->count + 1, sizeof *c->entry);
    c->added = calloc(c->f->count + 1, sizeof *c->added);
    c->shadows = calloc(c->f->count + 1, sizeof *c->shadows);
    if (!c->entry || !c->added || !c->shadows || !begin_all(c)) return false;
    for (size_t i = 0; i < c->f->count; i++) {
        gw_check_param *p = &c->f->params[i];
        c->entry[i] = malloc(gw_check_bytes(p) + 1);
        c->shadows[i] = p->shadow = p->named ? guarded(c, p) : NULL;
        if (!c->entry[i] || (p->named && !p->shadow)) return no_memory(c, p);
        memcpy(c->entry[i], p->data, gw_check_bytes(p));
    }
    if (!gw_check_find_places(c) || !find_numbers(c)) return fail(c, "", "no memory");
    return c->count > 0 || fail(c, "", "none of the named parameters has a real number");
}

void gw_check_release(gw_check *c) {
    for (size_t i = 0; i < c->f->count; i++) {
        gw_check_param *p = &c->f->params[i];
        if (p->data) c->device->release(p->data - guard_of(p));
        if (p->shadow) c->device->release(p->shadow - guard_of(p));
        if (c->entry) free(c->entry[i]);
    }
    double *const arrays[] = {c->seeds, c->scale,  c->values, c->gradient, c->above,
                              c->below, c->middle, c->noise,  c->even};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(c->entry), free(c->added), free(c->places), free(c->excluded), free(c->shadows), free(c->mirror);
}

/* ---- behind a run ---- */
/* The first byte of a guard that has changed, from where the parameter begins; 0: none. */
static ptrdiff_t broken_guard(const gw_check_param *p, const unsigned char *memory) {
    const ptrdiff_t guard = (ptrdiff_t)guard_of(p), bytes = (ptrdiff_t)gw_check_bytes(p);
    for (ptrdiff_t i = bytes; i < bytes + guard; i++)
        if (memory[i] != GUARD_BYTE) return i;
    for (ptrdiff_t i = -1; i >= -guard; i--)
        if (memory[i] != GUARD_BYTE) return i;
    return 0;
}

static bool guard_holds(gw_check *c, const gw_check_param *p, const unsigned char *memory, const char *prefix,
                        const char *what) {
    const ptrdiff_t size = (ptrdiff_t)p->element, at = memory ? broken_guard(p, memory) : 0;
    char cell[GW_CHECK_NAME], words[200];
    if (!at) return true;
    const ptrdiff_t index = at >= 0 ? at / size : (at - size + 1) / size;
    snprintf(cell, sizeof cell, "%s%s[%td]", prefix, p->name, index);
    snprintf(words, sizeof words, "the %s writes outside of it: it has %zu element%s", what, p->count,
             p->count == 1 ? "" : "s");
    gw_check_say(c, "bounds", "fail", cell, words);
    return false;
}

bool gw_check_guards(gw_check *c, const char *what) {
    bool good = true;
    for (size_t i = 0; good && i < c->f->count; i++) {
        const gw_check_param *p = &c->f->params[i];
        good = guard_holds(c, p, p->data, "", what) && guard_holds(c, p, p->shadow, "d_", what);
    }
    return good;
}

bool gw_check_unchanged(gw_check *c, const char *what) {
    size_t at;
    const size_t changed = gw_check_changed(c, 0, &at);
    if (changed == c->f->count) return true;
    const gw_check_param *p = &c->f->params[changed];
    char cell[GW_CHECK_NAME], words[120];
    snprintf(cell, sizeof cell, "%s[%zu]", p->name, at / p->element);
    snprintf(words, sizeof words, "the %s changes it", what);
    gw_check_say(c, "primal bytes", "fail", cell, words);
    return false;
}

bool gw_check_run(gw_check *c, gw_check_call *call, const char *what) {
    gw_check_begin(c, what);
    const char *error = call(c->f->params), *later = c->device->finish();
    if (!error) error = later;
    if (error) gw_check_say(c, what, "fail", "", error);
    return !error && gw_check_guards(c, what);
}
