/* evaluator.c - the integer part of a function for one thread (contract: evaluator.h). */
#include "evaluator.h"

#include <stdlib.h>
#include <string.h>

static int64_t reduce(gw_type t, __int128 exact, bool *undefined, bool strict) {
    uint32_t bits = gw_type_bits(t);
    bool sign = gw_type_is_signed(t);
    __int128 low = sign ? -((__int128)1 << (bits - 1)) : 0;
    __int128 high = ((__int128)1 << (sign ? bits - 1 : bits)) - 1;
    if (strict && sign && (exact < low || exact > high)) *undefined = true;
    unsigned __int128 mask = ((unsigned __int128)1 << bits) - 1;
    unsigned __int128 v = (unsigned __int128)exact & mask;
    if (sign && (v >> (bits - 1))) v |= ~mask;
    return (int64_t)v;
}

static __int128 wide(const evaluation *e, gw_value v) {
    gw_type t = gw_typeof(e->f, v);
    return gw_type_is_signed(t) ? (__int128)e->value[v] : (__int128)(uint64_t)e->value[v];
}

static bool compare(gw_opcode code, int order) {
    switch (code) {
    case GW_OP_EQ:
        return order == 0;
    case GW_OP_NE:
        return order != 0;
    case GW_OP_LT:
        return order < 0;
    case GW_OP_LE:
        return order <= 0;
    case GW_OP_GT:
        return order > 0;
    default:
        return order >= 0;
    }
}

static void binary_real(evaluation *e, gw_op op, gw_value a, gw_value b) {
    gw_value r = gw_result(e->f, op, 0);
    double x = e->real[a], y = e->real[b];
    uint16_t code = gw_op_at(e->f, op)->code;
    if (code == GW_OP_ADD)
        e->real[r] = x + y;
    else if (code == GW_OP_MUL)
        e->real[r] = x * y;
    else
        e->value[r] = compare((gw_opcode)code, x < y ? -1 : x > y);
}

static void binary(evaluation *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    gw_value a = gw_operand(e->f, op, 0), b = gw_operand(e->f, op, 1), r = gw_result(e->f, op, 0);
    gw_type t = gw_typeof(e->f, r);
    if (gw_type_is_float(gw_typeof(e->f, a))) {
        binary_real(e, op, a, b);
        return;
    }
    __int128 x = wide(e, a), y = wide(e, b), v = 0;
    bool strict = gw_type_bits(t) >= 32;
    switch (o->code) {
    case GW_OP_ADD:
        v = x + y;
        break;
    case GW_OP_SUB:
        v = x - y;
        break;
    case GW_OP_MUL:
        v = x * y;
        break;
    case GW_OP_DIV:
    case GW_OP_REM:
        if (y == 0)
            e->undefined = true;
        else
            v = o->code == GW_OP_DIV ? x / y : x % y;
        break;
    case GW_OP_AND:
        v = x & y;
        break;
    case GW_OP_OR:
        v = x | y;
        break;
    case GW_OP_XOR:
        v = x ^ y;
        break;
    case GW_OP_SHL:
    case GW_OP_SHR:
        if (y < 0 || y >= (__int128)gw_type_bits(t))
            e->undefined = true;
        else
            v = o->code == GW_OP_SHL ? x * ((__int128)1 << y) : x >> y;
        strict = false;
        break;
    case GW_OP_IMIN:
        v = x < y ? x : y;
        break;
    case GW_OP_IMAX:
        v = x > y ? x : y;
        break;
    default:
        v = compare((gw_opcode)o->code, x < y ? -1 : x > y);
        break;
    }
    e->value[r] = t == GW_T_BOOL ? (v != 0) : reduce(t, v, &e->undefined, strict);
}

static void convert(evaluation *e, gw_op op) {
    gw_value a = gw_operand(e->f, op, 0), r = gw_result(e->f, op, 0);
    gw_type t = gw_typeof(e->f, r);
    if (gw_type_is_float(t))
        e->real[r] = (double)wide(e, a);
    else if (t == GW_T_BOOL)
        e->value[r] = e->value[a] != 0;
    else
        e->value[r] = reduce(t, wide(e, a), &e->undefined, false);
}

static void unary(evaluation *e, gw_op op) {
    gw_value a = gw_operand(e->f, op, 0), r = gw_result(e->f, op, 0);
    gw_type t = gw_typeof(e->f, r);
    if (gw_op_at(e->f, op)->code == GW_OP_FABS)
        e->real[r] = e->real[a] < 0 ? -e->real[a] : e->real[a];
    else if (gw_op_at(e->f, op)->code == GW_OP_NEG)
        e->value[r] = reduce(t, -wide(e, a), &e->undefined, true);
    else if (t == GW_T_BOOL)
        e->value[r] = !e->value[a];
    else
        e->value[r] = reduce(t, ~wide(e, a), &e->undefined, false);
}

static void memory(evaluation *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    int64_t index[8];
    uint32_t n = gw_index_count(e->f, op);
    for (uint32_t i = 0; i < n; i++)
        index[i] = e->value[gw_operand(e->f, op, i)];
    if (e->access) e->access(e->context, op, index, n);
    if (o->code != GW_OP_LOAD || !gw_type_is_integer(gw_typeof(e->f, o->first_result))) return;
    e->beyond |= n && (index[0] < 0 || index[0] > 63);
    e->value[o->first_result] = e->at->list[(uint64_t)(n ? index[0] : 0) % 64];
}

