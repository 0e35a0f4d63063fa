/*
 * row_state.c - the arguments of a row's kernel: what they hold on entry, their seeds and directions, and their
 * memory on the device (contract: row_private.h).
 *
 * The random numbers are those of one generator, parameter by parameter, so that a kernel and its reference are
 * given the same; directions come from a copy of it.
 */
#include "row_private.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- kept bytes ---- */
typedef struct kept {
    struct kept *next;
    unsigned char bytes[];
} kept;
static kept *all_kept;

static void *room(size_t bytes) {
    void *memory = calloc(1, bytes + 1);
    if (!memory) fprintf(stderr, "check: no memory\n"), abort();
    return memory;
}

const void *gw_row_keep(const void *bytes, size_t size) {
    kept *one = room(sizeof *one + size);
    if (size) memcpy(one->bytes, bytes, size);
    one->next = all_kept;
    all_kept = one;
    return one->bytes;
}

static void forget_kept(void) {
    while (all_kept) {
        kept *next = all_kept->next;
        free(all_kept);
        all_kept = next;
    }
}

void gw_row_fail(const gw_row_state *s, const char *format, ...) {
    char why[500];
    va_list more;
    va_start(more, format);
    vsnprintf(why, sizeof why, format, more);
    va_end(more);
    s->test->fail(s->test->to, why);
}

/* ---- what stands in an argument ---- */
static const gw_row_type *type_of(const gw_row_state *s, size_t param) {
    const gw_row_type *type = s->kernel->params[param];
    return s->row->roles[param].content == GW_ROW_VALUE ? type : type->element;
}

/* Representable as float, so that a float and a double kernel can be given the same numbers. */
static double uniform(uint64_t *random, double low, double high) {
    return (double)(float)gw_check_uniform(random, low, high);
}

static void fill(const gw_row_role *role, const gw_row_type *type, unsigned char *bytes, uint64_t *random) {
    const double *list = role->values;
    for (size_t i = 0; i < role->count * type->cell_count; i++)
        gw_check_put(bytes + i / type->cell_count * type->size, &type->cells[i % type->cell_count],
                     list ? list[i] : uniform(random, role->low, role->high));
    if (!type->is_number || type->number.number == GW_CHECK_REAL) return;
    for (size_t i = 0; i < role->count; i++)
        gw_check_put(bytes + i * type->size, &type->number,
                     list ? list[i] : floor(uniform(random, role->low, role->high)));
}

static bool convert(const gw_row_role *role, const gw_row_type *type, unsigned char *bytes) {
    const unsigned char *value = role->values ? role->values : role->own;
    const bool numbers = type->is_number && role->type->is_number;
    if (role->type != type && numbers)
        gw_check_put(bytes, &type->number, gw_check_get(value, &role->type->number));
    else if (role->type->size == type->size)
        memcpy(bytes, value, type->size);
    else
        return false;
    return true;
}

static bool enter(gw_row_state *s, size_t param, uint64_t *random) {
    const gw_row_role *role = &s->row->roles[param];
    const gw_row_type *type = type_of(s, param);
    unsigned char *bytes = s->c.entry[param];
    if (role->content == GW_ROW_VALUE) return convert(role, type, bytes);
    if (role->content != GW_ROW_GIVEN) {
        fill(role, type, bytes, random);
        return true;
    }
    if (role->type != type) return false;
    memcpy(bytes, role->values, role->count * type->size);
    return true;
}

/* ---- places ---- */
static void add_seeds(gw_row_state *s, size_t first, size_t count, bool is_fresh, uint64_t *random) {
    for (size_t i = first; i < first + count; i++) {
        const double size = uniform(random, 0.25, 1.75), sign = gw_check_random(random) & 1 ? 1 : -1;
        s->c.seeds[i] = is_fresh ? 0 : size * sign;
    }
    uint64_t other = *random; /* the primal's numbers are as they would be without a direction */
    for (size_t i = first; i < first + count; i++)
        s->direction[i] = uniform(&other, -1.5, 1.5);
}

size_t gw_row_first(const gw_row_state *s, size_t param) {
    size_t i = 0;
    while (i < s->c.count && s->c.places[i].param < param)
        i++;
    return i;
}

double *gw_row_numbers(const gw_row_state *s) { return room(s->c.count * sizeof(double)); }

unsigned char **gw_row_shadows(const gw_row_state *s, size_t times) {
    unsigned char **shadows = room(s->f.count * sizeof *shadows);
    for (size_t i = 0; i < s->f.count; i++)
        if (s->f.params[i].named) shadows[i] = gw_row_allocate(times * gw_check_bytes(&s->f.params[i]));
    return shadows;
}

