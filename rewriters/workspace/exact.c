/*
 * exact.c - which arrays have accumulators in the workspace, and how many (the rung: accumulate/exact.c;
 * contract: workspace.h).
 */
#include "rewriters/workspace/workspace.h"

#include "analysis/facts/facts.h"
#include "analysis/ir/query.h"
#include "analysis/ir/rungs.h"

#include <stdlib.h>
#include <string.h>

static bool is_exact(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return !o->dead && o->code == GW_OP_ACCUM && gw_way(o->attr)->into == GW_INTO_ACCUMULATOR;
}

static const char *next_brackets(const char *path) { return strstr(path, "[]"); }

/* The brackets at `at` of the path are those of a pointer. */
static bool is_of_pointer(const gw_func *f, const gw_object_data *o, const char *path, const char *at) {
    const bool leads = o->kind == GW_OBJECT_POINTER;
    if (leads && at == path) return true;
    const char *from = path + (leads ? strlen("[]") : 0);
    char *prefix = gw_format("%.*s", (int)(at - from), from);
    const gw_type type = gw_type_at_path(f->session, o->type, prefix);
    free(prefix);
    return f->session->types.at[type].kind == GW_TYPE_POINTER;
}

/* Numbers lie side by side from where the last pointer on the path leads. */
gw_str gw_exact_member(const gw_func *f, gw_op add) {
    if (gw_accesses_shared(f, add)) return gw_intern(f->session, "");
    const gw_object_data *o = gw_object_at(f, gw_op_at(f, add)->object);
    const char *path = gw_cstr(f->session, gw_op_at(f, add)->path), *last = path;
    for (const char *at = next_brackets(path); at; at = next_brackets(at + 1))
        if (is_of_pointer(f, o, path, at)) last = at;
    return gw_intern_n(f->session, path, (size_t)(last - path));
}

bool gw_exact_is_pointed(const gw_func *f, gw_op add) {
    return next_brackets(gw_cstr(f->session, gw_exact_member(f, add))) != NULL;
}

static gw_type number_of(const gw_func *f, gw_op add) {
    const gw_op_data *o = gw_op_at(f, add);
    if (o->code == GW_OP_SETTLE) return gw_cell_type(f, o->object, o->path);
    return gw_typeof(f, gw_operand(f, add, gw_index_count(f, add)));
}

bool gw_exact_same_memory(const gw_func *f, gw_op a, gw_op b) {
    return gw_op_at(f, a)->object == gw_op_at(f, b)->object && gw_exact_member(f, a) == gw_exact_member(f, b);
}

static bool same_array(const gw_func *f, gw_op a, gw_op b) {
    return number_of(f, a) == number_of(f, b) && gw_exact_same_memory(f, a, b);
}

bool gw_exact_goes_to(const gw_func *f, gw_op op, gw_op array) {
    return is_exact(f, op) && same_array(f, op, array);
}

typedef GW_VEC(gw_op) op_list;

/* In the order of parameters, and of additions. */
static void add_array(const gw_func *f, op_list *arrays, gw_op add) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < arrays->count; i++) {
        if (same_array(f, arrays->at[i], add)) return;
        if (gw_op_at(f, arrays->at[i])->object <= gw_op_at(f, add)->object) at = i + 1;
    }
    gw_push(arrays, add);
    for (uint32_t i = arrays->count - 1; i > at; i--) arrays->at[i] = arrays->at[i - 1];
    arrays->at[at] = add;
}

static op_list arrays_of(const gw_func *f, bool shared) {
    op_list arrays = {0};
    for (gw_op op = 1; op < f->ops.count; op++)
        if (is_exact(f, op) && gw_accesses_shared(f, op) == shared) add_array(f, &arrays, op);
    return arrays;
}

static uint32_t count_of(const gw_func *f, bool shared) {
    op_list arrays = arrays_of(f, shared);
    const uint32_t count = arrays.count;
    gw_vec_free(&arrays);
    return count;
}

