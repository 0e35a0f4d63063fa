/*
 * frontend_complex.c - std::complex in real arithmetic.
 *
 * Products and quotients are the textbook formulas, so they differ from the library's in the last digits and where
 * infinities or overflow come in; functions are their definitions by real ones, on the same branches.
 */
#include "frontend_library.h"

#include <string.h>

typedef struct number {
    gw_value re, im;
    bool real; /* im is zero because the operand was a real number */
} number;

static gw_value op(gw_lowering *L, gw_opcode code, gw_value x, gw_value y) { return gw_binary(&L->b, code, x, y); }
static gw_value call1(gw_lowering *L, gw_opcode code, gw_value x) {
    return gw_pure(&L->b, code, gw_typeof(L->f, x), 0, &x, 1);
}
static gw_value call2(gw_lowering *L, gw_opcode code, gw_value x, gw_value y) {
    gw_value v[2] = {x, y};
    return gw_pure(&L->b, code, gw_typeof(L->f, x), 0, v, 2);
}

static bool is_complex(gw_lowering *L, gw_shape s) {
    return gw_front_shape_at(L->u, s)->library == GW_LIBRARY_COMPLEX;
}

static gw_type part_type(gw_lowering *L, gw_shape s) {
    return L->u->fields.at[gw_front_shape_at(L->u, s)->first].shape;
}

static number load(gw_lowering *L, gw_place p) {
    gw_value re = gw_front_load(L, gw_front_member(L, p, 0));
    return (number){re, gw_front_load(L, gw_front_member(L, p, 1)), false};
}

static void store(gw_lowering *L, gw_place p, number x) {
    gw_front_store(L, gw_front_member(L, p, 0), x.re);
    gw_front_store(L, gw_front_member(L, p, 1), x.im);
}

/* An operand, complex or real, in the given type. */
static number operand(gw_lowering *L, CXCursor e, gw_type type) {
    gw_shape s = gw_front_shape_of(L, e);
    number x = {0, 0, !is_complex(L, s)};
    if (x.real)
        x.re = gw_front_scalar(L, e), x.im = gw_front_zero(L, type);
    else
        x = load(L, gw_front_place(L, e));
    if (L->failed) return (number){gw_front_zero(L, type), gw_front_zero(L, type), true};
    x.re = gw_cast(&L->b, type, x.re), x.im = gw_cast(&L->b, type, x.im);
    return x;
}

static number add(gw_lowering *L, number x, number y, gw_opcode code) {
    return (number){op(L, code, x.re, y.re), op(L, code, x.im, y.im), false};
}

static number multiply(gw_lowering *L, number x, number y) {
    if (y.real) return (number){op(L, GW_OP_MUL, x.re, y.re), op(L, GW_OP_MUL, x.im, y.re), false};
    if (x.real) return multiply(L, y, x);
    gw_value re = op(L, GW_OP_SUB, op(L, GW_OP_MUL, x.re, y.re), op(L, GW_OP_MUL, x.im, y.im));
    gw_value im = op(L, GW_OP_ADD, op(L, GW_OP_MUL, x.re, y.im), op(L, GW_OP_MUL, x.im, y.re));
    return (number){re, im, false};
}

static gw_value square_of(gw_lowering *L, number x) {
    return op(L, GW_OP_ADD, op(L, GW_OP_MUL, x.re, x.re), op(L, GW_OP_MUL, x.im, x.im));
}

static number divide(gw_lowering *L, number x, number y) {
    if (y.real) return (number){op(L, GW_OP_DIV, x.re, y.re), op(L, GW_OP_DIV, x.im, y.re), false};
    gw_value size = square_of(L, y);
    number conjugate = {y.re, gw_unary(&L->b, GW_OP_NEG, y.im), false};
    number z = multiply(L, x, conjugate);
    return (number){op(L, GW_OP_DIV, z.re, size), op(L, GW_OP_DIV, z.im, size), false};
}

static number polar(gw_lowering *L, gw_value r, gw_value angle) {
    gw_value re = op(L, GW_OP_MUL, r, call1(L, GW_OP_COS, angle));
    return (number){re, op(L, GW_OP_MUL, r, call1(L, GW_OP_SIN, angle)), false};
}

static number exponential(gw_lowering *L, number x) { return polar(L, call1(L, GW_OP_EXP, x.re), x.im); }

static number logarithm(gw_lowering *L, number x) {
    gw_value size = call2(L, GW_OP_HYPOT, x.re, x.im);
    return (number){call1(L, GW_OP_LOG, size), call2(L, GW_OP_ATAN2, x.im, x.re), false};
}

static number root(gw_lowering *L, number x) {
    gw_type type = gw_typeof(L->f, x.re);
    gw_value size = call1(L, GW_OP_SQRT, call2(L, GW_OP_HYPOT, x.re, x.im));
    gw_value half = op(L, GW_OP_MUL, call2(L, GW_OP_ATAN2, x.im, x.re), gw_real(&L->b, type, 0.5));
    return polar(L, size, half);
}

/* f(a) g(b), and h(a) k(b) with a sign: sine and cosine of complex numbers. */
static number circular(gw_lowering *L, number x, const gw_opcode f[4], bool minus) {
    gw_value re = op(L, GW_OP_MUL, call1(L, f[0], x.re), call1(L, f[1], x.im));
    gw_value im = op(L, GW_OP_MUL, call1(L, f[2], x.re), call1(L, f[3], x.im));
    return (number){re, minus ? gw_unary(&L->b, GW_OP_NEG, im) : im, false};
}

