/*
 * emit/text/binary.c - two-operand operators: precedence, parentheses, and the conversions that C does by
 * itself.
 *
 * The text computes in exactly the types of the IR. A cast or a literal's suffix is left out only on one side
 * and only where the usual arithmetic conversions bring that side to the type that the other side has.
 * Parentheses stand where precedence asks for them and where compilers warn without them.
 */
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>

typedef struct operator_row {
    gw_opcode code;
    gw_precedence precedence, left, right; /* the operands need at least these */
} operator_row;

/* clang-format off */
static const operator_row operators[] = {
    {GW_OP_ADD, GW_PREC_ADD,     GW_PREC_ADD,   GW_PREC_MUL},
    {GW_OP_SUB, GW_PREC_ADD,     GW_PREC_ADD,   GW_PREC_MUL},
    {GW_OP_MUL, GW_PREC_MUL,     GW_PREC_MUL,   GW_PREC_UNARY},
    {GW_OP_DIV, GW_PREC_MUL,     GW_PREC_MUL,   GW_PREC_UNARY},
    {GW_OP_REM, GW_PREC_MUL,     GW_PREC_MUL,   GW_PREC_UNARY},
    {GW_OP_SHL, GW_PREC_SHIFT,   GW_PREC_UNARY, GW_PREC_UNARY},
    {GW_OP_SHR, GW_PREC_SHIFT,   GW_PREC_UNARY, GW_PREC_UNARY},
    {GW_OP_AND, GW_PREC_BITAND,  GW_PREC_UNARY, GW_PREC_UNARY},
    {GW_OP_XOR, GW_PREC_BITXOR,  GW_PREC_UNARY, GW_PREC_UNARY},
    {GW_OP_OR,  GW_PREC_BITOR,   GW_PREC_UNARY, GW_PREC_UNARY},
    {GW_OP_EQ,  GW_PREC_EQUAL,   GW_PREC_ADD,   GW_PREC_ADD},
    {GW_OP_NE,  GW_PREC_EQUAL,   GW_PREC_ADD,   GW_PREC_ADD},
    {GW_OP_LT,  GW_PREC_COMPARE, GW_PREC_ADD,   GW_PREC_ADD},
    {GW_OP_LE,  GW_PREC_COMPARE, GW_PREC_ADD,   GW_PREC_ADD},
    {GW_OP_GT,  GW_PREC_COMPARE, GW_PREC_ADD,   GW_PREC_ADD},
    {GW_OP_GE,  GW_PREC_COMPARE, GW_PREC_ADD,   GW_PREC_ADD},
};
/* clang-format on */

static const operator_row *row_of(gw_opcode code) {
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
        if (operators[i].code == code) return &operators[i];
    return NULL;
}

static bool is_compare(gw_opcode code) { return gw_op_rows[code].typing == GW_TYPING_BOOL; }

/* Does C bring the operand of cast v to v's type by itself, next to an operand of that type? */
static bool converts_alone(const gw_emitter *e, gw_value v, gw_opcode code) {
    gw_op op = gw_emit_inline_op(e, v, GW_OP_CAST);
    if (!op) return false;
    gw_type to = gw_typeof(e->f, v), from = gw_typeof(e->f, gw_operand(e->f, op, 0));
    int64_t x;
    if (from == GW_T_BOOL || gw_const_int(e->f, gw_operand(e->f, op, 0), &x)) return false;
    if (gw_type_is_float(to)) return !gw_type_is_float(from) || from < to;
    if (!gw_type_is_integer(to) || !gw_type_is_integer(from) || gw_type_bits(to) < 32) return false;
    if (gw_type_is_signed(to)) return gw_type_bits(from) < gw_type_bits(to);
    if (is_compare(code) && gw_type_is_signed(from)) return false; /* compilers warn of the sign */
    return gw_type_bits(from) <= gw_type_bits(to) && !(is_compare(code) && gw_type_bits(from) < 32);
}

