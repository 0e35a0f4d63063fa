/*
 * random.c - random structured functions: nested branches and loops that carry, swap and abandon values, early
 * exits, loads and stores around expressions, tapes. Whatever emission merges, moves or orders is met here.
 */
#include "program.h"

#include "analysis/ir/rungs.h"

#include <stdlib.h>

enum { POOL = 200, TYPES = 6 };
static const gw_type types[TYPES] = {GW_T_I32, GW_T_U32, GW_T_I64, GW_T_F32, GW_T_F64, GW_T_BOOL};

typedef struct maker {
    program *p;
    gw_builder *b;
    uint64_t state;
    gw_value pool[TYPES][POOL];
    uint32_t count[TYPES];
    uint32_t budget;
    uint64_t pushed[2]; /* 4- and 8-byte slots */
    bool in_loop;
} maker;

static uint32_t roll(maker *m, uint32_t sides) {
    m->state = m->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(m->state >> 33) % sides;
}

static void keep(maker *m, uint32_t t, gw_value v) {
    static const char *const names[] = {"sum", "x", "i", "t", "best", "value", "acc", "stop", "tape"};
    if (m->count[t] == POOL) m->count[t] = POOL / 2;
    if (roll(m, 3) == 0) program_named(m->p, v, names[roll(m, sizeof names / sizeof names[0])]);
    m->pool[t][m->count[t]++] = v;
}

static gw_value constant(maker *m, uint32_t t) {
    static const double reals[] = {0, 1, -1, 0.5, -2.5, 1e-3, 3e7, 0.1};
    static const int64_t integers[] = {0, 1, 2, 3, -1, -7, 100, 2147483647};
    gw_type type = types[t];
    if (gw_type_is_float(type)) return gw_real(m->b, type, reals[roll(m, 8)]);
    int64_t x = integers[roll(m, 8)];
    if (type == GW_T_BOOL) return gw_int(m->b, type, x & 1);
    return gw_int(m->b, type, type == GW_T_U32 ? (int64_t)(uint32_t)x : x);
}

static gw_value any(maker *m, uint32_t t) {
    if (!m->count[t] || roll(m, 8) == 0) return constant(m, t);
    uint32_t recent = m->count[t] < 6 || roll(m, 3) == 0 ? m->count[t] : 6;
    return m->pool[t][m->count[t] - 1 - roll(m, recent)];
}

static gw_value index_of(maker *m) { /* 0 .. 15 */
    gw_value i = gw_binary(m->b, GW_OP_AND, any(m, 0), gw_int(m->b, GW_T_I32, PROGRAM_CELLS - 1));
    return roll(m, 2) ? gw_cast(m->b, GW_T_I64, i) : i;
}

static gw_value operation(maker *m, uint32_t t) {
    static const gw_opcode whole[] = {GW_OP_ADD, GW_OP_SUB, GW_OP_MUL,  GW_OP_AND,
                                      GW_OP_OR,  GW_OP_XOR, GW_OP_IMIN, GW_OP_IMAX};
    static const gw_opcode real[] = {GW_OP_ADD, GW_OP_SUB, GW_OP_MUL, GW_OP_DIV};
    static const gw_opcode compares[] = {GW_OP_EQ, GW_OP_NE, GW_OP_LT, GW_OP_LE, GW_OP_GT, GW_OP_GE};
    static const gw_opcode logic[] = {GW_OP_AND, GW_OP_OR, GW_OP_XOR};
    gw_type type = types[t];
    if (type == GW_T_BOOL) {
        if (roll(m, 4) == 0) return gw_unary(m->b, GW_OP_NOT, any(m, t));
        if (roll(m, 3) == 0) return gw_binary(m->b, logic[roll(m, 3)], any(m, t), any(m, t));
        uint32_t of = roll(m, TYPES - 1);
        return gw_binary(m->b, compares[roll(m, 6)], any(m, of), any(m, of));
    }
    if (roll(m, 6) == 0) return gw_unary(m->b, GW_OP_NEG, any(m, t));
    if (roll(m, 8) == 0) return gw_select(m->b, any(m, 5), any(m, t), any(m, t));
    if (gw_type_is_float(type) && roll(m, 8) == 0) return gw_unary(m->b, GW_OP_FABS, any(m, t));
    if (gw_type_is_float(type)) return gw_binary(m->b, real[roll(m, 4)], any(m, t), any(m, t));
    gw_opcode code = whole[roll(m, 8)];
    if (roll(m, 8) == 0)
        return gw_binary(m->b, roll(m, 2) ? GW_OP_SHL : GW_OP_SHR, any(m, t),
                         gw_int(m->b, GW_T_I32, roll(m, 31)));
    if (roll(m, 8) == 0)
        return gw_binary(m->b, roll(m, 2) ? GW_OP_DIV : GW_OP_REM, any(m, t),
                         gw_int(m->b, type, 3 + roll(m, 5)));
    return gw_binary(m->b, code, any(m, t), any(m, t));
}

