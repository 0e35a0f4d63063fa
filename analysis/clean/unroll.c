/*
 * unroll.c - short loops with constant bounds over small local arrays are written out: for (i = 0; i < 3; i++)
 * over the coordinates of a point. The arrays' cells then become values (scalars.c), and so do their adjoints.
 * In device code longer loops and larger arrays are worth it: a thread's array that is not taken apart lies in
 * memory, and its former contents on the tape. A loop whose bounds say that it never runs is left out, and one
 * that runs once is written out whatever it does.
 *
 * A written out loop gives constant bounds to loops in it (for (k = 0; k < i; k++)), which is why the walk goes
 * on until nothing changes; what these add is bounded for all of them together.
 *
 * Sound: the iterations stand one after another as they ran.
 */
#include "analysis/clean/clean.h"

#include "analysis/ir/restructure.h"
#include "analysis/ir/optional.h"

typedef struct limits {
    uint32_t trips, ops, cells;
} limits;
static const limits on_host = {8, 160, 16}, on_device = {32, 4096, 64};
enum { MOST_TRIPS = 32 }; /* of both */

static const limits *limits_of(const gw_func *f) { return f->kind == GW_FUNC_HOST ? &on_host : &on_device; }

/* Constants, and stores of them to constant places (a table of numbers), are gone once the loop is written
 * out. */
static bool is_constant(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    int64_t value;
    if (o->code == GW_OP_CONST) return true;
    if (o->code != GW_OP_STORE || gw_object_at(f, o->object)->kind != GW_OBJECT_LOCAL) return false;
    for (uint32_t i = 0; i < gw_index_count(f, op); i++)
        if (!gw_const_int(f, gw_operand(f, op, i), &value)) return false;
    gw_op source = gw_value_at(f, gw_operand(f, op, gw_index_count(f, op)))->op;
    return source && gw_op_at(f, source)->code == GW_OP_CONST;
}

static uint32_t count_ops(const gw_func *f, gw_region r) {
    uint32_t n = 0;
    for (gw_op op = gw_first(f, r); op; op = gw_walk(f, op, r)) n += !is_constant(f, op);
    return n;
}

/* At most `most` + 1. */
static uint32_t cells_of(const gw_session *s, gw_type t, uint32_t most) {
    const gw_type_data *d = &s->types.at[t];
    uint32_t n = 0;
    if (d->kind == GW_TYPE_SCALAR) return 1;
    if (d->kind == GW_TYPE_ARRAY) {
        n = cells_of(s, d->element, most);
        return d->count <= most && n <= most && n * d->count <= most ? n * d->count : most + 1;
    }
    if (d->kind != GW_TYPE_STRUCT) return most + 1;
    for (uint32_t i = 0; i < d->count && n <= most; i++)
        n += cells_of(s, s->fields.at[d->first + i].type, most);
    return n <= most ? n : most + 1;
}

/* The loop reaches a small local array at an index that is not constant. */
static bool uses_array(const gw_func *f, gw_region r) {
    uint32_t most = limits_of(f)->cells;
    for (gw_op op = gw_first(f, r); op; op = gw_walk(f, op, r)) {
        const gw_op_data *o = gw_op_at(f, op);
        bool access = o->code == GW_OP_LOAD || o->code == GW_OP_STORE;
        if (access && gw_object_at(f, o->object)->kind == GW_OBJECT_LOCAL &&
            cells_of(f->session, gw_object_at(f, o->object)->type, most) <= most)
            for (uint32_t i = 0; i < gw_index_count(f, op); i++) {
                int64_t constant;
                if (!gw_const_int(f, gw_operand(f, op, i), &constant)) return true;
            }
    }
    return false;
}

