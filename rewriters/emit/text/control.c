/*
 * emit/text/control.c - branches and loops as C statements.
 *
 * Requires the variables of emit/text/variable.c: whatever a branch or loop carries lives in variables declared
 * before it, so that an arm or a body ends in plain assignments (emit/text/copy.c).
 */
#include "analysis/ir/policies.h"
#include "analysis/ir/query.h"
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>
#include <string.h>

static void fill_region(gw_emitter *e, gw_region r, gw_emit_copy *copies, uint32_t count, gw_value stop,
                        char **stop_text, bool *late, gw_text *into);

/* ---- branches ---- */

/* A value that may be assigned before the branch: a constant, or one that already has a variable. */
static bool is_simple(const gw_emitter *e, gw_value v, gw_region inside) {
    const gw_value_data *d = gw_value_at(e->f, v);
    if (d->op && gw_op_at(e->f, d->op)->code == GW_OP_CONST) return true;
    if (gw_emit_is_inline(&e->plan, v)) return false;
    return gw_value_region(e->f, v) != inside && gw_emit_is_declared(e, gw_emit_variable(&e->plan, v));
}

/* Declares the variable of result i where this branch is what first writes it: with the value of one arm
 * where that costs nothing (the arm is then left alone), else without. Returns the arm that is done, 2 for
 * none. */
static uint32_t declare_result(gw_emitter *e, gw_op op, uint32_t i) {
    const gw_op_data *o = gw_op_at(e->f, op);
    gw_value root = gw_emit_variable(&e->plan, gw_result(e->f, op, i));
    if (gw_emit_is_declared(e, root)) return 2;
    for (uint32_t arm = 2; arm-- > 0;) {
        gw_value source = gw_yielded(e->f, o->region[arm], i);
        if (!is_simple(e, source, o->region[arm])) continue;
        gw_emit_assign_value(e, root, source);
        gw_emit_hold(e, root, source);
        return arm;
    }
    char *variable = gw_emit_declared(e, root, false);
    gw_emit_line(e, "%s;", variable);
    free(variable);
    return 2;
}

static void write_arm(gw_emitter *e, gw_op op, uint32_t arm, const uint32_t *done, gw_text *into) {
    const gw_op_data *o = gw_op_at(e->f, op);
    gw_emit_copy *copies = gw_alloc((o->results + 1) * sizeof *copies);
    uint32_t count = 0;
    for (uint32_t i = 0; i < o->results; i++) {
        gw_value result = gw_result(e->f, op, i);
        if (e->plan.values[result].needed && done[i] != arm)
            copies[count++] = (gw_emit_copy){.root = result, .source = gw_yielded(e->f, o->region[arm], i)};
    }
    fill_region(e, o->region[arm], copies, count, 0, NULL, NULL, into);
    free(copies);
}

/* What was written from there on is an if statement; it can stand behind "else" if its head is one line. */
static void note_if(gw_emitter *e, size_t from, bool one_line) {
    e->last_if = (gw_emit_span){one_line ? e->out : NULL, from, e->out->count};
}

static bool is_one_if(const gw_emitter *e, const gw_text *arm) {
    return e->last_if.in == arm && e->last_if.from == 0 && e->last_if.to == arm->count;
}

/* The text one level further out, without the indentation of its first line. */
static void add_outdented(gw_text *out, const char *text, size_t indent) {
    for (bool first = true; *text; first = false) {
        const char *end = strchr(text, '\n');
        size_t skip = first ? indent : 4;
        gw_text_addf(out, "%.*s\n", (int)((size_t)(end - text) - skip), text + skip);
        text = end + 1;
    }
}

