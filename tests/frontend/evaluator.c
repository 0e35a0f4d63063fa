#include "evaluator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- layout ---- */
static size_t align_of(const gw_session *s, gw_type t) {
    const gw_type_data *d = &s->types.at[t];
    if (d->kind == GW_TYPE_SCALAR) return gw_type_bytes(t) ? gw_type_bytes(t) : 1;
    if (d->kind == GW_TYPE_ARRAY) return align_of(s, d->element);
    size_t align = 1;
    for (uint32_t i = 0; i < d->count; i++) {
        size_t a = align_of(s, s->fields.at[d->first + i].type);
        if (a > align) align = a;
    }
    return align;
}

static size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

static size_t offset_of_field(const gw_session *s, gw_type t, uint32_t field) {
    const gw_type_data *d = &s->types.at[t];
    size_t at = 0;
    for (uint32_t i = 0; i <= field; i++) {
        gw_type of = s->fields.at[d->first + i].type;
        at = round_up(at, align_of(s, of));
        if (i < field) at += evaluation_size(s, of);
    }
    return at;
}

size_t evaluation_size(const gw_session *s, gw_type t) {
    const gw_type_data *d = &s->types.at[t];
    if (d->kind == GW_TYPE_SCALAR) return gw_type_bytes(t);
    if (d->kind == GW_TYPE_ARRAY) return d->count * evaluation_size(s, d->element);
    if (!d->count) return 1;
    size_t last =
        offset_of_field(s, t, d->count - 1) + evaluation_size(s, s->fields.at[d->first + d->count - 1].type);
    return round_up(last, align_of(s, t));
}

/* ---- evaluation ---- */
void evaluation_begin(evaluation *e, const gw_func *f, void *(*global)(const char *name)) {
    *e = (evaluation){.f = f, .global = global, .steps = 1000000};
    e->values = gw_alloc((f->values.count + 1) * sizeof *e->values);
    e->memory = gw_alloc((f->objects.count + 1) * sizeof *e->memory);
    e->owned = gw_alloc(f->objects.count + 1);
    for (gw_object o = 1; o < f->objects.count; o++) {
        const gw_object_data *d = &f->objects.at[o];
        if (d->kind == GW_OBJECT_GLOBAL) e->memory[o] = global(gw_cstr(f->session, d->name));
        if (d->kind != GW_OBJECT_LOCAL) continue;
        e->memory[o] = gw_alloc(evaluation_size(f->session, d->type));
        e->owned[o] = true;
    }
}

void evaluation_end(evaluation *e) {
    for (gw_object o = 1; o < e->f->objects.count; o++)
        if (e->owned[o]) free(e->memory[o]);
    free(e->values);
    free(e->memory);
    free(e->owned);
}

static number operand(const evaluation *e, gw_op op, uint32_t i) { return e->values[gw_operand(e->f, op, i)]; }

static int64_t wrap(gw_type t, int64_t v) {
    uint32_t bits = gw_type_bits(t);
    if (t == GW_T_BOOL) return v != 0;
    if (bits >= 64) return v;
    uint64_t low = (uint64_t)v & (((uint64_t)1 << bits) - 1);
    if (gw_type_is_signed(t) && (low >> (bits - 1))) low |= ~(((uint64_t)1 << bits) - 1);
    return (int64_t)low;
}

static double narrow(gw_type t, double x) { return t == GW_T_F32 ? (double)(float)x : x; }

static bool compare_integers(gw_opcode code, bool sign, int64_t x, int64_t y) {
    bool less = sign ? x < y : (uint64_t)x < (uint64_t)y;
    bool same = x == y;
    bool table[] = {same, !same, less, less || same, !less && !same, !less};
    unsigned row = (unsigned)code - GW_OP_EQ;
    return row < sizeof table / sizeof *table && table[row];
}

static uint64_t divide(evaluation *e, gw_opcode code, bool sign, int64_t x, int64_t y) {
    if (!y) {
        e->wrong = "division by zero";
        return 0;
    }
    if (code == GW_OP_DIV) return sign ? (uint64_t)(x / y) : (uint64_t)x / (uint64_t)y;
    return sign ? (uint64_t)(x % y) : (uint64_t)x % (uint64_t)y;
}

