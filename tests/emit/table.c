/* table.c - small functions, one for each thing that emission must get right. */
#include "program.h"

#include "analysis/ir/rungs.h"

static gw_value number(program *p, int64_t x) { return gw_int(&p->b, GW_T_I32, x); }
static gw_value real(program *p, double x) { return gw_real(&p->b, GW_T_F32, x); }

typedef struct loop {
    gw_op op;
    gw_region body, condition;
    gw_builder outside;
} loop;

/* Opens a FOR (0, trips, 1) or, with trips 0, an endless WHILE; the carried values are f32 then i32. */
static loop open_loop(program *p, gw_value trips, const gw_value *init, uint32_t count, uint16_t flags,
                      uint16_t attr, gw_value from, gw_value step) {
    gw_func *f = p->f;
    loop l = {.outside = p->b};
    gw_value in[8] = {from, trips, step};
    uint32_t lead = trips ? 3 : 0;
    for (uint32_t i = 0; i < count; i++)
        in[lead + i] = init[i];
    l.op = gw_emit(&p->b, trips ? GW_OP_FOR : GW_OP_WHILE, GW_T_VOID, 0, in, count + lead);
    gw_op_at(f, l.op)->flags = flags;
    gw_op_at(f, l.op)->attr = attr;
    if (!trips) {
        l.condition = gw_region_new(f, l.op);
        for (uint32_t i = 0; i < count; i++)
            gw_region_arg(f, l.condition, gw_typeof(f, init[i]), 0);
    }
    l.body = gw_region_new(f, l.op);
    if (trips) gw_region_arg(f, l.body, GW_T_I32, gw_intern(p->s, "i"));
    for (uint32_t i = 0; i < count; i++)
        gw_region_arg(f, l.body, gw_typeof(f, init[i]), 0);
    p->b.region = l.body;
    return l;
}

static void close_loop(program *p, loop *l, const gw_value *next, uint32_t count, const gw_value *init,
                       uint32_t carried) {
    gw_yield(&p->b, next, count);
    for (uint32_t i = 0; i < carried; i++)
        gw_op_add_result(p->f, l->op, gw_typeof(p->f, init[i]), 0);
    p->b = l->outside;
}

static loop counted(program *p, gw_value trips, const gw_value *init, uint32_t count) {
    return open_loop(p, trips, init, count, 0, GW_OP_LT, number(p, 0), number(p, 1));
}

/* for: a, b = b, a + b */
static void swap_in_loop(program *p) {
    gw_value init[2] = {p->x, real(p, 2)};
    loop l = counted(p, number(p, 5), init, 2);
    gw_value a = gw_arg(p->f, l.body, 1), b = gw_arg(p->f, l.body, 2);
    gw_value next[2] = {b, gw_binary(&p->b, GW_OP_ADD, a, b)};
    close_loop(p, &l, next, 2, init, 2);
    program_store_at(p, PROGRAM_A, 0, gw_result(p->f, l.op, 0));
    program_store_at(p, PROGRAM_A, 1, gw_result(p->f, l.op, 1));
}

/* for: a, b = b, a; break when a > b, seen before the swap */
static void swap_with_exit(program *p) {
    gw_value init[2] = {p->x, real(p, 2)};
    loop l = open_loop(p, number(p, 9), init, 2, GW_OP_EXIT, GW_OP_LT, number(p, 0), number(p, 2));
    gw_value a = gw_arg(p->f, l.body, 1), b = gw_arg(p->f, l.body, 2);
    gw_value next[3] = {gw_binary(&p->b, GW_OP_GT, a, b), b, gw_binary(&p->b, GW_OP_SUB, a, real(p, 0.5))};
    close_loop(p, &l, next, 3, init, 2);
    program_store_at(p, PROGRAM_A, 0, gw_result(p->f, l.op, 0));
    program_store_at(p, PROGRAM_A, 1, gw_result(p->f, l.op, 1));
}