/* Between types; floating values are brought into the range of the integer first. */
static gw_value conversion(maker *m, uint32_t t) {
    uint32_t from = roll(m, TYPES);
    gw_value v = any(m, from);
    if (gw_type_is_float(types[from]) && !gw_type_is_float(types[t]) && types[t] != GW_T_BOOL) {
        v = gw_binary(m->b, GW_OP_FMAX, v, gw_real(m->b, types[from], 0));
        v = gw_binary(m->b, GW_OP_FMIN, v, gw_real(m->b, types[from], 1000));
    }
    return gw_cast(m->b, types[t], v);
}

static void memory(maker *m) {
    static const uint32_t type_of[] = {3, 4, 0, 3};
    uint32_t array = roll(m, PROGRAM_ARRAYS), t = type_of[array];
    gw_value i = index_of(m);
    switch (roll(m, 4)) {
    case 0:
        program_store(m->p, (int)array, i, any(m, t));
        break;
    case 1:
        if (types[t] == GW_T_I32) break;
        gw_op op = gw_accum(m->b, m->p->arrays[array], gw_intern(m->p->s, "[]"), &i, 1, any(m, t));
        gw_op_at(m->p->f, op)->attr = GW_ACCUMULATE_PLAIN;
        break;
    default:
        keep(m, t, program_load(m->p, (int)array, i));
    }
}

static void statements(maker *m, uint32_t depth);

typedef struct saved {
    gw_builder builder;
    uint32_t count[TYPES];
} saved;

static saved enter(maker *m, gw_region r) {
    saved s = {.builder = *m->b};
    for (uint32_t t = 0; t < TYPES; t++)
        s.count[t] = m->count[t];
    m->b->region = r;
    m->b->before = 0;
    return s;
}

static void leave(maker *m, const saved *s) {
    *m->b = s->builder;
    for (uint32_t t = 0; t < TYPES; t++)
        if (m->count[t] > s->count[t]) m->count[t] = s->count[t];
}