/* `chains`: what is written of the other arm is one if statement. */
static void write_branch(gw_emitter *e, gw_value condition, gw_text *then, gw_text *other, bool chains) {
    bool negate = !then->count, one_line;
    size_t from = e->out->count;
    gw_piece test = negate ? gw_emit_negation(e, condition) : gw_emit_expression(e, condition, GW_IN_EXACT);
    if (then->count || other->count) {
        gw_emit_line(e, "if (%s) {", test.text.at);
        one_line = !e->broken;
        gw_text_add(e->out, negate ? other->at : then->at);
        size_t inner = 4 * ((size_t)e->depth + 1);
        if (!negate && other->count && chains) {
            gw_text_addf(e->out, "%*s} else ", (int)inner - 4, "");
            add_outdented(e->out, other->at, inner);
        } else {
            if (!negate && other->count) {
                gw_emit_line(e, "} else {");
                gw_text_add(e->out, other->at);
            }
            gw_emit_line(e, "}");
        }
        note_if(e, from, one_line);
    }
    gw_text_free(&test.text);
}

/* x = c ? f(x) : x is better said with if. */
bool gw_emit_update(gw_emitter *e, gw_op op) {
    uint32_t needed, i = gw_emit_needed_result(&e->plan, op, &needed);
    gw_value root = gw_emit_variable(&e->plan, gw_result(e->f, op, i)), test = gw_operand(e->f, op, 0);
    for (uint32_t arm = 0; arm < 2; arm++) {
        gw_value kept = gw_arm_value(e->f, op, arm, i);
        if (gw_emit_is_inline(&e->plan, kept) || gw_emit_variable(&e->plan, kept) != root) continue;
        gw_value other = gw_arm_value(e->f, op, !arm, i);
        if (gw_emit_same_variable(&e->plan, kept, other)) return true;
        gw_piece p = arm ? gw_emit_expression(e, test, GW_IN_EXACT) : gw_emit_negation(e, test);
        size_t from = e->out->count;
        gw_emit_line(e, "if (%s) {", p.text.at);
        bool one_line = !e->broken;
        e->depth++;
        gw_emit_assign_value(e, root, other);
        e->depth--;
        gw_emit_line(e, "}");
        note_if(e, from, one_line);
        gw_text_free(&p.text);
        return true;
    }
    return false;
}

void gw_emit_if(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    uint32_t *done = gw_alloc((o->results + 1) * sizeof *done);
    gw_text then = {0}, other = {0};
    for (uint32_t i = 0; i < o->results; i++)
        if (e->plan.values[gw_result(e->f, op, i)].needed) done[i] = declare_result(e, op, i);
    gw_emit_held_list before = gw_emit_held_now(e);
    write_arm(e, op, 0, done, &then);
    gw_emit_held_list after = gw_emit_held_now(e);
    gw_emit_held_set(e, &before);
    write_arm(e, op, 1, done, &other);
    bool chains = is_one_if(e, &other);
    gw_emit_held_both(e, &after);
    gw_vec_free(&before);
    gw_vec_free(&after);
    write_branch(e, gw_operand(e->f, op, 0), &then, &other, chains);
    gw_text_free(&then);
    gw_text_free(&other);
    free(done);
}

/* ---- loops ---- */

/* Writes region r and the copies at its end, one level deeper, into `into`. */
static void fill_region(gw_emitter *e, gw_region r, gw_emit_copy *copies, uint32_t count, gw_value stop,
                        char **stop_text, bool *late, gw_text *into) {
    gw_text *out = e->out;
    e->out = into;
    e->last_if.in = NULL;
    gw_emit_scope_open(e);
    gw_emit_region(e, r);
    char *text = gw_emit_copies(e, copies, count, stop, late);
    gw_emit_scope_close(e);
    e->out = out;
    if (stop_text) *stop_text = text;
}

static gw_emit_copy *carried_copies(const gw_emitter *e, gw_op op, bool initial, uint32_t *count) {
    const gw_func *f = e->f;
    gw_emit_copy *copies = gw_alloc((gw_loop_carried(f, op) + 1) * sizeof *copies);
    *count = 0;
    for (uint32_t k = 0; k < gw_loop_carried(f, op); k++) {
        if (!e->plan.values[gw_result(f, op, k)].needed) continue;
        gw_value source = initial ? gw_loop_init(f, op, k) : gw_loop_next(f, op, k);
        copies[(*count)++] = (gw_emit_copy){.root = gw_result(f, op, k), .source = source};
    }
    return copies;
}

