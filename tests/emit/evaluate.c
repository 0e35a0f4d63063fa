/* evaluate.c - a plain interpreter of the IR (contract: evaluate.h). */
#include "evaluate.h"

#include "analysis/ir/restructure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void evaluation_begin(evaluation *v, const gw_func *f) {
    *v = (evaluation){.f = f};
    v->values = gw_alloc(f->values.count * sizeof *v->values);
    v->memory = gw_alloc(f->objects.count * sizeof *v->memory);
    for (gw_object o = 1; o < f->objects.count; o++)
        if (gw_object_at(f, o)->kind == GW_OBJECT_LOCAL)
            v->memory[o] = gw_alloc(f->session->types.at[gw_object_at(f, o)->type].count * sizeof(cell));
}

void evaluation_end(evaluation *v) {
    for (gw_object o = 1; o < v->f->objects.count; o++)
        if (gw_object_at(v->f, o)->kind == GW_OBJECT_LOCAL) free(v->memory[o]);
    free(v->values);
    free(v->memory);
    gw_vec_free(&v->tape);
}

static int64_t wrap(gw_type t, int64_t x) {
    switch (t) {
    case GW_T_BOOL:
        return x != 0;
    case GW_T_I8:
        return (int8_t)x;
    case GW_T_U8:
        return (uint8_t)x;
    case GW_T_I16:
        return (int16_t)x;
    case GW_T_U16:
        return (uint16_t)x;
    case GW_T_I32:
        return (int32_t)x;
    case GW_T_U32:
        return (uint32_t)x;
    default:
        return x;
    }
}

static bool integer_compare(gw_opcode code, bool is_signed, int64_t a, int64_t b) {
    bool less = is_signed ? a < b : (uint64_t)a < (uint64_t)b;
    switch (code) {
    case GW_OP_EQ:
        return a == b;
    case GW_OP_NE:
        return a != b;
    case GW_OP_LT:
        return less;
    case GW_OP_LE:
        return less || a == b;
    case GW_OP_GT:
        return !less && a != b;
    default:
        return !less;
    }
}

static int64_t arithmetic(gw_opcode code, gw_type t, int64_t a, int64_t b) {
    bool is_signed = gw_type_is_signed(t), less = integer_compare(GW_OP_LT, is_signed, a, b);
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (code) {
    case GW_OP_ADD:
        return (int64_t)(x + y);
    case GW_OP_SUB:
        return (int64_t)(x - y);
    case GW_OP_MUL:
        return (int64_t)(x * y);
    case GW_OP_DIV:
        return is_signed ? a / b : (int64_t)(x / y);
    case GW_OP_REM:
        return is_signed ? a % b : (int64_t)(x % y);
    case GW_OP_NEG:
        return (int64_t)(0 - x);
    case GW_OP_AND:
        return a & b;
    case GW_OP_OR:
        return a | b;
    case GW_OP_XOR:
        return a ^ b;
    case GW_OP_NOT:
        return t == GW_T_BOOL ? !a : ~a;
    case GW_OP_SHL:
        return (int64_t)(x << y);
    case GW_OP_SHR:
        return is_signed ? a >> b : (int64_t)(x >> y);
    case GW_OP_IMIN:
        return less ? a : b;
    case GW_OP_IMAX:
        return less ? b : a;
    default:
        fprintf(stderr, "no integer op %s\n", gw_op_rows[code].text);
        abort();
    }
}

static cell integer_op(gw_opcode code, gw_type t, int64_t a, int64_t b) {
    if (gw_op_rows[code].typing == GW_TYPING_BOOL)
        return (cell){.i = integer_compare(code, gw_type_is_signed(t), a, b)};
    return (cell){.i = wrap(t, arithmetic(code, t, a, b))};
}

