/*
 * frontend/object/complex.c - std::complex and C's complex numbers in real arithmetic.
 *
 * Products and quotients are the textbook formulas, so they differ from the library's in the last digits and
 * where infinities or overflow come in; functions are their definitions by real ones, on the same branches.
 */
#include "plugin/frontend/lower.h"
#include "plugin/frontend/object/library.h"
#include "plugin/frontend/object/object.h"

#include <string.h>

typedef struct number {
    gw_value re, im;
    bool real; /* im is zero because the operand was a real number */
} number;

static gw_value op(gw_lowering *L, gw_opcode code, gw_value x, gw_value y) {
    return gw_binary(&L->b, code, x, y);
}
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

static number evaluate(gw_lowering *L, CXCursor e);

/* An operand, complex or real, in the given type. */
static number operand(gw_lowering *L, CXCursor e, gw_type type) {
    gw_shape s = gw_front_shape_of(L, e);
    number x = {0, 0, !is_complex(L, s)};
    if (gw_front_is_complex(L, e))
        x = evaluate(L, e);
    else if (x.real)
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
    c->result.value =
        gw_front_complex_compare(c->L, c->arguments->at[0], c->arguments->at[1], strstr(c->name, "!=") != NULL);
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

/* ---- C's complex numbers ---- */
bool gw_front_is_complex(gw_lowering *L, CXCursor e) {
    (void)L;
    CXType type = clang_getCursorType(e);
    if (type.kind == CXType_Invalid) return false; /* of what libclang has no expression for */
    return clang_getCanonicalType(clang_getNonReferenceType(type)).kind == CXType_Complex;
}

static number nothing(gw_lowering *L, gw_type type) {
    return (number){gw_front_zero(L, type), gw_front_zero(L, type), true};
}

/* {}, {x}, or {real part, imaginary part} */
static number of_list(gw_lowering *L, CXCursor list, gw_type type) {
    gw_cursors parts = {0};
    gw_front_expressions(list, &parts);
    number x = parts.count ? operand(L, parts.at[0], type) : nothing(L, type);
    if (parts.count == 2) x.im = gw_cast(&L->b, type, gw_front_scalar(L, parts.at[1])), x.real = false;
    gw_vec_free(&parts);
    return x;
}

static number of_cast(gw_lowering *L, CXCursor e, gw_type type) {
    CXCursor inner = gw_front_operand(L, e);
    if (!clang_Cursor_isNull(inner)) return operand(L, gw_front_strip(inner), type);
    gw_front_refuse_kind(L, e);
    return nothing(L, type);
}

static number of_binary(gw_lowering *L, CXCursor e, gw_type type) {
    static const struct {
        enum CXBinaryOperatorKind kind;
        char sign;
    } signs[] = {{CXBinaryOperator_Add, '+'},
                 {CXBinaryOperator_Sub, '-'},
                 {CXBinaryOperator_Mul, '*'},
                 {CXBinaryOperator_Div, '/'}};
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(e);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (signs[i].kind != kind) continue;
        gw_cursors parts = {0};
        gw_front_expressions(e, &parts);
        number x = operand(L, parts.at[0], type), y = operand(L, parts.at[1], type);
        gw_vec_free(&parts);
        return combine(L, signs[i].sign, x, y);
    }
    return load(L, gw_front_place(L, e)); /* an assignment, a comma */
}

static number of_unary(gw_lowering *L, CXCursor e, gw_type type) {
    CXCursor inner = gw_front_expression(e);
    switch (clang_getCursorUnaryOperatorKind(e)) {
    case CXUnaryOperator_Minus:
        return function(L, "operator-", operand(L, inner, type));
    case CXUnaryOperator_Not:
        return function(L, "conj", operand(L, inner, type));
    case CXUnaryOperator_Plus:
    case CXUnaryOperator_Extension:
        return operand(L, inner, type);
    case CXUnaryOperator_Deref:
        return load(L, gw_front_place(L, e));
    default:
        gw_front_refuse(L, e, "this operator on a complex number", "write it with + - * /");
        return nothing(L, type);
    }
}

