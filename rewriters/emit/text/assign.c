/*
 * emit/text/assign.c - variables of the text are declared and take values.
 */
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>
#include <string.h>

bool gw_emit_is_declared(const gw_emitter *e, gw_value root) { return e->variable_name[root] != 0; }

/* Is a variable written once only, so that it can be const? Shared variables are written at least twice,
 * as are carried values and results of branches. In a template none is: nvcc's front end follows the initial
 * values of const variables there, each as often as it is named, which takes hours where 30 depend on each
 * other. */
static bool is_constant(const gw_emitter *e, gw_value root) {
    const gw_emit_plan *p = &e->plan;
    gw_op op = gw_value_at(e->f, root)->op;
    if (p->values[root].shared || !op || e->whole) return false;
    return gw_op_at(e->f, op)->regions == 0 || p->ops[op].expression;
}

char *gw_emit_declared(gw_emitter *e, gw_value root, bool is_constant) {
    const char *type = gw_emit_type(e, gw_typeof(e->f, root));
    const char *name = gw_cstr(e->session, gw_emit_name_value(e, root));
    if (type[strlen(type) - 1] == '*') return gw_format("%s%s%s", type, is_constant ? "const " : "", name);
    return gw_format("%s%s %s", is_constant ? "const " : "", type, name);
}

void gw_emit_assign(gw_emitter *e, gw_value root, const char *text) {
    gw_emit_forget(e, root);
    if (gw_emit_is_declared(e, root)) {
        gw_emit_line(e, "%s = %s;", gw_cstr(e->session, e->variable_name[root]), text);
        return;
    }
    char *variable = gw_emit_declared(e, root, is_constant(e, root));
    gw_emit_line(e, "%s = %s;", variable, text);
    free(variable);
}

/* acc = acc + x is written acc += x; i = i + 1 is ++i. */
bool gw_emit_assign_in_place(gw_emitter *e, gw_value root, gw_value v) {
    static const struct {
        gw_opcode code;
        const char *sign;
    } rows[] = {{GW_OP_ADD, "+"}, {GW_OP_SUB, "-"}, {GW_OP_MUL, "*"}, {GW_OP_DIV, "/"}}; /* opposites first */
    gw_op op = gw_value_at(e->f, v)->op;
    gw_type type = gw_typeof(e->f, v);
    if (!op || !gw_emit_is_declared(e, root) || type == GW_T_BOOL ||
        gw_op_at(e->f, op)->flags & GW_OP_ROUNDED || (!gw_type_is_float(type) && gw_type_bits(type) < 32))
        return false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (gw_op_at(e->f, op)->code != rows[i].code) continue;
        gw_value a = gw_operand(e->f, op, 0), b = gw_operand(e->f, op, 1);
        bool swaps = rows[i].code == GW_OP_ADD || rows[i].code == GW_OP_MUL;
        if (swaps && (gw_emit_is_inline(&e->plan, a) || gw_emit_variable(&e->plan, a) != root)) {
            gw_value other = a;
            a = b;
            b = other;
        }
        if (gw_emit_is_inline(&e->plan, a) || gw_emit_variable(&e->plan, a) != root) return false;
        const char *name = gw_cstr(e->session, e->variable_name[root]);
        int64_t one;
        if (rows[i].sign[0] != '*' && rows[i].sign[0] != '/' && gw_const_int(e->f, b, &one) && one == 1) {
            gw_emit_line(e, "%s%s%s;", rows[i].sign, rows[i].sign, name);
            return true;
        }
        gw_piece text = gw_emit_expression(e, b, GW_IN_ASSIGN);
        bool flips = i < 2 && gw_piece_strip_minus(&text, type);
        gw_emit_line(e, "%s %s= %s;", name, rows[flips ? 1 - i : i].sign, text.text.at);
        gw_text_free(&text.text);
        return true;
    }
    return false;
}

void gw_emit_assign_value(gw_emitter *e, gw_value root, gw_value source) {
    gw_emit_forget(e, root);
    if (gw_emit_is_inline(&e->plan, source) && gw_emit_assign_in_place(e, root, source)) return;
    char *text = gw_emit_text(e, source, GW_IN_ASSIGN, GW_PREC_ASSIGN);
    gw_emit_assign(e, root, text);
    free(text);
}
