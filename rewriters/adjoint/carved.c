/*
 * carved.c - the launch's shared memory as static arrays, in the primal and before any derivative (a row
 * GW_SHAPE of passes.def).
 *
 *     extern __shared__ int s[];                              __shared__ int id[256];
 *     float3 *xy = (float3 *)&s[256];             becomes     __shared__ float x[256], y[256], z[256], ...;
 *     float3 *conic = &xy[256];
 *     s[t] = g;  xy[t].x = ...;  ... conic[j].y ...           id[t] = g;  x[t] = ...;  ... b[j] ...
 *
 * What knows of arrays, each with cells of its own, then knows of these: staged copies need no shadow
 * (device/sources.c), and a warp reads its cells from one record (emit/text/together.c). In the launch's memory
 * each type of cells takes all that the launch gives, once more for its shadow.
 *
 * What is asked for, of each dynamic array (all cells of one type, frontend/place/shared.c):
 *  1. it is loaded and stored to, and nothing else, at first + step * number, with constants and step > 0;
 *  2. 0 <= number < room where the op stands, with a constant room that is proved for every launch: of threads
 *     by the kernel's __launch_bounds__ or what is stated of its blocks, of counters by what they stay below;
 *  3. accesses of one first and step are one array. Two of these never reach one cell: their steps' common
 *     divisor does not divide the difference of the firsts, or one ends before the other begins. Those of one
 *     step that may are one array.
 * So a cell of the array that is made stands for one cell of the launch's memory, and the other way round. A
 * kernel of which neither is known is left alone: its arrays would be made for 1,024 threads. A kernel keeps
 * its memory unless all of its dynamic arrays go, in no more than MOST_BYTES together: half of what static
 * arrays may have, so that shadows find room.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/query.h"
#include "analysis/ir/optional.h"
#include "analysis/prove/prove.h"
#include "rewriters/adjoint/adjoint_private.h"

#include <stdlib.h>

enum { MOST_BYTES = 24 * 1024, MOST_ROOM = 4096 };

typedef struct place {
    gw_op op;
    gw_value number; /* of its index */
    int64_t first, step;
    uint32_t part;
} place;

/* Cells first, first + step, ..., as many as there is room. */
typedef struct part {
    gw_object of, made;
    int64_t first, step, room;
} part;

typedef struct carving {
    gw_func *p;
    gw_normal *n;
    int64_t bound; /* of threadIdx.x */
    GW_VEC(place) places;
    GW_VEC(part) parts;
} carving;

static bool is_dynamic(const gw_func *p, gw_object o) {
    return gw_object_at(p, o)->kind == GW_OBJECT_SHARED && gw_object_at(p, o)->sized;
}

/* ---- 1: first + step * number ---- */

/* One of the two is a constant. */
static bool split(const gw_func *p, gw_op op, gw_value *other, int64_t *c) {
    for (uint32_t i = 0; i < 2; i++)
        if (gw_const_int(p, gw_operand(p, op, i), c)) {
            *other = gw_operand(p, op, 1 - i);
            return true;
        }
    return false;
}

/* Takes constants off the index, from the outside in. */
static void peel(const gw_func *p, place *at) {
    for (;;) {
        const gw_op op = gw_value_at(p, at->number)->op;
        const unsigned code = op ? gw_op_at(p, op)->code : GW_OP_NONE;
        int64_t c = 0;
        gw_value inner = 0;
        if (code == GW_OP_CAST && gw_type_is_integer(gw_typeof(p, gw_operand(p, op, 0))))
            inner = gw_operand(p, op, 0);
        else if (code == GW_OP_ADD && split(p, op, &inner, &c))
            at->first += at->step * c;
        else if (code == GW_OP_MUL && split(p, op, &inner, &c) && c > 0 && c <= MOST_ROOM && at->step == 1)
            at->step = c;
        else
            return;
        at->number = inner;
    }
}

/* What was peeled off is what the index is, as numbers. */
static bool find_place(carving *s, gw_op op, place *at) {
    const gw_func *p = s->p;
    gw_context *c = gw_normal_context(s->n, gw_op_at(p, op)->parent);
    gw_number index, number;
    int64_t constant;
    *at = (place){.op = op, .number = gw_operand(p, op, 0), .step = 1};
    if (gw_const_int(p, at->number, &constant)) return true;
    peel(p, at);
    gw_normal_exact(s->n, c, gw_operand(p, op, 0), &index);
    gw_normal_exact(s->n, c, at->number, &number);
    gw_poly sum = number.poly;
    gw_poly_scale(&sum, at->step);
    gw_poly_add_constant(&sum, at->first);
    return !(index.assumed | number.assumed) && !sum.broken && gw_poly_equal(&sum, &index.poly);
}

/* ---- 2: how many ---- */
static bool is_proved(carving *s, gw_region r, const gw_poly *room) {
    uint64_t assumed = 0;
    const gw_context *c = gw_normal_context(s->n, r);
    return !room->broken && gw_prove_nonnegative(s->n, &c->facts, room, &assumed) && !assumed;
}

/* The least bound that is proved, of powers of 2 and the threads of a block; 0: none is. */
static int64_t room_of(carving *s, const place *at) {
    const gw_region r = gw_op_at(s->p, at->op)->parent;
    gw_number number;
    gw_normal_exact(s->n, gw_normal_context(s->n, r), at->number, &number);
    if (number.assumed || !is_proved(s, r, &number.poly)) return 0;
    for (int64_t room = 1, power = 1; room <= MOST_ROOM;) {
        gw_poly left = number.poly;
        gw_poly_scale(&left, -1);
        gw_poly_add_constant(&left, room - 1);
        if (is_proved(s, r, &left)) return room;
        if (room == power) power *= 2;
        room = room < s->bound && s->bound < power ? s->bound : power;
    }
    return 0;
}