void gw_row_free_shadows(const gw_row_state *s, unsigned char **shadows) {
    for (size_t i = 0; i < s->f.count; i++)
        gw_row_free(shadows[i]);
    free(shadows);
}

gw_row_bytes gw_row_make_bytes(size_t size) { return (gw_row_bytes){gw_row_allocate(size), size}; }

void gw_row_put_seeds(gw_row_state *s) {
    enum { NO_NUMBER = 0xFF };
    gw_check_put_shadows(&s->c, s->c.seeds);
    for (size_t i = 0; i < s->f.count; i++)
        if (s->row->roles[i].is_fresh) gw_row_fill(s->c.shadows[i], NO_NUMBER, gw_check_bytes(&s->f.params[i]));
}

static bool describe(gw_row_state *s, size_t param) {
    const gw_row_role *role = &s->row->roles[param];
    const gw_row_type *type = type_of(s, param);
    gw_check_param *p = &s->f.params[param];
    if (!type || !type->size) return false;
    const bool by_value = role->content == GW_ROW_VALUE;
    *p = (gw_check_param){.role = by_value ? GW_CHECK_VALUE : GW_CHECK_ARRAY,
                          .named = role->named,
                          .element = type->size,
                          .cells = type->cells,
                          .cell_count = type->cell_count,
                          .count = by_value ? 1 : role->count};
    s->c.entry[param] = room(gw_check_bytes(p));
    p->data = by_value ? room(type->size) : gw_row_allocate(gw_check_bytes(p));
    return true;
}

static bool enter_all(gw_row_state *s) {
    uint64_t random = 42;
    for (size_t i = 0; i < s->f.count; i++) {
        if (!enter(s, i, &random)) {
            gw_row_fail(s, "argument %zu is of another type than the kernel's parameter", i);
            return false;
        }
        const gw_check_param *p = &s->f.params[i];
        const bool is_fresh = s->row->roles[i].is_fresh;
        if (p->named) add_seeds(s, gw_row_first(s, i), p->count * p->cell_count, is_fresh, &random);
    }
    return true;
}

/* Enters what stands for the tangent of arguments by value. */
static void enter_along(gw_row_state *s) {
    for (size_t i = 0, at = 0; i < s->f.count; i++) {
        const gw_check_param *p = &s->f.params[i];
        if (!p->named) continue;
        if (p->role == GW_CHECK_VALUE) s->along[i] = room(p->element);
        for (; at < s->c.count && s->c.places[at].param == i; at++)
            if (s->along[i]) gw_check_put(s->along[i], &p->cells[s->c.places[at].cell], s->direction[at]);
    }
}

bool gw_row_begin(gw_row_state *s, const gw_row *row, const gw_row_function *kernel, const gw_row_test *test) {
    *s = (gw_row_state){.row = row, .kernel = kernel, .test = test, .is_single = row->tolerance > 1e-7};
    if (kernel->count != row->count) {
        gw_row_fail(s, "%zu roles for %zu parameters of the kernel", row->count, kernel->count);
        return false;
    }
    s->f = (gw_check_function){.params = room(row->count * sizeof *s->f.params), .count = row->count};
    s->c.f = &s->f;
    s->c.copy = gw_row_copy;
    s->c.entry = room(row->count * sizeof *s->c.entry);
    s->along = room(row->count * sizeof *s->along);
    for (size_t i = 0; i < row->count; i++)
        if (!describe(s, i)) {
            gw_row_fail(s, "argument %zu is an array, and the kernel's parameter no pointer to one", i);
            return false;
        }
    if (!gw_check_find_places(&s->c)) fprintf(stderr, "check: no memory\n"), abort();
    s->c.seeds = gw_row_numbers(s), s->c.values = gw_row_numbers(s), s->direction = gw_row_numbers(s);
    s->c.shadows = gw_row_shadows(s, 1);
    if (!enter_all(s)) return false;
    enter_along(s);
    gw_check_restore(&s->c);
    gw_check_get_values(&s->c, s->c.values);
    return true;
}

void gw_row_end(gw_row_state *s) {
    for (size_t i = 0; i < s->f.count; i++) {
        if (s->f.params[i].role == GW_CHECK_VALUE)
            free(s->f.params[i].data);
        else
            gw_row_free(s->f.params[i].data);
        free(s->c.entry[i]), free(s->along[i]);
    }
    if (s->c.shadows) gw_row_free_shadows(s, s->c.shadows);
    free(s->c.entry), free(s->c.places), free(s->c.mirror), free(s->c.seeds), free(s->c.values);
    free(s->direction), free(s->along), free(s->f.params);
    forget_kept();
}