static void write_initial(gw_emitter *e, gw_op op) {
    uint32_t count;
    gw_emit_copy *copies = carried_copies(e, op, true, &count);
    gw_emit_copies(e, copies, count, 0, NULL);
    free(copies);
}

typedef struct body {
    gw_text text;
    char *stop; /* text of the flag that ends the loop, NULL if there is none */
    bool late;  /* it is read from variables after the assignments */
} body;

/* The scope of the counter is open already. */
static body write_body(gw_emitter *e, gw_op op) {
    uint32_t count;
    body b = {0};
    gw_region r = gw_loop_body(e->f, op);
    bool exits = gw_op_at(e->f, op)->flags & GW_OP_EXIT;
    gw_emit_copy *copies = carried_copies(e, op, false, &count);
    fill_region(e, r, copies, count, exits ? gw_yielded(e->f, r, 0) : 0, &b.stop, &b.late, &b.text);
    free(copies);
    return b;
}

static void write_break(gw_emitter *e, const char *test) {
    e->depth++;
    gw_emit_line(e, "if (%s) break;", test);
    e->depth--;
}

static void finish_body(gw_emitter *e, body *b) {
    if (b->text.at) gw_text_add(e->out, b->text.at);
    if (b->stop) write_break(e, b->stop);
    gw_emit_line(e, "}");
    free(b->stop);
    gw_text_free(&b->text);
}

static char *step_text(gw_emitter *e, const char *name, gw_value step) {
    int64_t k;
    bool constant = gw_const_int(e->f, step, &k), is_signed = gw_type_is_signed(gw_typeof(e->f, step));
    if (constant && k == 1) return gw_format("++%s", name);
    if (constant && k == -1) return gw_format("--%s", name);
    if (constant && is_signed && k < 0 && k > INT32_MIN) return gw_format("%s -= %lld", name, (long long)-k);
    char *text = gw_emit_text(e, step, GW_IN_ASSIGN, GW_PREC_ASSIGN);
    char *line = gw_format("%s += %s", name, text);
    free(text);
    return line;
}

static const char *comparison(uint16_t code) {
    switch (code) {
    case GW_OP_LE:
        return "<=";
    case GW_OP_GT:
        return ">";
    case GW_OP_GE:
        return ">=";
    case GW_OP_NE:
        return "!=";
    default:
        return "<";
    }
}

/* What a pass says of a loop that it made; notes of loops with a mark (imm) are about the mark. */
static void write_note(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    if (!o->note || o->imm.i) return;
    char *comment = gw_format("// %s", gw_cstr(e->session, o->note));
    gw_emit_line(e, "%s", comment);
    free(comment);
}

gw_text gw_emit_loop_body(gw_emitter *e, gw_op op) { return write_body(e, op).text; }

void gw_emit_for(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    gw_value counter = gw_arg(e->f, o->region[0], 0), high = gw_operand(e->f, op, 1);
    write_initial(e, op);
    write_note(e, op);
    char *from = gw_emit_text(e, gw_operand(e->f, op, 0), GW_IN_ASSIGN, GW_PREC_ASSIGN);
    int64_t bound;
    bool small = gw_const_int(e->f, high, &bound) && bound >= 0 && bound <= INT32_MAX;
    const bool parallel = o->policy != GW_POLICY_NONE;
    char *to = gw_emit_text(e, high, small || parallel ? GW_IN_ASSIGN : GW_IN_EXACT, GW_PREC_ADD);
    gw_emit_scope_open(e);
    gw_str given = gw_value_at(e->f, counter)->name;
    gw_str name = gw_emit_unique(e, given ? gw_cstr(e->session, given) : "i");
    e->variable_name[counter] = name;
    const char *spelled = gw_cstr(e->session, name);
    char *step = step_text(e, spelled, gw_operand(e->f, op, 2));
    e->depth--; /* the header stands outside of the scope that it opens */
    const bool beyond = o->flags & GW_OP_BEYOND;
    if (parallel)
        gw_emit_parallel(e, op, from, to, spelled);
    else
        gw_emit_line(e, "for (%s %s = %s; %s %s %s;%s%s) {", gw_emit_type(e, gw_typeof(e->f, counter)), spelled,
                     from, spelled, comparison(o->attr), to, beyond ? "" : " ", beyond ? "" : step);
    if (beyond) {
        e->depth++;
        gw_emit_line(e, "%s;", step);
        e->depth--;
    }
    body b = {0};
    if (!parallel) {
        b = write_body(e, op);
        finish_body(e, &b);
    }
    e->depth++;
    gw_emit_scope_close(e);
    free(from);
    free(to);
    free(step);
}