/* do { x = x * 0.5; count++; } while (x > 0.1 && count < 20) */
static void do_while(program *p) {
    gw_value init[2] = {program_load(p, PROGRAM_A, number(p, 2)), number(p, 0)};
    loop l = open_loop(p, 0, init, 2, GW_OP_EXIT, 0, 0, 0);
    gw_value half = gw_binary(&p->b, GW_OP_MUL, gw_arg(p->f, l.body, 0), real(p, 0.5));
    gw_value count = gw_binary(&p->b, GW_OP_ADD, gw_arg(p->f, l.body, 1), number(p, 1));
    program_named(p, half, "x");
    program_named(p, count, "count");
    gw_value small = gw_binary(&p->b, GW_OP_LE, half, real(p, 0.1));
    gw_value many = gw_binary(&p->b, GW_OP_GE, count, number(p, 20));
    gw_value next[3] = {gw_binary(&p->b, GW_OP_OR, small, many), half, count};
    close_loop(p, &l, next, 3, init, 2);
    gw_builder saved = p->b;
    p->b = (gw_builder){.f = p->f, .region = l.condition};
    gw_value always = gw_int(&p->b, GW_T_BOOL, 1);
    gw_yield(&p->b, &always, 1);
    p->b = saved;
    program_store_at(p, PROGRAM_A, 0, gw_result(p->f, l.op, 0));
    program_store_at(p, PROGRAM_C, 0, gw_result(p->f, l.op, 1));
}

/* The value that a loop starts from is used after the loop, too. */
static void init_outlives_loop(program *p) {
    gw_value start = program_named(p, gw_binary(&p->b, GW_OP_ADD, p->x, real(p, 1)), "acc");
    program_store_at(p, PROGRAM_A, 1, start);
    loop l = counted(p, number(p, 4), &start, 1);
    gw_value i = gw_cast(&p->b, GW_T_F32, gw_arg(p->f, l.body, 0));
    gw_value next = gw_binary(&p->b, GW_OP_ADD, gw_arg(p->f, l.body, 1), i);
    close_loop(p, &l, &next, 1, &start, 1);
    program_store_at(p, PROGRAM_A, 0, gw_binary(&p->b, GW_OP_SUB, gw_result(p->f, l.op, 0), start));
}

/* The iteration's old value is used after the new one exists. */
static void old_value_after_new(program *p) {
    gw_value init = p->x;
    loop l = counted(p, number(p, 4), &init, 1);
    gw_value old = gw_arg(p->f, l.body, 1), made = gw_binary(&p->b, GW_OP_MUL, old, old);
    program_store(p, PROGRAM_A, gw_arg(p->f, l.body, 0), made);
    program_store(p, PROGRAM_D, gw_arg(p->f, l.body, 0), gw_binary(&p->b, GW_OP_SUB, made, old));
    close_loop(p, &l, &made, 1, &init, 1);
    program_store_at(p, PROGRAM_A, 9, gw_result(p->f, l.op, 0));
}

/* A load may not move past a store to the same array, but may past another's. */
static void load_and_store(program *p) {
    gw_value a = program_load(p, PROGRAM_A, number(p, 3)), d = program_load(p, PROGRAM_D, number(p, 3));
    program_store_at(p, PROGRAM_A, 3, real(p, 100));
    program_store_at(p, PROGRAM_B, 0, gw_cast(&p->b, GW_T_F64, a));
    program_store_at(p, PROGRAM_B, 1, gw_cast(&p->b, GW_T_F64, d));
}

