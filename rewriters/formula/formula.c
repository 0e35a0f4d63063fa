/*
 * formula.c - partial derivatives from deriv.def as IR: a recursive-descent reader of the formulas that
 * builds while it reads. The formulas are ours and fixed; one that cannot be read is found by the test
 * that builds every row.
 */
#include "rewriters/formula/formula.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
    gw_opcode code;
    uint32_t operand;
    const char *text;
} row;
static const row rows[] = {
#define GW_DERIV(OP, operand, formula) {GW_OP_##OP, operand, formula},
#include "analysis/ir/deriv.def"
#undef GW_DERIV
};

static const struct {
    gw_opcode code;
    gw_type type;
    bool fast;
} intrinsics[] = {
#define GW_INTRIN(name, OP, type, fast) {GW_OP_##OP, GW_T_##type, fast},
#include "analysis/ir/intrin.def"
};

const char *gw_formula(gw_opcode code, uint32_t operand) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].code == code && rows[i].operand == operand) return rows[i].text;
    return NULL;
}

bool gw_formula_reads(const char *formula, char letter) {
    for (const char *at = formula; *at;) {
        if (!isalpha((unsigned char)*at)) {
            at++;
            continue;
        }
        const char *word = at;
        while (gw_is_word(*at)) at++;
        if (at - word == 1 && *word == letter) return true;
    }
    return false;
}

bool gw_intrinsic_exists(gw_opcode code, gw_type type, bool fast) {
    for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
        if (intrinsics[i].code == code && intrinsics[i].type == type && intrinsics[i].fast == fast) return true;
    return false;
}

typedef struct reader {
    gw_builder *b;
    const char *at;
    const gw_formula_values *v;
    gw_type type;
    uint16_t flags;
} reader;

static gw_value read_choice(reader *r);

static bool take(reader *r, const char *token) {
    while (*r->at == ' ') r->at++;
    size_t n = strlen(token);
    if (strncmp(r->at, token, n) != 0) return false;
    r->at += n;
    return true;
}

static gw_value read_letter(const reader *r, char c) {
    switch (c) {
    case 'a': return r->v->operand[0];
    case 'b': return r->v->operand[1];
    case 'c': return r->v->operand[2];
    case 'd': return r->v->operand[3];
    case 'r': return r->v->result;
    default: return r->v->seed;
    }
}

/* The integer operand of an op: the letter of one, or a number; with + or - a number behind. */
static gw_value read_integer(reader *r) {
    while (*r->at == ' ') r->at++;
    bool is_number = isdigit((unsigned char)*r->at);
    gw_value v = is_number ? 0 : read_letter(r, *r->at++);
    gw_type type = is_number ? GW_T_I32 : gw_typeof(r->b->f, v);
    if (is_number) v = gw_int(r->b, type, *r->at++ - '0');
    bool minus = take(r, "-");
    if (!minus && !take(r, "+")) return v;
    while (*r->at == ' ') r->at++;
    return gw_binary(r->b, minus ? GW_OP_SUB : GW_OP_ADD, v, gw_int(r->b, type, *r->at++ - '0'));
}

static gw_value read_call(reader *r, const char *name, size_t n) {
    char text[24] = {0};
    memcpy(text, name, n < 23 ? n : 23);
    gw_opcode code = gw_opcode_by_text(text);
    bool with_integer = gw_op_rows[code].typing == GW_TYPING_SHIFT;
    gw_value args[4];
    uint32_t count = 0;
    do {
        args[count] = with_integer && count ? read_integer(r) : read_choice(r);
        count++;
    } while (count < 4 && take(r, ","));
    take(r, ")");
    if (count == 1 && r->v->known_value && code == r->v->known && args[0] == r->v->operand[0])
        return r->v->known_value;
    bool fast = (r->flags & GW_OP_FAST) && gw_intrinsic_exists(code, r->type, true);
    gw_type type = gw_op_rows[code].typing == GW_TYPING_FREE ? GW_T_BOOL : r->type;
    return gw_pure(r->b, code, type, fast ? GW_OP_FAST : 0, args, count);
}