uint32_t gw_exact_arrays(const gw_func *f) { return count_of(f, false); }
uint32_t gw_exact_shared_arrays(const gw_func *f) { return count_of(f, true); }

static gw_op array_at(const gw_func *f, bool shared, uint32_t number) {
    op_list arrays = arrays_of(f, shared);
    const gw_op first = arrays.at[number];
    gw_vec_free(&arrays);
    return first;
}

gw_op gw_exact_array(const gw_func *f, uint32_t number) { return array_at(f, false, number); }
gw_op gw_exact_shared_array(const gw_func *f, uint32_t number) { return array_at(f, true, number); }

uint32_t gw_exact_number(const gw_func *f, gw_op add) {
    op_list arrays = arrays_of(f, gw_accesses_shared(f, add));
    uint32_t number = 0;
    while (!same_array(f, arrays.at[number], add)) number++;
    gw_vec_free(&arrays);
    return number;
}

gw_type gw_exact_element(const gw_func *f, gw_op add) {
    const gw_session *s = f->session;
    const gw_object_data *object = gw_object_at(f, gw_op_at(f, add)->object);
    if (object->kind == GW_OBJECT_POINTER || object->kind == GW_OBJECT_SHARED) return object->type;
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
    if (gw_exact_is_pointed(f, array)) return number(b, -1);
    if (gw_accesses_shared(f, array))
        return number(b, gw_object_at(f, gw_op_at(f, array)->object)->sized ? -1 : 1);
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (!gw_exact_goes_to(f, op, array)) continue;
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

/* ---- the host ---- */
/* No sum of such numbers overflows; it is more than accumulators take, whatever the threads. */
enum { EXACT_BITS = 31 };

static gw_value saturated(gw_bounds *b, gw_value x) {
    const int64_t most = (int64_t)1 << EXACT_BITS;
    int64_t c;
    if (gw_const_int(b->to->f, x, &c)) return number(b, c < most ? c : most);
    return gw_binary(b->to, GW_OP_IMIN, x, number(b, most));
}

/* How often a thread makes the addition at most. */
static gw_value additions_at_most(gw_bounds *b, gw_op add) {
    const gw_func *f = b->from;
    gw_value times = number(b, 1);
    int64_t once;
    for (gw_op at = gw_op_around(f, add); at; at = gw_op_around(f, at)) {
        if (!gw_is_loop(f, at)) continue;
        gw_value trips = gw_bounds_trip(b, at);
        if (!trips) return number(b, (int64_t)1 << EXACT_BITS);
        trips = saturated(b, trips);
        const bool first = gw_const_int(b->to->f, times, &once) && once == 1;
        times = first ? trips : saturated(b, gw_binary(b->to, GW_OP_MUL, times, trips));
    }
    return times;
}

static void tell_exact_array(gw_bounds *b, gw_op array, gw_told_numbers *out) {
    const gw_func *f = b->from;
    gw_builder *to = b->to;
    gw_value additions = number(b, 0);
    for (gw_op op = 1; op < f->ops.count; op++)
        if (gw_exact_goes_to(f, op, array))
            additions = gw_binary(to, GW_OP_ADD, additions, additions_at_most(b, op));
    gw_push(out, gw_cast(to, GW_T_U64, gw_exact_cells(b, array)));
    gw_push(out, gw_cast(to, GW_T_U64, additions));
}

uint32_t gw_exact_told(const gw_func *f) { return 2 * gw_exact_arrays(f); }
uint32_t gw_exact_shared_told(const gw_func *f) { return 2 * gw_exact_shared_arrays(f); }

void gw_exact_tell(gw_bounds *b, gw_told_numbers *out) {
    const gw_func *f = b->from;
    for (uint32_t i = 0; i < gw_exact_arrays(f); i++) tell_exact_array(b, gw_exact_array(f, i), out);
}

void gw_exact_shared_tell(gw_bounds *b, gw_told_numbers *out) {
    const gw_func *f = b->from;
    for (uint32_t i = 0; i < gw_exact_shared_arrays(f); i++)
        tell_exact_array(b, gw_exact_shared_array(f, i), out);
}