/* ---- 3: parts ---- */
static void add_to_part(carving *s, place *at, int64_t room) {
    const gw_object of = gw_op_at(s->p, at->op)->object;
    for (at->part = 0; at->part < s->parts.count; at->part++) {
        part *t = &s->parts.at[at->part];
        if (t->of != of || t->first != at->first || t->step != at->step) continue;
        if (t->room < room) t->room = room;
        return;
    }
    gw_push(&s->parts, ((part){.of = of, .first = at->first, .step = at->step, .room = room}));
}

static bool are_apart(const part *x, const part *y) {
    const int64_t step = gw_common_divisor(x->step, y->step);
    if (x->of != y->of || (x->first - y->first) % step != 0) return true;
    return x->first + x->step * (x->room - 1) < y->first || y->first + y->step * (y->room - 1) < x->first;
}

/* Accesses of y are accesses of x from now on. */
static void join(carving *s, uint32_t x, uint32_t y) {
    part *a = &s->parts.at[x], *b = &s->parts.at[y];
    const int64_t end_a = a->first + a->step * a->room, end_b = b->first + b->step * b->room,
                  first = a->first < b->first ? a->first : b->first;
    a->room = ((end_a > end_b ? end_a : end_b) - first) / a->step;
    a->first = first;
    b->room = 0;
    for (uint32_t i = 0; i < s->places.count; i++)
        if (s->places.at[i].part == y) s->places.at[i].part = x;
}

static bool part_them(carving *s) {
    for (bool joined = true; joined;) {
        joined = false;
        for (uint32_t x = 0; x < s->parts.count; x++)
            for (uint32_t y = x + 1; y < s->parts.count; y++) {
                const part *a = &s->parts.at[x], *b = &s->parts.at[y];
                if (!a->room || !b->room || are_apart(a, b)) continue;
                if (a->step != b->step) return false;
                join(s, x, y);
                joined = true;
            }
    }
    return true;
}

static uint64_t bytes_of(const carving *s) {
    uint64_t bytes = 0, alignment = 1;
    for (gw_object o = 1; o < s->p->objects.count; o++)
        if (gw_object_at(s->p, o)->kind == GW_OBJECT_SHARED && !is_dynamic(s->p, o))
            bytes += gw_adjoint_bytes_of(s->p->session, gw_object_at(s->p, o)->type, &alignment);
    for (uint32_t i = 0; i < s->parts.count; i++)
        bytes += (uint64_t)s->parts.at[i].room *
                 gw_adjoint_bytes_of(s->p->session, gw_object_at(s->p, s->parts.at[i].of)->type, &alignment);
    return bytes;
}

static bool find(carving *s) {
    const gw_func *p = s->p;
    bool any = false;
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        if (o->dead || !o->object || !is_dynamic(p, o->object)) continue;
        place at;
        if ((o->code != GW_OP_LOAD && o->code != GW_OP_STORE) || !find_place(s, op, &at)) return false;
        const int64_t room = room_of(s, &at);
        if (!room) return false;
        add_to_part(s, &at, room);
        gw_push(&s->places, at);
        any = true;
    }
    return any && part_them(s) && bytes_of(s) <= MOST_BYTES;
}

/* ---- doing it ---- */
static void make_array(gw_func *p, part *t, uint32_t number) {
    const gw_object_data d = *gw_object_at(p, t->of);
    /* each has a name of its own, by which it is a member of a record (emit/text/together.c) */
    char *name = gw_format("%s_%u", gw_cstr(p->session, d.name), number);
    t->made = gw_object_new(p, GW_OBJECT_SHARED, gw_intern(p->session, name),
                            gw_type_array(p->session, d.type, (uint32_t)t->room));
    free(name);
    gw_object_at(p, t->made)->type_text = d.type_text;
    gw_object_at(p, t->made)->loc = d.loc;
}

static void move_access(carving *s, const place *at) {
    const part *t = &s->parts.at[at->part];
    gw_func *p = s->p;
    gw_builder b = {p, gw_op_at(p, at->op)->parent, at->op, gw_op_at(p, at->op)->loc};
    const int64_t more = (at->first - t->first) / t->step;
    gw_value number = at->number;
    if (more) number = gw_binary(&b, GW_OP_ADD, gw_cast(&b, GW_T_I64, number), gw_int(&b, GW_T_I64, more));
    gw_set_operand(p, at->op, 0, number);
    gw_op_at(p, at->op)->object = t->made;
}

void gw_shape_carved(gw_func *p, const gw_request *q) {
    (void)q;
    carving s = {.p = p, .bound = gw_launch_known(p, NULL, GW_SPECIAL_ATTR(GW_BLOCK_DIM, 0)).high};
    if (p->kind != GW_FUNC_KERNEL || p->asked.count || (!p->bound && s.bound == GW_MOST_THREADS)) return;
    s.n = gw_normal_new(p);
    s.n->unassuming = true;
    if (find(&s) && gw_takes(p->session, GW_OPTIONAL_CARVED)) {
        for (uint32_t i = 0; i < s.parts.count; i++)
            if (s.parts.at[i].room) make_array(p, &s.parts.at[i], i);
        for (uint32_t i = 0; i < s.places.count; i++) move_access(&s, &s.places.at[i]);
    }
    gw_normal_free(s.n);
    gw_vec_free(&s.places);
    gw_vec_free(&s.parts);
}