/* Is every op of the condition printed inside one expression? */
static bool is_expression(const gw_emitter *e, gw_region r) {
    for (gw_op op = gw_first(e->f, r); op; op = gw_next(e->f, op)) {
        if (!e->plan.ops[op].needed || gw_op_at(e->f, op)->code == GW_OP_YIELD) continue;
        if (gw_op_at(e->f, op)->results != 1 || !gw_emit_is_inline(&e->plan, gw_result(e->f, op, 0)))
            return false;
    }
    return true;
}

/* Does the text of v read only variables that live outside of region r? */
static bool reads_outside(const gw_emitter *e, gw_value v, gw_region r) {
    const gw_func *f = e->f;
    gw_op op = gw_value_at(f, v)->op;
    if (!gw_emit_is_inline(&e->plan, v)) {
        uint32_t k;
        gw_op loop = gw_emit_carried_by(f, gw_emit_variable(&e->plan, v), &k);
        if (loop && gw_emit_is_declared(e, gw_emit_variable(&e->plan, v)) &&
            !gw_region_inside(f, gw_op_at(f, loop)->parent, r))
            return true;
        return !gw_region_inside(f, gw_value_region(f, v), r);
    }
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++)
        if (!reads_outside(e, gw_operand(f, op, i), r)) return false;
    return !gw_op_at(f, op)->regions;
}

static void write_endless(gw_emitter *e, gw_op op, bool test_inside) {
    const gw_op_data *o = gw_op_at(e->f, op);
    gw_emit_line(e, "for (;;) {");
    gw_emit_scope_open(e); /* what the condition computes is visible in the body */
    if (test_inside) {
        gw_emit_region(e, o->region[0]);
        gw_piece p = gw_emit_negation(e, gw_yielded(e->f, o->region[0], 0));
        gw_emit_line(e, "if (%s) break;", p.text.at);
        gw_text_free(&p.text);
    }
    e->depth--;
    body b = write_body(e, op);
    finish_body(e, &b);
    e->depth++;
    gw_emit_scope_close(e);
}

static void write_do(gw_emitter *e, gw_op op) {
    gw_value stop = gw_loop_flag(e->f, op);
    body b = write_body(e, op);
    if (!b.late || !reads_outside(e, stop, gw_loop_body(e->f, op))) {
        gw_emit_line(e, "for (;;) {");
        finish_body(e, &b);
        return;
    }
    gw_emit_line(e, "do {");
    if (b.text.at) gw_text_add(e->out, b.text.at);
    gw_piece again = gw_emit_negation(e, stop);
    gw_emit_line(e, "} while (%s);", again.text.at);
    gw_text_free(&again.text);
    free(b.stop);
    gw_text_free(&b.text);
}

void gw_emit_while(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    gw_value condition = gw_yielded(e->f, o->region[0], 0);
    int64_t always;
    write_initial(e, op);
    write_note(e, op);
    if (gw_const_int(e->f, condition, &always) && always) {
        if (o->flags & GW_OP_EXIT)
            write_do(e, op);
        else
            write_endless(e, op, false);
        return;
    }
    if (!is_expression(e, o->region[0])) {
        write_endless(e, op, true);
        return;
    }
    char *test = gw_emit_text(e, condition, GW_IN_EXACT, GW_PREC_ASSIGN);
    gw_emit_line(e, "while (%s) {", test);
    free(test);
    body b = write_body(e, op);
    finish_body(e, &b);
}