static number function(gw_lowering *L, const char *name, number x) {
    static const gw_opcode sine[4] = {GW_OP_SIN, GW_OP_COSH, GW_OP_COS, GW_OP_SINH};
    static const gw_opcode cosine[4] = {GW_OP_COS, GW_OP_COSH, GW_OP_SIN, GW_OP_SINH};
    static const gw_opcode sine_h[4] = {GW_OP_SINH, GW_OP_COS, GW_OP_COSH, GW_OP_SIN};
    static const gw_opcode cosine_h[4] = {GW_OP_COSH, GW_OP_COS, GW_OP_SINH, GW_OP_SIN};
    if (strcmp(name, "sin") == 0) return circular(L, x, sine, false);
    if (strcmp(name, "cos") == 0) return circular(L, x, cosine, true);
    if (strcmp(name, "sinh") == 0) return circular(L, x, sine_h, false);
    if (strcmp(name, "cosh") == 0) return circular(L, x, cosine_h, false);
    if (strcmp(name, "tan") == 0) return divide(L, function(L, "sin", x), function(L, "cos", x));
    if (strcmp(name, "tanh") == 0) return divide(L, function(L, "sinh", x), function(L, "cosh", x));
    if (strcmp(name, "exp") == 0) return exponential(L, x);
    if (strcmp(name, "log") == 0) return logarithm(L, x);
    if (strcmp(name, "sqrt") == 0) return root(L, x);
    if (strcmp(name, "operator+") == 0) return x;
    number minus = {x.re, gw_unary(&L->b, GW_OP_NEG, x.im), false}; /* conj */
    if (strcmp(name, "operator-") == 0) minus.re = gw_unary(&L->b, GW_OP_NEG, x.re);
    return minus;
}

static number combine(gw_lowering *L, char sign, number x, number y) {
    switch (sign) {
    case '+':
        return add(L, x, y, GW_OP_ADD);
    case '-':
        return add(L, x, y, GW_OP_SUB);
    case '*':
        return multiply(L, x, y);
    case '/':
        return divide(L, x, y);
    default: /* pow */
        return exponential(L, multiply(L, logarithm(L, x), y));
    }
}

static void give(gw_library_call *c, number x) {
    gw_lowering *L = c->L;
    c->result.place = gw_front_temp(L, gw_front_shape_of(L, c->call), 0);
    if (!L->failed) store(L, c->result.place, x);
}

void gw_front_complex_part(gw_library_call *c) {
    c->result.value = gw_front_load(c->L, gw_front_member(c->L, c->self, c->name[0] == 'i'));
}

void gw_front_complex_set_part(gw_library_call *c) {
    gw_value v = gw_front_scalar(c->L, c->arguments->at[0]);
    gw_front_store(c->L, gw_front_member(c->L, c->self, c->name[0] == 'i'), v);
}

void gw_front_complex_compound(gw_library_call *c) {
    number y = operand(c->L, c->arguments->at[0], part_type(c->L, c->self.shape));
    number x = load(c->L, c->self);
    if (!c->L->failed) store(c->L, c->self, combine(c->L, c->name[strlen("operator")], x, y));
    c->result.place = c->self;
}

void gw_front_complex_binary(gw_library_call *c) {
    gw_type type = part_type(c->L, gw_front_shape_of(c->L, c->call));
    number x = operand(c->L, c->arguments->at[0], type), y = operand(c->L, c->arguments->at[1], type);
    bool is_pow = strcmp(c->name, "pow") == 0;
    if (!c->L->failed) give(c, combine(c->L, is_pow ? 'p' : c->name[strlen("operator")], x, y));
}

void gw_front_complex_equal(gw_library_call *c) {
    gw_shape left = gw_front_shape_of(c->L, c->arguments->at[0]), right = gw_front_shape_of(c->L, c->arguments->at[1]);
    gw_type type = part_type(c->L, is_complex(c->L, left) ? left : right);
    number x = operand(c->L, c->arguments->at[0], type), y = operand(c->L, c->arguments->at[1], type);
    gw_value same = op(c->L, GW_OP_AND, op(c->L, GW_OP_EQ, x.re, y.re), op(c->L, GW_OP_EQ, x.im, y.im));
    c->result.value = strstr(c->name, "!=") ? gw_unary(&c->L->b, GW_OP_NOT, same) : same;
}

void gw_front_complex_unary(gw_library_call *c) {
    number x = operand(c->L, c->arguments->at[0], part_type(c->L, gw_front_shape_of(c->L, c->call)));
    if (!c->L->failed) give(c, function(c->L, c->name, x));
}

void gw_front_complex_real(gw_library_call *c) {
    gw_lowering *L = c->L;
    number x = operand(L, c->arguments->at[0], gw_front_shape_of(L, c->call));
    if (strcmp(c->name, "real") == 0) c->result.value = x.re;
    if (strcmp(c->name, "imag") == 0) c->result.value = x.im;
    if (strcmp(c->name, "norm") == 0) c->result.value = square_of(L, x);
    if (strcmp(c->name, "abs") == 0) c->result.value = call2(L, GW_OP_HYPOT, x.re, x.im);
    if (strcmp(c->name, "arg") == 0) c->result.value = call2(L, GW_OP_ATAN2, x.im, x.re);
}

void gw_front_complex_polar(gw_library_call *c) {
    gw_lowering *L = c->L;
    gw_type type = part_type(L, gw_front_shape_of(L, c->call));
    gw_value r = gw_cast(&L->b, type, gw_front_scalar(L, c->arguments->at[0]));
    bool angle = c->arguments->count > 1 && !gw_front_is_default_argument(c->arguments->at[1]);
    gw_value a = angle ? gw_cast(&L->b, type, gw_front_scalar(L, c->arguments->at[1])) : gw_front_zero(L, type);
    if (!L->failed) give(c, polar(L, r, a));
}
