/*
 * exact.c - which arrays have accumulators in the workspace, and how many (the rung: accumulate/exact.c;
 * contract: workspace.h).
 */
#include "rewriters/workspace/workspace.h"

#include "analysis/facts/facts.h"

#include <stdlib.h>
#include <string.h>

bool gw_exact_has(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return !o->dead && o->code == GW_OP_ACCUM && gw_way(o->attr)->into == GW_INTO_ACCUMULATOR;
}

gw_str gw_exact_member(const gw_func *f, gw_op add) {
    const char *path = gw_cstr(f->session, gw_op_at(f, add)->path);
    char *member = gw_format("%.*s", (int)(strstr(path, "[]") - path), path);
    gw_str name = gw_intern(f->session, member);
    free(member);
    return name;
}

static gw_type number_of(const gw_func *f, gw_op add) {
    return gw_typeof(f, gw_operand(f, add, gw_index_count(f, add)));
}

bool gw_exact_same_memory(const gw_func *f, gw_op a, gw_op b) {
    return gw_op_at(f, a)->object == gw_op_at(f, b)->object && gw_exact_member(f, a) == gw_exact_member(f, b);
}

static bool same_array(const gw_func *f, gw_op a, gw_op b) {
    return number_of(f, a) == number_of(f, b) && gw_exact_same_memory(f, a, b);
}

static gw_op first_of(const gw_func *f, gw_op add) {
    gw_op op = 1;
    while (!gw_exact_has(f, op) || !same_array(f, op, add))
        op++;
    return op;
}

static bool is_first(const gw_func *f, gw_op op) { return gw_exact_has(f, op) && first_of(f, op) == op; }

/* In the order of parameters, and of additions. */
uint32_t gw_exact_number(const gw_func *f, gw_op add) {
    const gw_op first = first_of(f, add);
    const gw_object own = gw_op_at(f, add)->object;
    uint32_t number = 0;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_object object = gw_op_at(f, op)->object;
        number += is_first(f, op) && (object < own || (object == own && op < first));
    }
    return number;
}

uint32_t gw_exact_arrays(const gw_func *f) {
    uint32_t count = 0;
    for (gw_op op = 1; op < f->ops.count; op++)
        count += is_first(f, op);
    return count;
}

gw_op gw_exact_array(const gw_func *f, uint32_t number) {
    gw_op op = 1;
    while (!is_first(f, op) || gw_exact_number(f, op) != number)
        op++;
    return op;
}

gw_type gw_exact_element(const gw_func *f, gw_op add) {
    const gw_session *s = f->session;
    const gw_object_data *object = gw_object_at(f, gw_op_at(f, add)->object);
    if (object->kind == GW_OBJECT_POINTER) return object->type;
    const gw_str member = gw_exact_member(f, add);
    return s->types.at[gw_type_at_path(s, object->type, gw_cstr(s, member))].element;
}

uint32_t gw_exact_numbers(const gw_func *f, gw_op add) {
    const uint32_t size = gw_type_layout(f->session, gw_exact_element(f, add)).size,
                   number = gw_type_bytes(number_of(f, add));
    return number && size % number == 0 ? size / number : 0;
}

uint32_t gw_exact_bytes_of(gw_type number) { return number == GW_T_F64 ? 544 : 80; }

/* ---- the host ---- */
static gw_value number(gw_bounds *b, int64_t x) { return gw_int(b->to, GW_T_I64, x); }

/* The first index tells the array's element. Where all that is known of it is its type, nothing is. The kernel
 * tests each index, so nobody asks here whether it, or the host's arithmetic, may wrap around. */
gw_value gw_exact_index_cells(gw_bounds *b, gw_op add) {
    int64_t high;
    const gw_interval range = gw_bounds_of(b, gw_operand(b->from, add, 0));
    if (!range.high || (gw_const_int(b->to->f, range.high, &high) && high >= INT32_MAX)) return 0;
    gw_value last = gw_binary(b->to, GW_OP_IMAX, range.high, number(b, -1));
    return gw_binary(b->to, GW_OP_ADD, last, number(b, 1));
}

gw_value gw_exact_cells(gw_bounds *b, gw_op array) {
    const gw_func *f = b->from;
    gw_value most = 0;
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (!gw_exact_has(f, op) || !same_array(f, op, array)) continue;
        const gw_value cells = gw_exact_index_cells(b, op);
        if (!cells) return number(b, -1);
        most = most && most != cells ? gw_binary(b->to, GW_OP_IMAX, most, cells) : cells;
    }
    return most;
}

bool gw_exact_is_told(const gw_func *bound, gw_value cells) {
    int64_t known;
    return gw_const_int(bound, cells, &known) && known == -1;
}