/* The value of an expression of complex type. */
static number evaluate(gw_lowering *L, CXCursor e) {
    e = gw_front_strip(e);
    gw_type type = part_type(L, gw_front_shape_of(L, e));
    enum CXCursorKind kind = clang_getCursorKind(e);
    number x = nothing(L, type);
    if (L->failed) return x;
    if (kind == CXCursor_InitListExpr) {
        x = of_list(L, e, type);
    } else if (gw_front_is_cast(kind)) {
        x = of_cast(L, e, type);
    } else if (kind == CXCursor_ImaginaryLiteral) {
        x.im = gw_cast(&L->b, type, gw_front_scalar(L, gw_front_expression(e))), x.real = false;
    } else if (kind == CXCursor_UnaryOperator) {
        x = of_unary(L, e, type);
    } else if (kind == CXCursor_BinaryOperator) {
        x = of_binary(L, e, type);
    } else if (kind == CXCursor_ConditionalOperator || kind == CXCursor_StmtExpr) {
        gw_place t = gw_front_temp(L, gw_front_shape_of(L, e), 0);
        if (kind == CXCursor_StmtExpr) gw_front_statement_value(L, t, e);
        else gw_front_choose(L, e, t);
        if (!L->failed) x = load(L, t);
    } else {
        gw_place p = gw_front_place(L, e);
        if (!L->failed) x = load(L, p);
    }
    return x;
}

void gw_front_complex_initialize(gw_lowering *L, gw_place to, CXCursor e) {
    number x = operand(L, e, part_type(L, to.shape));
    if (!L->failed) store(L, to, x);
}

gw_value gw_front_complex_to_real(gw_lowering *L, CXCursor cast, CXCursor e) {
    if (gw_front_shape_of(L, cast) == GW_T_BOOL)
        gw_front_refuse(L, cast, "a complex number as a condition", "compare it with 0");
    return evaluate(L, e).re;
}

gw_value gw_front_complex_compare(gw_lowering *L, CXCursor left, CXCursor right, bool differ) {
    gw_shape shape = gw_front_shape_of(L, left);
    gw_type type = part_type(L, is_complex(L, shape) ? shape : gw_front_shape_of(L, right));
    number x = operand(L, left, type), y = operand(L, right, type);
    gw_value same = op(L, GW_OP_AND, op(L, GW_OP_EQ, x.re, y.re), op(L, GW_OP_EQ, x.im, y.im));
    return differ ? gw_unary(&L->b, GW_OP_NOT, same) : same;
}

/* In the wider of both types. */
gw_place gw_front_complex_assign(gw_lowering *L, CXCursor e, CXCursor left, CXCursor right) {
    static const struct {
        enum CXBinaryOperatorKind kind;
        char sign;
    } signs[] = {{CXBinaryOperator_AddAssign, '+'}, {CXBinaryOperator_SubAssign, '-'},
                 {CXBinaryOperator_MulAssign, '*'}, {CXBinaryOperator_DivAssign, '/'}};
    gw_shape with = gw_front_shape_of(L, right);
    gw_type own = part_type(L, gw_front_shape_of(L, left)),
            type = is_complex(L, with) ? part_type(L, with) : with;
    if (!gw_type_is_float(type) || type < own) type = own;
    number y = operand(L, right, type);
    gw_place to = gw_front_lvalues(L, gw_front_place(L, left));
    for (size_t i = 0; i < sizeof signs / sizeof *signs && !L->failed; i++) {
        if (signs[i].kind != clang_getCursorBinaryOperatorKind(e)) continue;
        number x = load(L, to);
        x.re = gw_cast(&L->b, type, x.re), x.im = gw_cast(&L->b, type, x.im);
        store(L, to, combine(L, signs[i].sign, x, y));
    }
    return to;
}

/* cexp, cexpf, cexpl: the function of <complex.h> without c and the type, or NULL. */
static const char *c_function(const char *name) {
    static const char *const names[] = {"real", "imag", "abs", "arg", "conj", "exp",  "log", "sqrt",
                                        "pow",  "sin",  "cos", "tan", "sinh", "cosh", "tanh"};
    const char *own = strncmp(name, "conj", 4) == 0 ? name : name + 1;
    for (size_t i = 0; i < sizeof names / sizeof *names && name[0] == 'c'; i++) {
        size_t n = strlen(names[i]);
        bool typed = strlen(own) == n + 1 && (own[n] == 'f' || own[n] == 'l');
        if (strncmp(own, names[i], n) == 0 && (!own[n] || typed)) return names[i];
    }
    return NULL;
}

bool gw_front_complex_call(gw_lowering *L, CXCursor call, CXCursor callee, gw_cursors *arguments,
                           gw_call_result *result) {
    const char *name = GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(callee)));
    const char *builtin = gw_front_builtin_name(name);
    bool is_library = builtin || clang_Location_isInSystemHeader(clang_getCursorLocation(callee));
    name = c_function(builtin ? builtin : name);
    if (!name || !is_library || !arguments->count || !gw_front_is_complex(L, arguments->at[0])) return false;
    gw_library_call c = {.L = L, .call = call, .callee = callee, .name = name, .arguments = arguments};
    if (strcmp(name, "pow") == 0) gw_front_complex_binary(&c);
    else if (gw_front_is_complex(L, call)) gw_front_complex_unary(&c);
    else gw_front_complex_real(&c);
    *result = c.result;
    return true;
}