static gw_value read_factor(reader *r) {
    if (take(r, "-")) return gw_unary(r->b, GW_OP_NEG, read_factor(r));
    if (take(r, "(")) {
        gw_value v = read_choice(r);
        take(r, ")");
        return v;
    }
    while (*r->at == ' ') r->at++;
    if (isdigit((unsigned char)*r->at)) {
        char *end;
        double x = strtod(r->at, &end);
        r->at = end;
        return gw_real(r->b, r->type, x);
    }
    const char *name = r->at;
    while (gw_is_word(*r->at)) r->at++;
    size_t n = (size_t)(r->at - name);
    if (take(r, "(")) return read_call(r, name, n);
    return gw_cast(r->b, r->type, read_letter(r, *name)); /* an integer operand as a number */
}

/* The derivative of a fast function divides as fast as it computes. */
static gw_value divide(reader *r, gw_value x, gw_value y) {
    bool fast = (r->flags & GW_OP_FAST) && gw_intrinsic_exists(GW_OP_FDIVIDE, r->type, true);
    if (!fast && r->v->reciprocal && y == r->v->divisor) return gw_binary(r->b, GW_OP_MUL, x, r->v->reciprocal);
    if (!fast) return gw_binary(r->b, GW_OP_DIV, x, y);
    return gw_pure(r->b, GW_OP_FDIVIDE, r->type, GW_OP_FAST, (gw_value[]){x, y}, 2);
}

static gw_value read_product(reader *r) {
    gw_value v = read_factor(r);
    for (;;) {
        if (take(r, "*")) v = gw_binary(r->b, GW_OP_MUL, v, read_factor(r));
        else if (take(r, "/")) v = divide(r, v, read_factor(r));
        else return v;
    }
}

static gw_value read_sum(reader *r) {
    gw_value v = read_product(r);
    for (;;) {
        if (take(r, "+")) v = gw_binary(r->b, GW_OP_ADD, v, read_product(r));
        else if (take(r, "-")) v = gw_binary(r->b, GW_OP_SUB, v, read_product(r));
        else return v;
    }
}

/* The sides in a branch: the adjoint of one that is not taken is 0, and log(a) of a negative a is not even
 * computed, whereas 0 times its NaN would be NaN. (A product alone is one with a number of the formula's.) */
static gw_value read_branch(reader *r, gw_value condition) {
    gw_func *f = r->b->f;
    const gw_builder outside = *r->b;
    gw_op branch = gw_emit(r->b, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
    for (unsigned side = 0; side < 2; side++) {
        r->b->region = gw_region_new(f, branch);
        r->b->before = 0;
        if (side) take(r, ":");
        gw_value v = read_choice(r);
        gw_yield(r->b, &v, 1);
    }
    r->b->region = outside.region;
    r->b->before = outside.before;
    return gw_op_add_result(f, branch, r->type, 0);
}

static gw_value read_choice(reader *r) {
    static const struct {
        const char *token;
        gw_opcode code;
    } comparisons[] = {{"==", GW_OP_EQ}, {"<=", GW_OP_LE}, {">=", GW_OP_GE}, {"<", GW_OP_LT}, {">", GW_OP_GT}};
    gw_value v = read_sum(r);
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        if (take(r, comparisons[i].token)) {
            v = gw_binary(r->b, comparisons[i].code, v, read_sum(r));
            break;
        }
    if (!take(r, "?")) return v;
    if (r->v->in_branches && strpbrk(r->at, "/(")) return read_branch(r, v);
    gw_value yes = read_choice(r);
    take(r, ":");
    return gw_select(r->b, v, yes, read_choice(r));
}

gw_value gw_formula_build(gw_builder *b, const char *formula, const gw_formula_values *v, gw_type type,
                          uint16_t flags) {
    reader r = {b, formula, v, type, flags};
    return read_choice(&r);
}