/* The edges of the integer types, and casts between them. */
static void integer_edges(program *p) {
    gw_builder *b = &p->b;
    static const gw_type narrow[] = {GW_T_I8,  GW_T_U8,  GW_T_I16, GW_T_U16,
                                     GW_T_I32, GW_T_U32, GW_T_I64, GW_T_U64};
    for (int i = 0; i < 8; i++) {
        gw_value big = gw_pure(b, GW_OP_CAST, narrow[i], 0, &p->k, 1);
        gw_value sum = gw_pure(b, GW_OP_ADD, narrow[i], 0, (gw_value[]){big, gw_int(b, narrow[i], 100)}, 2);
        gw_value twice = gw_pure(b, GW_OP_MUL, narrow[i], 0, (gw_value[]){sum, sum}, 2);
        gw_value flip = gw_pure(b, GW_OP_NOT, narrow[i], 0, &twice, 1);
        gw_value wide = gw_pure(b, GW_OP_CAST, GW_T_I64, 0, &flip, 1);
        program_store_at(p, PROGRAM_C, i, gw_cast(b, GW_T_I32, wide));
        program_store_at(p, PROGRAM_B, i, gw_cast(b, GW_T_F64, wide));
    }
    program_store_at(p, PROGRAM_C, 8, gw_int(b, GW_T_I32, INT32_MIN));
    gw_value least = gw_binary(b, GW_OP_ADD, p->k, gw_int(b, GW_T_I64, INT64_MIN));
    program_store_at(p, PROGRAM_B, 9, gw_cast(b, GW_T_F64, least));
    gw_value sign = gw_binary(b, GW_OP_LT, gw_cast(b, GW_T_U32, p->n), p->u);
    program_store_at(p, PROGRAM_C, 9, gw_cast(b, GW_T_I32, sign));
    gw_value mixed = gw_binary(b, GW_OP_MUL, gw_cast(b, GW_T_I64, p->n), gw_int(b, GW_T_I64, 4000000000));
    program_store_at(p, PROGRAM_B, 10, gw_cast(b, GW_T_F64, mixed));
    gw_value both = gw_binary(b, GW_OP_ADD, gw_cast(b, GW_T_I64, p->u), gw_int(b, GW_T_I64, 1));
    program_store_at(p, PROGRAM_B, 11, gw_cast(b, GW_T_F64, both));
    gw_value small = gw_binary(b, GW_OP_DIV, gw_cast(b, GW_T_F32, p->n), gw_cast(b, GW_T_F32, p->u));
    program_store_at(p, PROGRAM_A, 0, gw_binary(b, GW_OP_FMAX, small, real(p, -1e30)));
}

/* Literals read back exactly; minus signs do not run together. */
static void literals(program *p) {
    gw_builder *b = &p->b;
    static const double reals[] = {0.1,  -0.0,   1e-45,   3.4028234663852886e38, -2.5, 16777217,
                                   1e22, 5e-324, 123456.7};
    for (int i = 0; i < 9; i++) {
        program_store_at(p, PROGRAM_A, i,
                         gw_pure(b, GW_OP_SUB, GW_T_F32, 0, (gw_value[]){p->x, real(p, reals[i])}, 2));
        program_store_at(p, PROGRAM_B, i, gw_real(b, GW_T_F64, reals[i]));
    }
    gw_value minus = gw_unary(b, GW_OP_NEG, p->x);
    program_store_at(p, PROGRAM_A, 10, gw_pure(b, GW_OP_NEG, GW_T_F32, 0, &minus, 1));
    gw_value five = gw_real(b, GW_T_F32, -5);
    program_store_at(p, PROGRAM_A, 11, gw_pure(b, GW_OP_NEG, GW_T_F32, 0, &five, 1));
    gw_value difference =
        gw_pure(b, GW_OP_SUB, GW_T_F32, 0, (gw_value[]){p->x, gw_pure(b, GW_OP_NEG, GW_T_F32, 0, &p->x, 1)}, 2);
    program_store_at(p, PROGRAM_A, 12, difference);
    program_store_at(p, PROGRAM_A, 13, gw_real(b, GW_T_F32, 1.0 / 0.0));
    program_store_at(p, PROGRAM_A, 14, gw_real(b, GW_T_F32, -1.0 / 0.0));
    program_store_at(p, PROGRAM_B, 14, gw_real(b, GW_T_F64, 0.0 / 0.0));
}