/* An integer constant whose suffix the other operand's type makes superfluous. */
static bool is_plain_constant(const gw_emitter *e, gw_value v) {
    int64_t x;
    return gw_const_int(e->f, v, &x) && gw_typeof(e->f, v) != GW_T_BOOL && x >= 0 && x <= INT32_MAX;
}

static gw_piece side(gw_emitter *e, gw_value v, bool relaxed) {
    if (relaxed && is_plain_constant(e, v)) return gw_emit_literal(e, v, true);
    if (relaxed) v = gw_operand(e->f, gw_value_at(e->f, v)->op, 0);
    return gw_emit_expression(e, v, GW_IN_EXACT);
}

/* The operand that may be written without its conversion: 0, 1, or 2 for none. */
static uint32_t relaxed_side(const gw_emitter *e, gw_value a, gw_value b, gw_opcode code) {
    if (gw_op_rows[code].typing == GW_TYPING_SHIFT) return is_plain_constant(e, b) ? 1 : 2;
    if (gw_type_is_four(gw_typeof(e->f, a)) || gw_type_is_four(gw_typeof(e->f, b))) return 2;
    int64_t x;
    bool a_constant = gw_const_int(e->f, a, &x), b_constant = gw_const_int(e->f, b, &x);
    if (is_plain_constant(e, b) && !a_constant) return 1;
    if (is_plain_constant(e, a) && !b_constant) return 0;
    if (converts_alone(e, b, code)) return 1;
    return converts_alone(e, a, code) ? 0 : 2;
}

static gw_piece join(gw_piece a, const char *sign, gw_piece b, const operator_row *row) {
    if (row->precedence == GW_PREC_EQUAL || row->precedence == GW_PREC_COMPARE) { /* (!a) == b */
        if (a.is_not) a.precedence = GW_PREC_ASSIGN;
        if (b.is_not) b.precedence = GW_PREC_ASSIGN;
    }
    char *left = gw_piece_text(a, row->left), *right = gw_piece_text(b, row->right);
    char *text = gw_format("%s %s %s", left, sign, right);
    free(left);
    free(right);
    return gw_piece_new(text, row->precedence);
}

static const char *sign_of(gw_opcode code) { /* "$0 + $1" -> "+" */
    static const char *const signs[GW_OP_COUNT] = {
        [GW_OP_ADD] = "+", [GW_OP_SUB] = "-",  [GW_OP_MUL] = "*",  [GW_OP_DIV] = "/",
        [GW_OP_REM] = "%", [GW_OP_SHL] = "<<", [GW_OP_SHR] = ">>", [GW_OP_AND] = "&",
        [GW_OP_OR] = "|",  [GW_OP_XOR] = "^",  [GW_OP_EQ] = "==",  [GW_OP_NE] = "!=",
        [GW_OP_LT] = "<",  [GW_OP_LE] = "<=",  [GW_OP_GT] = ">",   [GW_OP_GE] = ">="};
    return signs[code];
}

/* a && b, a || b: mixed ones get parentheses, a chain of one kind does not. */
static gw_piece logical(gw_emitter *e, gw_op op, gw_opcode code) {
    if (code == GW_OP_XOR)
        return join(side(e, gw_operand(e->f, op, 0), false), "!=", side(e, gw_operand(e->f, op, 1), false),
                    row_of(GW_OP_NE));
    gw_precedence own = code == GW_OP_AND ? GW_PREC_AND : GW_PREC_OR;
    gw_piece a = side(e, gw_operand(e->f, op, 0), false), b = side(e, gw_operand(e->f, op, 1), false);
    char *left = gw_piece_text(a, a.precedence == own ? own : GW_PREC_BITOR);
    char *right = gw_piece_text(b, b.precedence == own ? own : GW_PREC_BITOR);
    char *text = gw_format("%s %s %s", left, code == GW_OP_AND ? "&&" : "||", right);
    free(left);
    free(right);
    return gw_piece_new(text, own);
}