uint32_t gw_list_trips(const gw_func *f, gw_op loop, int64_t *index, uint32_t most) {
    const gw_op_data *o = gw_op_at(f, loop);
    int64_t header[3];
    for (uint32_t i = 0; i < 3; i++)
        if (!gw_const_int(f, gw_operand(f, loop, i), &header[i]) || header[i] > INT32_MAX ||
            header[i] < INT32_MIN)
            return most + 1;
    uint32_t n = 0;
    if (!header[2]) return most + 1;
    for (int64_t at = header[0];
         gw_holds((gw_opcode)o->attr, gw_typeof(f, gw_operand(f, loop, 0)), at, header[1]); at += header[2]) {
        if (n == most) return most + 1;
        index[n++] = at;
    }
    return n;
}

static bool is_signed_or_small(const gw_func *f, gw_op loop, const int64_t *index, uint32_t trips) {
    gw_type t = gw_typeof(f, gw_operand(f, loop, 0));
    return trips == 0 || gw_type_is_signed(t) || (index[0] >= 0 && index[trips - 1] >= 0);
}

void gw_write_out_loop(gw_func *f, gw_op loop, const int64_t *index, uint32_t trips) {
    gw_builder b = {f, gw_op_at(f, loop)->parent, loop, gw_op_at(f, loop)->loc};
    gw_region body = gw_loop_body(f, loop);
    uint32_t n = gw_loop_carried(f, loop);
    GW_VEC(gw_value) carried = {0};
    for (uint32_t i = 0; i < n; i++) gw_push(&carried, gw_operand(f, loop, 3 + i));
    for (uint32_t t = 0; t < trips; t++) {
        gw_cloner c = {.from = f, .to = &b};
        gw_map_set(&c.values, gw_arg(f, body, 0), gw_int(&b, gw_typeof(f, gw_arg(f, body, 0)), index[t]));
        for (uint32_t i = 0; i < n; i++) gw_map_set(&c.values, gw_arg(f, body, 1 + i), carried.at[i]);
        gw_clone_region_body(&c, body);
        for (uint32_t i = 0; i < n; i++) carried.at[i] = gw_clone_value(&c, gw_yielded(f, body, i));
        gw_map_free(&c.values);
        gw_map_free(&c.objects);
    }
    gw_value_map map = {0};
    for (uint32_t i = 0; i < n; i++) gw_map_set(&map, gw_result(f, loop, i), carried.at[i]);
    gw_op_remove(f, loop);
    gw_replace_many(f, &map);
    gw_map_free(&map);
    gw_vec_free(&carried);
}

/* *room: how many ops the loops that are written out may add together. */
static bool walk(gw_func *f, gw_region r, uint32_t *room) {
    const limits *most = limits_of(f);
    bool changed = false;
    for (gw_op op = gw_first(f, r), next; op; op = next) {
        next = gw_next(f, op);
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++)
            changed |= walk(f, gw_op_at(f, op)->region[i], room);
        const gw_op_data *o = gw_op_at(f, op);
        int64_t index[MOST_TRIPS];
        if (gw_never_runs(f, op)) {
            gw_write_out_loop(f, op, index, 0);
            changed = true;
            continue;
        }
        if (o->code != GW_OP_FOR || o->flags & GW_OP_EXIT) continue;
        uint32_t trips = gw_list_trips(f, op, index, most->trips);
        if (trips > most->trips || !is_signed_or_small(f, op, index, trips)) continue;
        uint32_t ops = trips * count_ops(f, gw_loop_body(f, op));
        if (trips != 1 && (ops > most->ops || ops > *room || !uses_array(f, gw_loop_body(f, op)))) continue;
        if (!gw_takes(f->session, GW_OPTIONAL_UNROLL)) continue;
        *room -= trips != 1 ? ops : 0;
        gw_write_out_loop(f, op, index, trips);
        changed = true;
    }
    return changed;
}

bool gw_unroll_loops(gw_func *f) {
    uint32_t room = UINT32_MAX;
    bool unrolled = walk(f, f->entry, &room);
    return gw_unroll_rounds(f) || unrolled;
}

uint32_t gw_unroll_room(const gw_func *f) { return 2 * limits_of(f)->ops; }
bool gw_unroll_more(gw_func *f, uint32_t *room) { return walk(f, f->entry, room); }