/* Functions that no host library has, and min and max, whose operands are printed twice. */
static void host_functions(program *p) {
    gw_builder *b = &p->b;
    gw_value x = gw_binary(b, GW_OP_ADD, gw_binary(b, GW_OP_MUL, p->x, p->x), real(p, 1));
    program_named(p, x, "x");
    program_store_at(p, PROGRAM_A, 0, gw_unary(b, GW_OP_RSQRT, x));
    program_store_at(p, PROGRAM_A, 1, gw_unary(b, GW_OP_SATURATE, p->x));
    program_store_at(p, PROGRAM_A, 2, gw_pure(b, GW_OP_FMA, GW_T_F32, 0, (gw_value[]){x, p->x, real(p, 2)}, 3));
    program_store_at(p, PROGRAM_B, 0, gw_unary(b, GW_OP_SQRT, gw_cast(b, GW_T_F64, x)));
    gw_value first = gw_binary(b, GW_OP_IMIN, gw_binary(b, GW_OP_ADD, p->n, number(p, 3)), number(p, 4));
    program_store_at(p, PROGRAM_C, 0,
                     gw_binary(b, GW_OP_IMAX, gw_binary(b, GW_OP_SUB, first, number(p, 1)), number(p, -7)));
    gw_value odd = gw_pure(b, GW_OP_ISNAN, GW_T_BOOL, 0, &p->x, 1),
             sign = gw_pure(b, GW_OP_SIGNBIT, GW_T_BOOL, 0, &p->x, 1);
    program_store_at(p, PROGRAM_C, 1, gw_cast(b, GW_T_I32, gw_binary(b, GW_OP_EQ, odd, sign)));
    program_store_at(p, PROGRAM_C, 2, gw_cast(b, GW_T_I32, gw_unary(b, GW_OP_NOT, sign)));
}

/* if (n > 2) x = a[1]; else leaves x; a chain of it, with stores in between */
static void conditional_update(program *p) {
    gw_value x = p->x;
    for (int k = 0; k < 3; k++) {
        gw_value test = gw_binary(&p->b, GW_OP_GT, p->n, number(p, k * 2));
        gw_op op = gw_emit(&p->b, GW_OP_IF, GW_T_VOID, 0, &test, 1);
        gw_region arms[2] = {gw_region_new(p->f, op), gw_region_new(p->f, op)};
        gw_builder outside = p->b;
        p->b.region = arms[0];
        gw_value made = gw_binary(&p->b, GW_OP_MUL, program_load(p, PROGRAM_A, number(p, k)), x);
        program_store_at(p, PROGRAM_A, k, made);
        gw_yield(&p->b, &made, 1);
        p->b.region = arms[1];
        gw_yield(&p->b, &x, 1);
        p->b = outside;
        x = program_named(p, gw_op_add_result(p->f, op, GW_T_F32, 0), "weight");
    }
    program_store_at(p, PROGRAM_D, 0, x);
}

/* Both arms of a branch exchange two variables, or not. */
static void swap_in_branch(program *p) {
    gw_value a = program_named(p, gw_binary(&p->b, GW_OP_ADD, p->x, real(p, 1)), "low");
    gw_value c = program_named(p, gw_binary(&p->b, GW_OP_MUL, p->x, real(p, 3)), "high");
    gw_value test = gw_binary(&p->b, GW_OP_GT, a, c);
    gw_op op = gw_emit(&p->b, GW_OP_IF, GW_T_VOID, 0, &test, 1);
    gw_region arms[2] = {gw_region_new(p->f, op), gw_region_new(p->f, op)};
    gw_builder outside = p->b;
    p->b.region = arms[0];
    gw_yield(&p->b, (gw_value[]){c, a}, 2);
    p->b.region = arms[1];
    gw_yield(&p->b, (gw_value[]){a, c}, 2);
    p->b = outside;
    gw_op_add_result(p->f, op, GW_T_F32, 0);
    gw_op_add_result(p->f, op, GW_T_F32, 0);
    program_store_at(p, PROGRAM_A, 0, gw_result(p->f, op, 0));
    program_store_at(p, PROGRAM_A, 1, gw_result(p->f, op, 1));
}