static void region(evaluation *e, gw_region r, gw_value *yielded);

static void copy_values(evaluation *e, gw_value first_to, const gw_value *from, uint32_t count) {
    int64_t held[16];
    for (uint32_t i = 0; i < count; i++)
        held[i] = e->value[from[i]];
    for (uint32_t i = 0; i < count; i++)
        e->value[first_to + i] = held[i];
}

static void counted(evaluation *e, gw_op op) {
    const gw_op_data o = *gw_op_at(e->f, op);
    const gw_value *in = &e->f->operands.at[o.first_operand];
    gw_value iv = gw_arg(e->f, o.region[0], 0);
    gw_type t = gw_typeof(e->f, iv);
    __int128 hi = wide(e, in[1]), step = wide(e, in[2]);
    e->value[iv] = e->value[in[0]];
    copy_values(e, iv + 1, in + 3, o.results);
    while (!e->undefined && e->steps && compare((gw_opcode)o.attr, wide(e, iv) < hi ? -1 : wide(e, iv) > hi)) {
        gw_value next[16] = {0};
        __int128 now = wide(e, iv);
        region(e, o.region[0], next);
        copy_values(e, iv + 1, next, o.results);
        e->value[iv] = reduce(t, now + step, &e->undefined, true);
    }
    for (uint32_t i = 0; i < o.results; i++)
        e->value[o.first_result + i] = e->value[iv + 1 + i];
}

static void open_loop(evaluation *e, gw_op op) {
    const gw_op_data o = *gw_op_at(e->f, op);
    gw_value before = gw_arg(e->f, o.region[0], 0), inside = gw_arg(e->f, o.region[1], 0), next[16] = {0},
             condition[16] = {0};
    copy_values(e, before, &e->f->operands.at[o.first_operand], o.results);
    for (;;) {
        region(e, o.region[0], condition);
        if (e->undefined || !e->steps || !e->value[condition[0]]) break;
        for (uint32_t i = 0; i < o.results; i++)
            e->value[inside + i] = e->value[before + i];
        region(e, o.region[1], next);
        copy_values(e, before, next, o.results);
    }
    for (uint32_t i = 0; i < o.results; i++)
        e->value[o.first_result + i] = e->value[before + i];
}

static void operation(evaluation *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    gw_value r = o->first_result;
    gw_value yielded[16] = {0};
    switch (o->code) {
    case GW_OP_CONST:
        e->value[r] = o->imm.i;
        e->real[r] = o->imm.f;
        break;
    case GW_OP_SPECIAL:
        e->value[r] = e->at->dim[o->attr / 4][o->attr % 4];
        break;
    case GW_OP_CAST:
        convert(e, op);
        break;
    case GW_OP_NEG:
    case GW_OP_FABS:
    case GW_OP_NOT:
        unary(e, op);
        break;
    case GW_OP_SELECT:
        e->value[r] = e->value[gw_operand(e->f, op, e->value[gw_operand(e->f, op, 0)] ? 1 : 2)];
        break;
    case GW_OP_LOAD:
    case GW_OP_STORE:
    case GW_OP_ACCUM:
        memory(e, op);
        break;
    case GW_OP_IF:
        region(e, o->region[e->value[gw_operand(e->f, op, 0)] ? 0 : 1], yielded);
        copy_values(e, o->first_result, yielded, o->results);
        break;
    case GW_OP_FOR:
        counted(e, op);
        break;
    case GW_OP_WHILE:
        open_loop(e, op);
        break;
    case GW_OP_RET:
        break;
    default:
        binary(e, op);
        break;
    }
}

static void region(evaluation *e, gw_region r, gw_value *yielded) {
    for (gw_op op = gw_first(e->f, r); op && !e->undefined && e->steps; op = gw_next(e->f, op)) {
        const gw_op_data *o = gw_op_at(e->f, op);
        e->steps--;
        if (o->code != GW_OP_YIELD)
            operation(e, op);
        else
            for (uint32_t i = 0; i < o->operands; i++)
                yielded[i] = gw_operand(e->f, op, i);
    }
}

bool evaluate(evaluation *e) {
    uint32_t next = 0;
    if (!e->value) {
        e->value = gw_alloc(e->f->values.count * sizeof *e->value);
        e->real = gw_alloc(e->f->values.count * sizeof *e->real);
    }
    e->undefined = false;
    e->steps = 20000;
    for (uint32_t i = 0; i < e->f->params.count; i++) {
        gw_value v = e->f->params.at[i].value;
        if (v && !gw_type_is_float(gw_typeof(e->f, v))) e->value[v] = e->at->params[next++];
    }
    region(e, e->f->entry, NULL);
    return !e->undefined && e->steps;
}

int64_t evaluation_result(const evaluation *e, uint32_t i) {
    return e->value[gw_operand(e->f, gw_region_end(e->f, e->f->entry), i)];
}

void evaluation_free(evaluation *e) {
    free(e->value);
    free(e->real);
}