/* The value behind an inline negation, or 0. */
static gw_value negated(const gw_emitter *e, gw_value v) {
    gw_type type = gw_typeof(e->f, v);
    gw_op op = gw_emit_inline_op(e, v, GW_OP_NEG);
    return op && (gw_type_is_float(type) || gw_type_bits(type) >= 32) ? gw_operand(e->f, op, 0) : 0;
}

static bool is_negative_constant(const gw_emitter *e, gw_value v) {
    int64_t i;
    double x;
    if (gw_const_real(e->f, v, &x)) return x < 0;
    return gw_const_int(e->f, v, &i) && gw_type_is_signed(gw_typeof(e->f, v)) && i < 0 && i > INT32_MIN;
}

/* a + -b is written a - b, and -a + b is b - a: exact for integers and IEEE numbers alike. So is a + -b * c as
 * a - b * c, for the latter. */
static gw_piece sum(gw_emitter *e, gw_op op, gw_opcode code) {
    gw_value a = gw_operand(e->f, op, 0), b = gw_operand(e->f, op, 1);
    const operator_row *row = row_of(GW_OP_ADD);
    const char *other = code == GW_OP_ADD ? "-" : "+";
    if (negated(e, b)) return join(side(e, a, false), other, side(e, negated(e, b), false), row);
    if (is_negative_constant(e, b) && gw_emit_is_inline(&e->plan, b)) {
        gw_piece minus = gw_emit_literal(e, b, false);
        gw_piece plus = gw_piece_new(gw_strdup(minus.text.at + 1), GW_PREC_PRIMARY);
        gw_text_free(&minus.text);
        return join(side(e, a, false), other, plus, row);
    }
    if (code == GW_OP_ADD && negated(e, a))
        return join(side(e, b, false), "-", side(e, negated(e, a), false), row);
    uint32_t relaxed = relaxed_side(e, a, b, code);
    gw_piece right = side(e, b, relaxed == 1);
    bool flips = gw_piece_strip_minus(&right, gw_typeof(e->f, b));
    return join(side(e, a, relaxed == 0), flips ? other : sign_of(code), right, row);
}

/* __fadd_rn(a * b, c): no compiler makes one operation of it. */
static gw_piece rounded(gw_emitter *e, gw_op op, gw_opcode code) {
    gw_value a = gw_operand(e->f, op, 0), b = gw_operand(e->f, op, 1);
    const char *name = code == GW_OP_ADD ? "add" : "sub";
    char *left = gw_emit_text(e, a, GW_IN_EXACT, GW_PREC_ASSIGN),
         *right = gw_emit_text(e, b, GW_IN_EXACT, GW_PREC_ASSIGN);
    char *text = gw_format("__%c%s_rn(%s, %s)", gw_typeof(e->f, a) == GW_T_F32 ? 'f' : 'd', name, left, right);
    free(left);
    free(right);
    return gw_piece_new(text, GW_PREC_PRIMARY);
}

gw_piece gw_emit_binary(gw_emitter *e, gw_op op, gw_opcode code) {
    gw_value a = gw_operand(e->f, op, 0), b = gw_operand(e->f, op, 1);
    if (gw_op_at(e->f, op)->flags & GW_OP_ROUNDED) return rounded(e, op, code);
    bool boolean = gw_typeof(e->f, a) == GW_T_BOOL;
    if (boolean && (code == GW_OP_AND || code == GW_OP_OR || code == GW_OP_XOR)) return logical(e, op, code);
    if (code == GW_OP_ADD || code == GW_OP_SUB) return sum(e, op, code);
    uint32_t relaxed = relaxed_side(e, a, b, code);
    return join(side(e, a, relaxed == 0), sign_of(code), side(e, b, relaxed == 1), row_of(code));
}