#define REAL_OPS(T, s)                                                                                         \
    static cell real_op##s(gw_opcode code, T a, T b, T c) {                                                    \
        switch (code) {                                                                                        \
        case GW_OP_ADD:                                                                                        \
            return (cell){.f = (double)(a + b)};                                                               \
        case GW_OP_SUB:                                                                                        \
            return (cell){.f = (double)(a - b)};                                                               \
        case GW_OP_MUL:                                                                                        \
            return (cell){.f = (double)(a * b)};                                                               \
        case GW_OP_DIV:                                                                                        \
            return (cell){.f = (double)(a / b)};                                                               \
        case GW_OP_NEG:                                                                                        \
            return (cell){.f = (double)-a};                                                                    \
        case GW_OP_EQ:                                                                                         \
            return (cell){.i = a == b};                                                                        \
        case GW_OP_NE:                                                                                         \
            return (cell){.i = a != b};                                                                        \
        case GW_OP_LT:                                                                                         \
            return (cell){.i = a < b};                                                                         \
        case GW_OP_LE:                                                                                         \
            return (cell){.i = a <= b};                                                                        \
        case GW_OP_GT:                                                                                         \
            return (cell){.i = a > b};                                                                         \
        case GW_OP_GE:                                                                                         \
            return (cell){.i = a >= b};                                                                        \
        case GW_OP_SQRT:                                                                                       \
            return (cell){.f = (double)sqrt##s(a)};                                                            \
        case GW_OP_RSQRT:                                                                                      \
            return (cell){.f = (double)(1 / sqrt##s(a))};                                                      \
        case GW_OP_EXP:                                                                                        \
            return (cell){.f = (double)exp##s(a)};                                                             \
        case GW_OP_SIN:                                                                                        \
            return (cell){.f = (double)sin##s(a)};                                                             \
        case GW_OP_FABS:                                                                                       \
            return (cell){.f = (double)fabs##s(a)};                                                            \
        case GW_OP_FMIN:                                                                                       \
            return (cell){.f = (double)fmin##s(a, b)};                                                         \
        case GW_OP_FMAX:                                                                                       \
            return (cell){.f = (double)fmax##s(a, b)};                                                         \
        case GW_OP_FMA:                                                                                        \
            return (cell){.f = (double)fma##s(a, b, c)};                                                       \
        case GW_OP_SATURATE:                                                                                   \
            return (cell){.f = a > 0 ? a < 1 ? (double)a : 1 : 0};                                             \
        case GW_OP_ISNAN:                                                                                      \
            return (cell){.i = isnan(a) != 0};                                                                 \
        case GW_OP_SIGNBIT:                                                                                    \
            return (cell){.i = signbit(a) != 0};                                                               \
        default:                                                                                               \
            fprintf(stderr, "no real op %s\n", gw_op_rows[code].text);                                         \
            abort();                                                                                           \
        }                                                                                                      \
    }
REAL_OPS(float, f)
REAL_OPS(double, )

static cell convert(gw_type from, gw_type to, cell a) {
    if (gw_type_is_float(from)) {
        if (to == GW_T_BOOL) return (cell){.i = a.f != 0};
        if (gw_type_is_float(to)) return (cell){.f = to == GW_T_F32 ? (double)(float)a.f : a.f};
        return (cell){.i = to == GW_T_U64 ? (int64_t)(uint64_t)a.f : wrap(to, (int64_t)a.f)};
    }
    if (!gw_type_is_float(to)) return (cell){.i = wrap(to, a.i)};
    bool big = from == GW_T_U64;
    if (to == GW_T_F32) return (cell){.f = (double)(big ? (float)(uint64_t)a.i : (float)a.i)};
    return (cell){.f = big ? (double)(uint64_t)a.i : (double)a.i};
}

static cell operand(const evaluation *v, gw_op op, uint32_t i) { return v->values[gw_operand(v->f, op, i)]; }

static cell pure(const evaluation *v, gw_op op) {
    const gw_op_data *o = gw_op_at(v->f, op);
    gw_type result = gw_typeof(v->f, gw_result(v->f, op, 0));
    if (o->code == GW_OP_CONST) return gw_type_is_float(result) ? (cell){.f = o->imm.f} : (cell){.i = o->imm.i};
    gw_type t = gw_typeof(v->f, gw_operand(v->f, op, 0));
    cell a = operand(v, op, 0), b = o->operands > 1 ? operand(v, op, 1) : (cell){0};
    if (o->code == GW_OP_CAST) return convert(t, result, a);
    if (o->code == GW_OP_SELECT) return a.i ? b : operand(v, op, 2);
    if (!gw_type_is_float(t)) return integer_op((gw_opcode)o->code, t, a.i, b.i);
    cell c = o->operands > 2 ? operand(v, op, 2) : (cell){0};
    if (t == GW_T_F32) return real_opf((gw_opcode)o->code, (float)a.f, (float)b.f, (float)c.f);
    return real_op((gw_opcode)o->code, a.f, b.f, c.f);
}

static cell *place(evaluation *v, gw_op op) {
    uint32_t n = gw_index_count(v->f, op);
    return &v->memory[gw_op_at(v->f, op)->object][n ? operand(v, op, 0).i : 0];
}

static void memory_op(evaluation *v, gw_op op) {
    const gw_op_data *o = gw_op_at(v->f, op);
    switch (o->code) {
    case GW_OP_LOAD:
        v->values[o->first_result] = *place(v, op);
        break;
    case GW_OP_STORE:
        *place(v, op) = operand(v, op, gw_index_count(v->f, op));
        break;
    case GW_OP_ACCUM: {
        cell *at = place(v, op), x = operand(v, op, gw_index_count(v->f, op));
        gw_type t = gw_typeof(v->f, gw_operand(v->f, op, gw_index_count(v->f, op)));
        at->f = t == GW_T_F32 ? (double)((float)at->f + (float)x.f) : at->f + x.f;
        break;
    }
    case GW_OP_DECLARE:
        memset(v->memory[o->object], 0,
               v->f->session->types.at[gw_object_at(v->f, o->object)->type].count * sizeof(cell));
        break;
    case GW_OP_PUSH:
        gw_push(&v->tape, operand(v, op, 0));
        break;
    default:
        v->values[o->first_result] = v->tape.at[--v->tape.count];
    }
}

static void region(evaluation *v, gw_region r);

static cell yielded(const evaluation *v, gw_region r, uint32_t i) {
    return operand(v, gw_region_end(v->f, r), i);
}

static void branch(evaluation *v, gw_op op) {
    const gw_op_data *o = gw_op_at(v->f, op);
    gw_region r = o->region[operand(v, op, 0).i ? 0 : 1];
    region(v, r);
    for (uint32_t i = 0; i < o->results; i++)
        v->values[o->first_result + i] = yielded(v, r, i);
}

static bool in_range(uint16_t attr, gw_type t, int64_t i, int64_t high) {
    return integer_op((gw_opcode)attr, t, i, high).i != 0;
}

static void loop(evaluation *v, gw_op op) {
    const gw_op_data *o = gw_op_at(v->f, op);
    uint32_t n = gw_loop_carried(v->f, op), lead = gw_loop_first_yield(v->f, op);
    bool counted = o->code == GW_OP_FOR;
    gw_region body = gw_loop_body(v->f, op);
    cell *carried = gw_alloc((n + 1) * sizeof *carried);
    for (uint32_t k = 0; k < n; k++)
        carried[k] = operand(v, op, k + gw_loop_first_init(v->f, op));
    gw_type t = counted ? gw_typeof(v->f, gw_operand(v->f, op, 0)) : GW_T_I32;
    int64_t i = counted ? operand(v, op, 0).i : 0, step = counted ? operand(v, op, 2).i : 0;
    for (bool stop = false; !stop; i = wrap(t, i + step)) {
        if (counted && !in_range(o->attr, t, i, operand(v, op, 1).i)) break;
        for (uint32_t k = 0; k < n && !counted; k++)
            v->values[gw_arg(v->f, o->region[0], k)] = carried[k];
        if (!counted) region(v, o->region[0]);
        if (!counted && !yielded(v, o->region[0], 0).i) break;
        if (counted) v->values[gw_arg(v->f, body, 0)].i = i;
        for (uint32_t k = 0; k < n; k++)
            v->values[gw_arg(v->f, body, k + counted)] = carried[k];
        region(v, body);
        stop = lead && yielded(v, body, 0).i;
        for (uint32_t k = 0; k < n; k++)
            carried[k] = yielded(v, body, k + lead);
        if (++v->steps > 1000000) abort();
    }
    for (uint32_t k = 0; k < n; k++)
        v->values[o->first_result + k] = carried[k];
    free(carried);
}

static void region(evaluation *v, gw_region r) {
    for (gw_op op = gw_first(v->f, r); op; op = gw_next(v->f, op)) {
        const gw_op_data *o = gw_op_at(v->f, op);
        switch (o->code) {
        case GW_OP_YIELD:
            break;
        case GW_OP_RET:
            for (uint32_t i = 0; i < o->operands && i < 4; i++)
                v->returned[i] = operand(v, op, i);
            break;
        case GW_OP_IF:
            branch(v, op);
            break;
        case GW_OP_FOR:
        case GW_OP_WHILE:
            loop(v, op);
            break;
        default:
            if (gw_op_rows[o->code].effect == GW_EFFECT_PURE)
                v->values[o->first_result] = pure(v, op);
            else
                memory_op(v, op);
        }
    }
}

void evaluation_run(evaluation *v) { region(v, v->f->entry); }