static number integer_op(evaluation *e, gw_opcode code, gw_type t, number x, number y) {
    bool sign = gw_type_is_signed(t);
    uint64_t a = (uint64_t)x.i, b = (uint64_t)y.i, r = 0;
    if (gw_op_rows[code].typing == GW_TYPING_BOOL) return (number){.i = compare_integers(code, sign, x.i, y.i)};
    bool less = compare_integers(GW_OP_LT, sign, x.i, y.i);
    if (code == GW_OP_ADD)
        r = a + b;
    else if (code == GW_OP_SUB)
        r = a - b;
    else if (code == GW_OP_MUL)
        r = a * b;
    else if (code == GW_OP_DIV || code == GW_OP_REM)
        r = divide(e, code, sign, x.i, y.i);
    else if (code == GW_OP_AND)
        r = a & b;
    else if (code == GW_OP_OR)
        r = a | b;
    else if (code == GW_OP_XOR)
        r = a ^ b;
    else if (code == GW_OP_SHL)
        r = a << b;
    else if (code == GW_OP_SHR)
        r = sign ? (uint64_t)(x.i >> b) : a >> b;
    else if (code == GW_OP_IMIN)
        r = less ? a : b;
    else if (code == GW_OP_IMAX)
        r = less ? b : a;
    else
        e->wrong = "integer operation";
    return (number){.i = wrap(t, (int64_t)r)};
}

static double math(evaluation *e, gw_opcode code, double x) {
    switch (code) {
    case GW_OP_NEG:
        return -x;
    case GW_OP_SQRT:
        return sqrt(x);
    case GW_OP_EXP:
        return exp(x);
    case GW_OP_SIN:
        return sin(x);
    case GW_OP_COS:
        return cos(x);
    case GW_OP_FABS:
        return fabs(x);
    case GW_OP_FLOOR:
        return floor(x);
    case GW_OP_TRUNC:
        return trunc(x);
    case GW_OP_FRACTION:
        return copysign(x - trunc(x), x);
    case GW_OP_RINT:
        return rint(x);
    case GW_OP_TAN:
        return tan(x);
    case GW_OP_SINH:
        return sinh(x);
    case GW_OP_COSH:
        return cosh(x);
    case GW_OP_TANH:
        return tanh(x);
    case GW_OP_LOG:
        return log(x);
    default:
        e->wrong = "function of one number";
        return 0;
    }
}

static number real_op(evaluation *e, gw_opcode code, gw_type t, double x, double y) {
    number r = {0};
    switch (code) {
    case GW_OP_ADD:
        r.f = narrow(t, x + y);
        break;
    case GW_OP_SUB:
        r.f = narrow(t, x - y);
        break;
    case GW_OP_MUL:
        r.f = narrow(t, x * y);
        break;
    case GW_OP_DIV:
        r.f = narrow(t, x / y);
        break;
    case GW_OP_FMIN:
        r.f = fmin(x, y);
        break;
    case GW_OP_FMAX:
        r.f = fmax(x, y);
        break;
    case GW_OP_FMOD:
        r.f = fmod(x, y);
        break;
    case GW_OP_POW:
        r.f = narrow(t, pow(x, y));
        break;
    case GW_OP_HYPOT:
        r.f = narrow(t, hypot(x, y));
        break;
    case GW_OP_ATAN2:
        r.f = narrow(t, atan2(x, y));
        break;
    case GW_OP_COPYSIGN:
        r.f = copysign(x, y);
        break;
    case GW_OP_EQ:
        r.i = x == y;
        break;
    case GW_OP_NE:
        r.i = x != y;
        break;
    case GW_OP_LT:
        r.i = x < y;
        break;
    case GW_OP_LE:
        r.i = x <= y;
        break;
    case GW_OP_GT:
        r.i = x > y;
        break;
    case GW_OP_GE:
        r.i = x >= y;
        break;
    default:
        e->wrong = "function of two numbers";
        break;
    }
    return r;
}

static number cast(gw_type to, gw_type from, number x) {
    bool from_real = gw_type_is_float(from), to_real = gw_type_is_float(to);
    if (from_real && to_real) return (number){.f = narrow(to, x.f)};
    if (from_real) return (number){.i = to == GW_T_BOOL ? x.f != 0 : wrap(to, (int64_t)x.f)};
    if (!to_real) return (number){.i = wrap(to, x.i)};
    if (to == GW_T_F32)
        return (number){.f = from == GW_T_U64 ? (double)(float)(uint64_t)x.i : (double)(float)x.i};
    return (number){.f = from == GW_T_U64 ? (double)(uint64_t)x.i : (double)x.i};
}

