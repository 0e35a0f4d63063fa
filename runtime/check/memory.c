/*
 * memory.c - the numbers of a function's parameters and shadows, where they lie and how they get there: shared
 * by harnesses of gwcheck and by rows (contract: check_private.h).
 *
 * What the host cannot read is copied into a mirror first.
 */
#include "check_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t gw_check_bytes(const gw_check_param *p) { return p->count * p->element; }

/* ---- places ---- */
static bool is_active(const gw_check_param *p, size_t cell) {
    return p->named && p->cells[cell].active && p->cells[cell].number == GW_CHECK_REAL;
}

bool gw_check_find_places(gw_check *c) {
    size_t most = 1, largest = 1;
    for (size_t i = 0; i < c->f->count; i++) {
        most += c->f->params[i].count * c->f->params[i].cell_count;
        const size_t bytes = gw_check_bytes(&c->f->params[i]);
        if (bytes > largest) largest = bytes;
    }
    c->places = calloc(most, sizeof *c->places);
    c->mirror = malloc(largest);
    c->epsilon = 0;
    for (size_t i = 0; c->places && i < c->f->count; i++) {
        const gw_check_param *p = &c->f->params[i];
        for (size_t e = 0; e < p->count; e++)
            for (size_t k = 0; k < p->cell_count; k++)
                if (is_active(p, k)) {
                    c->places[c->count++] = (gw_check_place){i, e, k};
                    c->epsilon = fmax(c->epsilon, gw_check_epsilon(&p->cells[k]));
                }
    }
    return c->places && c->mirror;
}

/* ---- to memory and back ---- */
static void write_bytes(const gw_check *c, void *to, const void *from, size_t bytes) {
    if (!bytes) return;
    if (c->copy)
        c->copy(to, from, bytes);
    else
        memcpy(to, from, bytes);
}

/* Bytes of a parameter or shadow, where the host reads them. */
static unsigned char *read_bytes(const gw_check *c, const unsigned char *from, size_t bytes) {
    if (!c->copy) return (unsigned char *)(uintptr_t)from;
    if (bytes) c->copy(c->mirror, from, bytes);
    return c->mirror;
}

/* One that is passed by value is the host's wherever the others are. */
static bool is_of_host(const gw_check *c, const gw_check_param *p) {
    return !c->copy || p->role != GW_CHECK_ARRAY;
}

static size_t put_places(const gw_check *c, size_t from, size_t param, const double *numbers,
                         unsigned char *bytes) {
    const gw_check_param *p = &c->f->params[param];
    for (; from < c->count && c->places[from].param == param; from++)
        gw_check_put(bytes + c->places[from].element * p->element, &p->cells[c->places[from].cell],
                     numbers[from]);
    return from;
}

static size_t get_places(const gw_check *c, size_t from, size_t param, const unsigned char *bytes,
                         double *numbers) {
    const gw_check_param *p = &c->f->params[param];
    for (; from < c->count && c->places[from].param == param; from++)
        numbers[from] =
            gw_check_get(bytes + c->places[from].element * p->element, &p->cells[c->places[from].cell]);
    return from;
}

void gw_check_restore(gw_check *c) {
    for (size_t i = 0; i < c->f->count; i++) {
        const gw_check_param *p = &c->f->params[i];
        if (is_of_host(c, p))
            memcpy(p->data, c->entry[i], gw_check_bytes(p));
        else
            write_bytes(c, p->data, c->entry[i], gw_check_bytes(p));
    }
}

void gw_check_move(gw_check *c, const double *direction, double by) {
    for (size_t i = 0, at = 0; i < c->f->count; i++) {
        const gw_check_param *p = &c->f->params[i];
        unsigned char *bytes = is_of_host(c, p) ? p->data : c->mirror;
        memcpy(bytes, c->entry[i], gw_check_bytes(p));
        for (; at < c->count && c->places[at].param == i; at++)
            if (direction[at] != 0)
                gw_check_put(bytes + c->places[at].element * p->element, &p->cells[c->places[at].cell],
                             c->values[at] + by * direction[at]);
        if (bytes != p->data) write_bytes(c, p->data, bytes, gw_check_bytes(p));
    }
}

void gw_check_put_numbers(gw_check *c, unsigned char *const *shadows, const double *numbers) {
    for (size_t i = 0, at = 0; i < c->f->count; i++) {
        if (!shadows[i]) continue;
        unsigned char *bytes = c->copy ? c->mirror : shadows[i];
        memset(bytes, 0, gw_check_bytes(&c->f->params[i]));
        at = put_places(c, at, i, numbers, bytes);
        if (bytes != shadows[i]) write_bytes(c, shadows[i], bytes, gw_check_bytes(&c->f->params[i]));
    }
}

void gw_check_get_numbers(const gw_check *c, unsigned char *const *shadows, double *numbers) {
    for (size_t i = 0, at = 0; i < c->f->count; i++)
        if (shadows[i])
            at = get_places(c, at, i, read_bytes(c, shadows[i], gw_check_bytes(&c->f->params[i])), numbers);
}

void gw_check_put_shadows(gw_check *c, const double *numbers) { gw_check_put_numbers(c, c->shadows, numbers); }

void gw_check_get_shadows(const gw_check *c, double *numbers) { gw_check_get_numbers(c, c->shadows, numbers); }

static unsigned char *data_of(const gw_check *c, const gw_check_param *p) {
    return is_of_host(c, p) ? p->data : read_bytes(c, p->data, gw_check_bytes(p));
}

void gw_check_get_values(const gw_check *c, double *numbers) {
    for (size_t i = 0, at = 0; i < c->f->count; i++)
        if (c->f->params[i].named) at = get_places(c, at, i, data_of(c, &c->f->params[i]), numbers);
}

size_t gw_check_changed(const gw_check *c, size_t from, size_t *at) {
    for (; from < c->f->count; from++) {
        const gw_check_param *p = &c->f->params[from];
        const size_t bytes = p->role == GW_CHECK_RESULT ? 0 : gw_check_bytes(p);
        const unsigned char *now = data_of(c, p);
        for (*at = 0; *at < bytes && now[*at] == c->entry[from][*at];)
            ++*at;
        if (*at < bytes) return from;
    }
    return from;
}

void gw_check_seeds(const gw_check *c, double *out) {
    for (size_t i = 0; i < c->count; i++)
        out[i] = c->added[c->places[i].param] ? 0 : c->seeds[i];
}

/* ---- the rule in one number ---- */
gw_check_sides gw_check_dot(size_t count, const double *seeds, const double *tangents, const double *adjoints,
                            const double *direction) {
    gw_check_sides sides = {0};
    for (size_t i = 0; i < count; i++) {
        const double of_tangent = seeds[i] * tangents[i], of_adjoint = adjoints[i] * direction[i];
        sides.forward += of_tangent, sides.reverse += of_adjoint;
        sides.size += fabs(of_tangent) + fabs(of_adjoint);
    }
    return sides;
}