/* The bound of a loop is a variable that the loop replaces. */
static void bound_is_carried(program *p) {
    gw_value trips = program_named(p, gw_binary(&p->b, GW_OP_AND, p->n, number(p, 7)), "n");
    loop l = counted(p, trips, &trips, 1);
    gw_value next = gw_binary(&p->b, GW_OP_SUB, gw_arg(p->f, l.body, 1), gw_arg(p->f, l.body, 0));
    close_loop(p, &l, &next, 1, &trips, 1);
    program_store_at(p, PROGRAM_C, 0, gw_result(p->f, l.op, 0));
}

/* A local array in a loop is new, and zero, in each iteration. */
static void local_array(program *p) {
    gw_object local =
        gw_object_new(p->f, GW_OBJECT_LOCAL, gw_intern(p->s, "part"), gw_type_array(p->s, GW_T_F32, 4));
    gw_object_at(p->f, local)->zeroed = true;
    gw_value init = real(p, 0);
    gw_str path = gw_intern(p->s, "[]");
    loop l = counted(p, number(p, 3), &init, 1);
    gw_op_at(p->f, gw_emit(&p->b, GW_OP_DECLARE, GW_T_VOID, 0, NULL, 0))->object = local;
    gw_value i = gw_arg(p->f, l.body, 0), one = number(p, 1);
    gw_op_at(p->f, gw_accum(&p->b, local, path, &i, 1, p->x))->attr = GW_ACCUMULATE_LOCAL;
    gw_op_at(p->f, gw_accum(&p->b, local, path, &one, 1, gw_unary(&p->b, GW_OP_NEG, real(p, 3))))->attr =
        GW_ACCUMULATE_LOCAL;
    gw_value next = gw_binary(&p->b, GW_OP_ADD, gw_arg(p->f, l.body, 1), gw_load(&p->b, local, path, &one, 1));
    close_loop(p, &l, &next, 1, &init, 1);
    program_store_at(p, PROGRAM_A, 0, gw_result(p->f, l.op, 0));
}

/* What nothing reads is not written, though a loop computes it. */
static void dead_code(program *p) {
    gw_value init[2] = {p->x, real(p, 1)};
    loop l = counted(p, number(p, 3), init, 2);
    gw_value dead = gw_binary(&p->b, GW_OP_ADD, gw_arg(p->f, l.body, 1), p->x);
    gw_value live = gw_binary(&p->b, GW_OP_ADD, gw_arg(p->f, l.body, 2), p->x);
    program_load(p, PROGRAM_A, number(p, 1));
    close_loop(p, &l, (gw_value[]){dead, live}, 2, init, 2);
    program_store_at(p, PROGRAM_A, 0, gw_result(p->f, l.op, 1));
}

const struct program_row program_rows[] = {
    {"swap_in_loop", swap_in_loop},
    {"swap_with_exit", swap_with_exit},
    {"do_while", do_while},
    {"init_outlives_loop", init_outlives_loop},
    {"old_value_after_new", old_value_after_new},
    {"load_and_store", load_and_store},
    {"integer_edges", integer_edges},
    {"literals", literals},
    {"host_functions", host_functions},
    {"conditional_update", conditional_update},
    {"swap_in_branch", swap_in_branch},
    {"bound_is_carried", bound_is_carried},
    {"local_array", local_array},
    {"dead_code", dead_code},
};
const uint32_t program_count = sizeof program_rows / sizeof program_rows[0];