static uint8_t *address(evaluation *e, gw_op op, gw_type *cell) {
    const gw_session *s = e->f->session;
    const gw_op_data *o = gw_op_at(e->f, op);
    const gw_object_data *object = gw_object_at(e->f, o->object);
    const char *path = gw_cstr(s, o->path);
    uint8_t *p = e->memory[o->object];
    gw_type t = object->type;
    uint32_t next = 0;
    if (object->kind == GW_OBJECT_POINTER) {
        p += operand(e, op, next++).i * (int64_t)evaluation_size(s, t);
        path += 2;
    }
    while (*path) {
        if (*path == '[') {
            int64_t index = operand(e, op, next++).i;
            if (index < 0 || index >= (int64_t)s->types.at[t].count) e->wrong = "an index out of bounds";
            t = s->types.at[t].element;
            p += index * (int64_t)evaluation_size(s, t);
            path += 2;
            continue;
        }
        size_t n = strcspn(path + 1, ".[");
        const gw_type_data *d = &s->types.at[t];
        uint32_t field = 0;
        while (field < d->count) {
            const char *name = gw_cstr(s, s->fields.at[d->first + field].name);
            if (strlen(name) == n && strncmp(name, path + 1, n) == 0) break;
            field++;
        }
        p += offset_of_field(s, t, field);
        t = s->fields.at[d->first + field].type;
        path += 1 + n;
    }
    *cell = t;
    return p;
}

static number read_cell(const uint8_t *p, gw_type t) {
    number r = {0};
    float f;
    if (t == GW_T_F32)
        memcpy(&f, p, sizeof f), r.f = (double)f;
    else if (t == GW_T_F64)
        memcpy(&r.f, p, sizeof r.f);
    else {
        memcpy(&r.i, p, gw_type_bytes(t));
        r.i = wrap(t, r.i);
    }
    return r;
}

static void write_cell(uint8_t *p, gw_type t, number v) {
    float f = (float)v.f;
    if (t == GW_T_F32)
        memcpy(p, &f, sizeof f);
    else if (t == GW_T_F64)
        memcpy(p, &v.f, sizeof v.f);
    else
        memcpy(p, &v.i, gw_type_bytes(t));
}

static void run_region(evaluation *e, gw_region r, number *yields);

static void set_args(evaluation *e, gw_region r, uint32_t from, const number *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        e->values[gw_arg(e->f, r, from + i)] = values[i];
}

static void run_loop(evaluation *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    bool counted = o->code == GW_OP_FOR, exits = (o->flags & GW_OP_EXIT) != 0;
    uint32_t first = counted ? 3 : 0, carried = o->operands - first;
    number *state = gw_alloc((carried + 1) * sizeof *state), *next = gw_alloc((carried + 2) * sizeof *next);
    gw_region body = o->region[counted ? 0 : 1];
    for (uint32_t i = 0; i < carried; i++)
        state[i] = operand(e, op, first + i);
    number iv = counted ? operand(e, op, 0) : (number){0};
    gw_type t = counted ? gw_typeof(e->f, gw_arg(e->f, body, 0)) : GW_T_VOID;
    for (;;) {
        number go = {0};
        if (counted) {
            go = integer_op(e, (gw_opcode)o->attr, t, iv, operand(e, op, 1));
            e->values[gw_arg(e->f, body, 0)] = iv;
        } else {
            set_args(e, o->region[0], 0, state, carried);
            run_region(e, o->region[0], &go);
        }
        if (!go.i || e->wrong) break;
        set_args(e, body, counted, state, carried);
        run_region(e, body, next);
        memcpy(state, next + exits, carried * sizeof *state);
        if (exits && next[0].i) break;
        if (counted) iv = integer_op(e, GW_OP_ADD, t, iv, operand(e, op, 2));
    }
    for (uint32_t i = 0; i < o->results; i++)
        e->values[gw_result(e->f, op, i)] = state[i];
    free(state);
    free(next);
}

static void run_call(evaluation *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    const gw_func *callee = gw_func_find(e->f->session, o->callee);
    if (!callee) {
        e->wrong = "a call of no function";
        return;
    }
    evaluation inner;
    evaluation_begin(&inner, callee, e->global);
    for (uint32_t i = 0; i < o->operands; i++)
        inner.values[callee->params.at[i].value] = operand(e, op, i);
    evaluation_run(&inner);
    e->values[gw_result(e->f, op, 0)] = inner.result;
    if (inner.wrong) e->wrong = inner.wrong;
    evaluation_end(&inner);
}