static void branch(maker *m, uint32_t depth) {
    gw_value condition = any(m, 5);
    gw_op op = gw_emit(m->b, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
    uint32_t results = roll(m, 4), kinds[4];
    gw_region r[2] = {gw_region_new(m->p->f, op), gw_region_new(m->p->f, op)};
    for (uint32_t i = 0; i < results; i++)
        kinds[i] = roll(m, TYPES);
    for (uint32_t arm = 0; arm < 2; arm++) {
        gw_value out[4];
        saved s = enter(m, r[arm]);
        if (roll(m, 3)) statements(m, depth + 1);
        for (uint32_t i = 0; i < results; i++)
            out[i] = any(m, kinds[i]);
        gw_yield(m->b, out, results);
        leave(m, &s);
    }
    for (uint32_t i = 0; i < results; i++)
        gw_op_add_result(m->p->f, op, types[kinds[i]], 0);
    for (uint32_t i = 0; i < results; i++)
        keep(m, kinds[i], gw_result(m->p->f, op, i));
}

typedef struct loop_shape {
    uint32_t carried, kinds[6];
    bool exits, counted;
} loop_shape;

static loop_shape shape_of(maker *m) {
    loop_shape l = {.carried = roll(m, 6), .exits = roll(m, 3) == 0, .counted = roll(m, 2)};
    uint32_t one = roll(m, TYPES);
    for (uint32_t i = 0; i < l.carried; i++)
        l.kinds[i] = roll(m, 2) ? one : roll(m, TYPES);
    return l;
}

/* A WHILE carries a counter in front, so that it ends. */
static void loop(maker *m, uint32_t depth) {
    gw_func *f = m->p->f;
    loop_shape l = shape_of(m);
    GW_VEC(gw_value) in = {0};
    gw_value zero = gw_int(m->b, GW_T_I32, 0), one = gw_int(m->b, GW_T_I32, 1);
    gw_value trips = roll(m, 2) ? gw_int(m->b, GW_T_I32, roll(m, 5))
                                : gw_binary(m->b, GW_OP_AND, any(m, 0), gw_int(m->b, GW_T_I32, 3));
    bool down = l.counted && roll(m, 3) == 0;
    if (l.counted) {
        gw_push(&in, down ? trips : zero);
        gw_push(&in, down ? zero : trips);
        gw_push(&in, down ? gw_int(m->b, GW_T_I32, -1) : one);
    } else {
        gw_push(&in, zero);
    }
    for (uint32_t i = 0; i < l.carried; i++)
        gw_push(&in, any(m, l.kinds[i]));
    gw_op op = gw_emit(m->b, l.counted ? GW_OP_FOR : GW_OP_WHILE, GW_T_VOID, 0, in.at, in.count);
    gw_vec_free(&in);
    gw_op_at(f, op)->flags = l.exits ? GW_OP_EXIT : 0;
    gw_op_at(f, op)->attr = down ? GW_OP_GT : GW_OP_LT;
    bool was = m->in_loop;
    m->in_loop = true;
    for (uint32_t part = 0; part < (l.counted ? 1u : 2u); part++) {
        gw_region r = gw_region_new(f, op);
        bool is_condition = !l.counted && part == 0;
        gw_value counter = gw_region_arg(f, r, GW_T_I32, l.counted ? gw_intern(m->p->s, "i") : 0), args[6];
        for (uint32_t i = 0; i < l.carried; i++)
            args[i] = gw_region_arg(f, r, types[l.kinds[i]], 0);
        saved s = enter(m, r);
        keep(m, 0, counter);
        for (uint32_t i = 0; i < l.carried; i++)
            keep(m, l.kinds[i], args[i]);
        gw_value out[8];
        uint32_t count = 0;
        if (is_condition) {
            gw_value go = gw_binary(m->b, GW_OP_LT, counter, trips);
            out[count++] = l.exits && roll(m, 2) ? gw_int(m->b, GW_T_BOOL, 1)
                           : roll(m, 2)          ? go
                                                 : gw_binary(m->b, GW_OP_AND, go, operation(m, 5));
        } else {
            statements(m, depth + 1);
            gw_value next = gw_binary(m->b, GW_OP_ADD, counter, one);
            if (l.exits) out[count++] = l.counted ? any(m, 5) : gw_binary(m->b, GW_OP_GE, next, trips);
            if (!l.counted) out[count++] = next;
            for (uint32_t i = 0; i < l.carried; i++)
                out[count++] = any(m, l.kinds[i]);
        }
        gw_yield(m->b, out, count);
        leave(m, &s);
    }
    m->in_loop = was;
    if (!l.counted) gw_op_add_result(f, op, GW_T_I32, 0);
    for (uint32_t i = 0; i < l.carried; i++)
        gw_op_add_result(f, op, types[l.kinds[i]], 0);
    for (uint32_t i = 0; i < l.carried; i++)
        keep(m, l.kinds[i], gw_result(f, op, i + !l.counted));
}

/* push, something between, pop: the slots nest. */
static void tape(maker *m, uint32_t depth) {
    uint32_t t = roll(m, TYPES);
    gw_func *f = m->p->f;
    gw_object slot = gw_object_new(f, GW_OBJECT_TAPE, gw_intern(m->p->s, "kept"), types[t]);
    gw_value v = any(m, t);
    gw_op push = gw_emit(m->b, GW_OP_PUSH, GW_T_VOID, 0, &v, 1);
    gw_op_at(f, push)->object = slot;
    m->pushed[gw_type_bytes(types[t]) == 8]++;
    statements(m, depth + 1);
    gw_op pop = gw_emit(m->b, GW_OP_POP, types[t], 1, NULL, 0);
    gw_op_at(f, pop)->object = slot;
    keep(m, t, gw_result(f, pop, 0));
}

static void statements(maker *m, uint32_t depth) {
    for (uint32_t n = 1 + roll(m, 6); n-- && m->budget; m->budget--) {
        uint32_t t = roll(m, TYPES), kind = roll(m, 12);
        if (kind < 2 && depth < 4)
            branch(m, depth);
        else if (kind < 4 && depth < 3)
            loop(m, depth);
        else if (kind == 4 && depth < 4)
            tape(m, depth);
        else if (kind < 7)
            memory(m);
        else if (kind < 8)
            keep(m, t, conversion(m, t));
        else
            keep(m, t, operation(m, t));
    }
}

static maker begin(program *p, uint64_t seed) {
    maker m = {.p = p, .b = &p->b, .state = seed * 2 + 1, .budget = 120};
    gw_value given[TYPES] = {p->n, p->u, p->k, p->x, p->y, 0};
    for (uint32_t t = 0; t < TYPES - 1; t++)
        m.pool[t][m.count[t]++] = given[t];
    return m;
}

static void store_results(maker *m) {
    static const uint32_t type_of[] = {3, 4, 0};
    for (int array = 0; array < 3; array++)
        for (int i = 0; i < 3; i++)
            program_store_at(m->p, array, i, any(m, type_of[array]));
    for (int i = 3; i < 8; i++)
        program_store_at(m->p, PROGRAM_C, i, gw_cast(m->b, GW_T_I32, any(m, i < 5 ? 1 : i < 7 ? 2 : 5)));
}

void program_random(program *p, uint64_t seed) {
    maker m = begin(p, seed);
    for (int i = 0; i < 6; i++)
        statements(&m, 0);
    store_results(&m);
    p->f->tape_local = true; /* each slot holds one value at a time, and slots nest */
    for (int wide = 0; wide < 2; wide++)
        p->f->tape_local_slots[wide] = m.pushed[wide];
}

void program_random_expressions(program *p, uint64_t seed) {
    maker m = begin(p, seed);
    for (int i = 0; i < 60; i++) {
        uint32_t t = roll(&m, TYPES);
        keep(&m, t, roll(&m, 4) ? operation(&m, t) : conversion(&m, t));
    }
    store_results(&m);
}