/* Numbers of bits; bit by bit, so as not to be what it is compared with. */
static int64_t count_bits(gw_opcode code, uint32_t bits, int64_t x) {
    int64_t ones = 0, lowest = 0, zeros = bits;
    for (uint32_t i = 0; i < bits; i++) {
        if (!((uint64_t)x >> i & 1)) continue;
        ones++;
        zeros = (int64_t)bits - 1 - i;
        if (!lowest) lowest = (int64_t)i + 1;
    }
    if (code == GW_OP_CLZ) return zeros;
    return code == GW_OP_FFS ? lowest : ones;
}

static number pure(evaluation *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    gw_type result = gw_typeof(e->f, gw_result(e->f, op, 0));
    if (o->code == GW_OP_CONST)
        return gw_type_is_float(result) ? (number){.f = o->imm.f} : (number){.i = o->imm.i};
    if (!o->operands) {
        e->wrong = "operation without operands";
        return (number){0};
    }
    gw_type t = gw_typeof(e->f, gw_operand(e->f, op, 0));
    number x = operand(e, op, 0), y = o->operands > 1 ? operand(e, op, 1) : (number){0};
    if (o->code == GW_OP_CAST) return cast(result, t, x);
    if (o->code == GW_OP_SELECT) return operand(e, op, x.i ? 1 : 2);
    if (gw_type_is_float(t)) {
        if (o->code == GW_OP_FMA) return (number){.f = fma(x.f, y.f, operand(e, op, 2).f)};
        if (o->code == GW_OP_ISNAN) return (number){.i = isnan(x.f) != 0};
        if (o->code == GW_OP_ISFINITE) return (number){.i = isfinite(x.f) != 0};
        if (o->operands == 2) return real_op(e, (gw_opcode)o->code, t, x.f, y.f);
        return (number){.f = narrow(t, math(e, (gw_opcode)o->code, x.f))};
    }
    if (o->code == GW_OP_NEG) return (number){.i = wrap(t, (int64_t)(0 - (uint64_t)x.i))};
    if (o->code == GW_OP_NOT) return (number){.i = t == GW_T_BOOL ? !x.i : wrap(t, ~x.i)};
    if (o->code == GW_OP_POPC || o->code == GW_OP_CLZ || o->code == GW_OP_FFS)
        return (number){.i = count_bits((gw_opcode)o->code, gw_type_bits(t), x.i)};
    if (o->code == GW_OP_IABS) return (number){.i = x.i < 0 ? -x.i : x.i};
    return integer_op(e, (gw_opcode)o->code, t, x, y);
}

static void run_memory(evaluation *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    gw_type cell;
    if (o->code == GW_OP_DECLARE) {
        const gw_object_data *d = gw_object_at(e->f, o->object);
        memset(e->memory[o->object], d->zeroed ? 0 : 0x7b, evaluation_size(e->f->session, d->type));
        return;
    }
    uint8_t *p = address(e, op, &cell);
    if (e->wrong) return;
    if (o->code == GW_OP_LOAD)
        e->values[gw_result(e->f, op, 0)] = read_cell(p, cell);
    else
        write_cell(p, cell, operand(e, op, o->operands - 1));
}

static void run_op(evaluation *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    switch (o->code) {
    case GW_OP_LOAD:
    case GW_OP_STORE:
    case GW_OP_DECLARE:
        run_memory(e, op);
        break;
    case GW_OP_CALL:
        run_call(e, op);
        break;
    case GW_OP_FOR:
    case GW_OP_WHILE:
        run_loop(e, op);
        break;
    case GW_OP_IF: {
        number *yields = gw_alloc((o->results + 1) * sizeof *yields);
        run_region(e, o->region[operand(e, op, 0).i ? 0 : 1], yields);
        for (uint32_t i = 0; i < o->results; i++)
            e->values[gw_result(e->f, op, i)] = yields[i];
        free(yields);
        break;
    }
    default:
        e->values[gw_result(e->f, op, 0)] = pure(e, op);
        break;
    }
}

static void run_region(evaluation *e, gw_region r, number *yields) {
    for (gw_op op = gw_first(e->f, r); op && !e->wrong; op = gw_next(e->f, op)) {
        const gw_op_data *o = gw_op_at(e->f, op);
        if (!e->steps--) e->wrong = "too many steps";
        if (o->code != GW_OP_YIELD && o->code != GW_OP_RET) {
            run_op(e, op);
            continue;
        }
        for (uint32_t i = 0; i < o->operands; i++)
            yields[i] = operand(e, op, i);
        return;
    }
}

void evaluation_run(evaluation *e) { run_region(e, e->f->entry, &e->result); }
