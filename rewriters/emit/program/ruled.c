/*
 * emit/program/ruled.c - calls, in a program, of functions that work on memory of the device and have a
 * pullback of the user's: how a call is told of going forward, and what its reverse is.
 *
 *     STATUS f_forward(run, <asks_x ...>, <the function's parameters>)
 *     void f_backward(<the same>, <an adjoint for each number>)
 *     STATUS f_along(run, <the function's parameters>, <a tangent for each number>)
 *
 * A pointer that leads to a variable of the program's is a number there, by reference where the function writes
 * it. asks_x says whether the adjoint of x is asked, for contents that the pullback takes for it only.
 */
#include "analysis/ir/device.h"
#include "analysis/ir/query.h"
#include "rewriters/emit/program/program_private.h"
#include "rewriters/formula/formula.h"

#include <stdlib.h>
#include <string.h>

typedef struct ruled {
    gw_emitter *e;
    const gw_rule *rule;
    uint64_t variables;
    const char *run, *stream;
    GW_VEC(gw_str) names, adjoints, asked; /* by parameter; 0: none */
} ruled;

uint64_t gw_emit_rule_variables(const gw_func *f, gw_op op) {
    const gw_rule *rule = gw_rule_find(f->session, gw_op_at(f, op)->callee);
    uint64_t bits = 0;
    for (uint32_t i = 0; i < rule->params.count; i++)
        if (rule->params.at[i].is_memory &&
            gw_typeof(f, gw_operand(f, op, GW_RULE_OPERANDS + i)) != GW_T_ADDRESS)
            bits |= UINT64_C(1) << i;
    return bits;
}

/* ---- what a parameter is ---- */
static bool is_variable(uint64_t variables, uint32_t i) { return variables >> i & 1; }

/* Contents of the device's. */
static bool is_told(const gw_rule_param *p, uint64_t variables, uint32_t i) {
    return p->is_memory && !is_variable(variables, i);
}

/* Its adjoint comes back by reference: no memory of the device's. */
static bool is_number(const gw_rule_param *p, uint64_t variables, uint32_t i) {
    return p->is_active && (!p->is_memory || is_variable(variables, i));
}

/* The way back takes back what the call wrote, and where that has a derivative, looks at what the pullback
 * gets: other parameters have no name there, and tell overloads apart. */
static bool is_given(const gw_rule *rule, uint64_t variables, uint32_t i, bool back) {
    const gw_rule_param *p = &rule->params.at[i];
    const bool passive = rule->is_nondifferentiable;
    if (!back) return true;
    if (!is_told(p, variables, i)) return !passive;
    return p->writes || (!passive && (p->is_active || p->taken));
}

static bool has_reverse(const gw_rule *rule, uint64_t variables) {
    bool found = !rule->is_nondifferentiable;
    for (uint32_t i = 0; i < rule->params.count; i++) found |= is_given(rule, variables, i, true);
    return found;
}

/* Whether what the pullback takes hangs on whether the adjoint of parameter i is asked. */
static bool is_asked(const gw_rule *rule, uint64_t variables, uint32_t i) {
    bool found = false;
    for (uint32_t k = 0; k < rule->params.count; k++) {
        const gw_rule_param *p = &rule->params.at[k];
        found |= is_told(p, variables, k) && p->taken && p->only_for == i + 1;
    }
    return found && is_number(&rule->params.at[i], variables, i) && !rule->params.at[i].writes;
}

static char *function_name(const gw_session *s, const gw_rule *rule) {
    const char *name = gw_cstr(s, rule->function);
    return gw_format("%.*s", (int)strcspn(name, "'"), name);
}

bool gw_emit_rule_is_along(const gw_func *f, gw_op op) {
    int64_t asked = 0;
    return f->form == GW_FORM_JVP && gw_const_int(f, gw_operand(f, op, 0), &asked) && asked;
}

static char *teller_name(gw_session *s, const gw_rule *rule, gw_told_way way) {
    static const char *const endings[] = {
        [GW_TOLD_FORWARD] = "forward", [GW_TOLD_BACKWARD] = "backward", [GW_TOLD_ALONG] = "along"};
    return gw_format("%s_%s", gw_cstr(s, gw_callee_local_name(s, "", rule->function)), endings[way]);
}

/* ---- tellers ---- */
static void add(ruled *t, gw_emit_params *list, const char *type, const char *name) {
    gw_emit_params_add(list, t->e->session, type, name);
}

static void add_asked(ruled *t, gw_emit_params *list) {
    gw_session *s = t->e->session;
    for (uint32_t i = 0; i < t->rule->params.count; i++) {
        gw_str name = 0;
        if (is_asked(t->rule, t->variables, i)) {
            char *wish = gw_format("asks_%s", gw_cstr(s, t->rule->params.at[i].name));
            name = gw_emit_unique(t->e, wish);
            add(t, list, "bool", gw_cstr(s, name));
            free(wish);
        }
        gw_push(&t->asked, name);
    }
}

static void add_primal(ruled *t, gw_emit_params *list, bool back) {
    gw_session *s = t->e->session;
    for (uint32_t i = 0; i < t->rule->params.count; i++) {
        const gw_rule_param *p = &t->rule->params.at[i];
        gw_str name = gw_emit_unique(t->e, gw_cstr(s, p->name));
        char *type = gw_strdup(gw_cstr(s, p->type));
        const bool given = is_given(t->rule, t->variables, i, back);
        if (is_variable(t->variables, i)) {
            free(type);
            type = gw_format(p->writes && given ? "%s &" : "%s", gw_cstr(s, p->cell));
        }
        add(t, list, type, given ? gw_cstr(s, name) : "");
        gw_push(&t->names, name);
        free(type);
    }
}

static void add_adjoints(ruled *t, gw_emit_params *list) {
    gw_session *s = t->e->session;
    for (uint32_t i = 0; i < t->rule->params.count; i++) {
        const gw_rule_param *p = &t->rule->params.at[i];
        char *wish = gw_format("d_%s", gw_cstr(s, p->name)), *type = gw_format("%s *", gw_cstr(s, p->cell));
        gw_str name = p->is_active ? gw_emit_unique(t->e, wish) : 0;
        if (is_number(p, t->variables, i)) add(t, list, type, gw_cstr(s, name));
        gw_push(&t->adjoints, name);
        free(wish), free(type);
    }
}

static void add_tangents(ruled *t, gw_emit_params *list) {
    gw_session *s = t->e->session;
    for (uint32_t i = 0; i < t->rule->params.count; i++) {
        const gw_rule_param *p = &t->rule->params.at[i];
        char *wish = gw_format("t_%s", gw_cstr(s, p->name)),
             *type = gw_format(p->is_memory && p->writes ? "%s &" : "%s", gw_cstr(s, p->cell));
        gw_str name = p->is_active ? gw_emit_unique(t->e, wish) : 0;
        if (is_number(p, t->variables, i)) add(t, list, type, gw_cstr(s, name));
        gw_push(&t->adjoints, name);
        free(wish), free(type);
    }
}

/* Whether anything is told of the stream: a save going forward; on the way back, contents and adjoints. */
static bool names_stream(const ruled *t, bool back) {
    bool found = false;
    for (uint32_t i = 0; i < t->rule->params.count; i++) {
        const gw_rule_param *p = &t->rule->params.at[i];
        found |= is_told(p, t->variables, i) && (back ? p->is_active || p->taken || p->is_scratch : p->writes);
    }
    return found;
}

static void open_teller(ruled *t, gw_told_way way) {
    const bool back = way == GW_TOLD_BACKWARD;
    gw_emitter *e = t->e;
    gw_session *s = e->session;
    gw_emit_params list = {0};
    gw_emit_scope_open(e);
    t->run = gw_cstr(s, gw_emit_unique(e, "run"));
    add(t, &list, "gw_program *", t->run);
    if (way == GW_TOLD_FORWARD) add_asked(t, &list);
    add_primal(t, &list, back);
    if (back) add_adjoints(t, &list);
    if (way == GW_TOLD_ALONG) add_tangents(t, &list);
    char *name = teller_name(s, t->rule, way);
    const bool says = !back && t->rule->status;
    char *head =
        gw_format("[[maybe_unused]] static inline %s %s", says ? gw_cstr(s, t->rule->status) : "void", name);
    e->depth--;
    gw_emit_call_text(e, head, list.texts.at, list.texts.count, " {");
    e->depth++;
    free(head), free(name);
    gw_emit_params_free(&list);
    const char *of = gw_cstr(s, t->names.at[t->rule->stream - 1]);
    t->stream = of;
    const bool asks = names_stream(t, back) || (way == GW_TOLD_ALONG && names_stream(t, true));
    if (!t->rule->stream_told || !asks) return;
    t->stream = gw_cstr(s, gw_emit_unique(e, "stream"));
    gw_emit_line(e, "const cudaStream_t %s = gw_stream_of(%s);", t->stream, of);
}

static void close_teller(ruled *t) {
    gw_emit_scope_close(t->e);
    gw_emit_line(t->e, "}");
    gw_vec_free(&t->names);
    gw_vec_free(&t->adjoints);
    gw_vec_free(&t->asked);
}

/* What its calls of CUDA left, if nobody in there looked. */
static void write_look(ruled *t, const char *name) {
    gw_emit_line(t->e, "gw_program_check(%s, (int)cudaPeekAtLastError(), \"%s\");", t->run, name);
}

static void write_call(ruled *t) {
    gw_emitter *e = t->e;
    gw_session *s = e->session;
    gw_emit_items items = {0};
    for (uint32_t i = 0; i < t->rule->params.count; i++)
        gw_push(&items, gw_format("%s%s", is_variable(t->variables, i) ? "&" : "", gw_cstr(s, t->names.at[i])));
    char *name = function_name(s, t->rule), *head = gw_strdup(name);
    const char *said = NULL;
    if (t->rule->status) {
        said = gw_cstr(s, gw_emit_unique(e, "status"));
        free(head);
        head = gw_format("const %s %s = %s", gw_cstr(s, t->rule->status), said, name);
    }
    gw_emit_call_text(e, head, items.at, items.count, ";");
    if (said) gw_emit_line(e, "gw_program_said(%s, (int)%s, \"%s\");", t->run, said, name);
    write_look(t, name);
    if (said) gw_emit_line(e, "return %s;", said);
    free(head), free(name);
    gw_emit_items_free(&items);
}

static void write_writes(ruled *t) {
    for (uint32_t i = 0; i < t->rule->params.count; i++)
        if (is_told(&t->rule->params.at[i], t->variables, i) && t->rule->params.at[i].writes)
            gw_emit_line(t->e, "gw_program_writes(%s, %s, 0, %s);", t->run,
                         gw_cstr(t->e->session, t->names.at[i]), t->stream);
}

static void leave_failed(ruled *t) {
    if (t->rule->status)
        gw_emit_line(t->e, "if (gw_program_failed(%s)) return (%s)gw_program_error(%s);", t->run,
                     gw_cstr(t->e->session, t->rule->status), t->run);
    else
        gw_emit_line(t->e, "if (gw_program_failed(%s)) return;", t->run);
}

/* With the items, which it frees. wish: a name for the status that it returns; NULL: it returns none. */
static void call_derivative(ruled *t, const char *derivative, gw_emit_items *items, const char *wish) {
    gw_emitter *e = t->e;
    gw_session *s = e->session;
    const char *said = wish ? gw_cstr(s, gw_emit_unique(e, wish)) : NULL;
    char *head = said ? gw_format("const %s %s = %s", gw_cstr(s, t->rule->status), said, derivative)
                      : gw_strdup(derivative);
    gw_emit_call_text(e, head, items->at, items->count, ";");
    if (said) gw_emit_line(e, "gw_program_said(%s, (int)%s, \"%s\");", t->run, said, derivative);
    write_look(t, derivative);
    free(head);
    gw_emit_items_free(items);
}

/* The function's derivative, from what the call finds. */
static void write_jvp(ruled *t) {
    gw_emitter *e = t->e;
    gw_session *s = e->session;
    gw_emit_items items = {0};
    for (uint32_t i = 0; i < t->rule->params.count; i++)
        gw_push(&items, gw_format("%s%s", is_variable(t->variables, i) ? "&" : "", gw_cstr(s, t->names.at[i])));
    for (uint32_t i = 0; i < t->rule->params.count; i++) {
        const gw_rule_param *p = &t->rule->params.at[i];
        const char *cell = gw_cstr(s, p->cell), *name = gw_cstr(s, t->adjoints.at[i]);
        if (!p->is_active) continue;
        if (is_told(p, t->variables, i))
            gw_emit_line(e, "%s *const %s = gw_program_adjoint<%s>(%s, (%s *)%s, %s);", cell, name, cell,
                         t->run, cell, gw_cstr(s, t->names.at[i]), t->stream);
        gw_push(&items, gw_format("%s%s", is_variable(t->variables, i) ? "&" : "", name));
    }
    leave_failed(t);
    call_derivative(t, gw_cstr(s, t->rule->jvp), &items, t->rule->status ? "told" : NULL);
}

static void write_along(ruled *t) {
    char *name = function_name(t->e->session, t->rule);
    gw_emit_line(t->e, "// A call of %s in a program's forward derivative, with tangents.", name);
    open_teller(t, GW_TOLD_ALONG);
    write_writes(t);
    leave_failed(t);
    write_jvp(t);
    leave_failed(t);
    write_call(t);
    free(name);
    close_teller(t);
}

static void write_forward(ruled *t) {
    gw_emitter *e = t->e;
    const gw_session *s = e->session;
    char *name = function_name(s, t->rule);
    gw_emit_line(e, "// A call of %s in a program: what it overwrites is saved where the way back needs it.",
                 name);
    open_teller(t, GW_TOLD_FORWARD);
    for (uint32_t i = 0; i < t->rule->params.count; i++) {
        const gw_rule_param *p = &t->rule->params.at[i];
        if (!is_told(p, t->variables, i) || !p->taken) continue;
        const gw_str asks = p->only_for ? t->asked.at[p->only_for - 1] : 0;
        if (asks)
            gw_emit_line(e, "if (%s) gw_program_reads(%s, %s);", gw_cstr(s, asks), t->run,
                         gw_cstr(s, t->names.at[i]));
        else
            gw_emit_line(e, "gw_program_reads(%s, %s);", t->run, gw_cstr(s, t->names.at[i]));
    }
    write_writes(t);
    leave_failed(t);
    write_call(t);
    free(name);
    close_teller(t);
}

/* Memory as large, in which nothing lies. */
static gw_str write_scratch(ruled *t, uint32_t i) {
    gw_session *s = t->e->session;
    const char *name = gw_cstr(s, t->names.at[i]), *cell = gw_cstr(s, t->rule->params.at[i].cell);
    char *wish = gw_format("%s_scratch", name);
    const gw_str scratch = gw_emit_unique(t->e, wish);
    gw_emit_line(t->e, "%s *const %s =", cell, gw_cstr(s, scratch));
    gw_emit_line(t->e, "    (%s *)gw_program_workspace(%s, gw_program_cells(%s, %s, 1), %s);", cell, t->run,
                 t->run, name, t->stream);
    free(wish);
    return scratch;
}

/* What the pullback gets for parameter i, where it is memory of the device; 0: nothing. */
static gw_str write_content(ruled *t, uint32_t i) {
    const gw_rule_param *p = &t->rule->params.at[i];
    gw_session *s = t->e->session;
    if (p->is_scratch) return write_scratch(t, i);
    if (!p->taken) return 0;
    const char *name = gw_cstr(s, t->names.at[i]), *type = gw_cstr(s, p->type);
    char *wish = gw_format("%s_found", name);
    gw_str found = gw_emit_unique(t->e, wish);
    const bool hangs = p->only_for && is_asked(t->rule, t->variables, p->only_for - 1);
    char *when = hangs ? gw_format("!%s ? nullptr : ", gw_cstr(s, t->adjoints.at[p->only_for - 1])) : NULL;
    gw_emit_line(t->e, "%sconst %s = %s(%s)gw_program_content(%s, %s, %s);", type, gw_cstr(s, found),
                 when ? when : "", type, t->run, name, t->stream);
    free(wish), free(when);
    return found;
}

static void write_pullback(ruled *t) {
    gw_emitter *e = t->e;
    gw_session *s = e->session;
    gw_emit_items items = {0};
    for (uint32_t i = 0; i < t->rule->params.count; i++) {
        const char *name = gw_cstr(s, t->names.at[i]);
        if (is_told(&t->rule->params.at[i], t->variables, i)) {
            const gw_str found = write_content(t, i);
            gw_push(&items, gw_strdup(found ? gw_cstr(s, found) : "nullptr"));
        } else {
            gw_push(&items, gw_format("%s%s", is_variable(t->variables, i) ? "&" : "", name));
        }
    }
    for (uint32_t i = 0; i < t->rule->params.count; i++) {
        const gw_rule_param *p = &t->rule->params.at[i];
        if (!p->is_active) continue;
        const char *name = gw_cstr(s, t->adjoints.at[i]), *cell = gw_cstr(s, p->cell);
        if (is_told(p, t->variables, i))
            gw_emit_line(e, "%s *const %s = gw_program_adjoint<%s>(%s, (%s *)%s, %s);", cell, name, cell,
                         t->run, cell, gw_cstr(s, t->names.at[i]), t->stream);
        gw_push(&items, gw_strdup(name));
    }
    gw_emit_line(e, "if (gw_program_failed(%s)) return;", t->run);
    call_derivative(t, gw_cstr(s, t->rule->pullback), &items, t->rule->tells ? "status" : NULL);
}

static void write_backward(ruled *t) {
    gw_emitter *e = t->e;
    const bool passive = t->rule->is_nondifferentiable;
    gw_emit_line(e, passive ? "// The reverse of that call, which has no derivative."
                            : "// The reverse of that call, from the contents that it found.");
    open_teller(t, GW_TOLD_BACKWARD);
    for (uint32_t i = t->rule->params.count; i-- > 0;)
        if (is_told(&t->rule->params.at[i], t->variables, i) && t->rule->params.at[i].writes)
            gw_emit_line(e, "gw_program_unwrite(%s, %s);", t->run, gw_cstr(e->session, t->names.at[i]));
    if (!passive) write_pullback(t);
    close_teller(t);
}

void gw_emit_rule_tellers(gw_emitter *e, const gw_rule *rule, uint64_t variables, bool is_along) {
    ruled t = {.e = e, .rule = rule, .variables = variables};
    gw_emit_line(e, "%s", "");
    if (is_along) {
        write_along(&t);
        return;
    }
    write_forward(&t);
    if (!has_reverse(rule, variables)) return;
    t = (ruled){.e = e, .rule = rule, .variables = variables};
    gw_emit_line(e, "%s", "");
    write_backward(&t);
}

/* ---- calls of them ---- */
/* A variable that the call writes: what stood for it before, and its value then. */
typedef struct lent {
    gw_value value; /* 0: nobody wants it */
    gw_str name;
} lent;
typedef GW_VEC(lent) lent_list;

/* One that holds `before`; a new one where v's own may be an argument of the call. */
static gw_str lend(gw_emitter *e, gw_value v, const char *before, const char *wish, lent_list *list) {
    const gw_value root = gw_emit_variable(&e->plan, v);
    const bool needed = e->plan.values[v].needed, own = needed && !gw_emit_is_declared(e, root);
    const gw_str name = own ? gw_emit_name_value(e, root) : gw_emit_unique(e, wish);
    gw_emit_line(e, "%s %s = %s;", gw_emit_type(e, gw_typeof(e->f, v)), gw_cstr(e->session, name), before);
    if (own) gw_emit_forget(e, root);
    gw_push(list, ((lent){needed && !own ? v : 0, name}));
    return name;
}

static void take_back(gw_emitter *e, lent_list *list) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->at[i].value)
            gw_emit_assign(e, gw_emit_variable(&e->plan, list->at[i].value),
                           gw_cstr(e->session, list->at[i].name));
    gw_vec_free(list);
}

static char *text_of(gw_emitter *e, gw_value v) { return gw_emit_text(e, v, GW_IN_ASSIGN, GW_PREC_UNARY); }

/* An argument that is no variable of the host's which is written. */
static char *argument(gw_emitter *e, gw_value v, const gw_rule_param *p) {
    const char *type = gw_cstr(e->session, p->type);
    const gw_str own = gw_intern(e->session, gw_emit_type(e, gw_typeof(e->f, v)));
    int64_t null;
    const bool address = gw_typeof(e->f, v) == GW_T_ADDRESS;
    if (address && gw_const_int(e->f, v, &null)) return gw_strdup("nullptr");
    char *text = text_of(e, v);
    if (!address && (p->is_memory || p->type == own)) return text;
    char *made = gw_format("(%s)%s", type, text);
    free(text);
    return made;
}

static void add_arguments(gw_emitter *e, gw_op op, const gw_rule *rule, gw_emit_items *items, lent_list *list) {
    const bool back = gw_op_at(e->f, op)->flags & GW_OP_BACK;
    const uint64_t variables = gw_emit_rule_variables(e->f, op);
    uint32_t result = 0;
    for (uint32_t i = 0; i < rule->params.count; i++) {
        const gw_rule_param *p = &rule->params.at[i];
        const gw_value v = gw_operand(e->f, op, GW_RULE_OPERANDS + i);
        if (!is_given(rule, variables, i, back)) {
            const gw_str type = is_variable(variables, i) ? p->cell : p->type;
            const bool address = gw_typeof(e->f, v) == GW_T_ADDRESS;
            gw_push(items, gw_format("(%s)%s", gw_cstr(e->session, type), address ? "nullptr" : "0"));
            continue;
        }
        char *text = argument(e, v, p);
        if (is_variable(variables, i) && p->writes) {
            const char *name = gw_cstr(e->session, p->name);
            /* on the way back: a variable of the value before the call */
            const gw_value of = back ? v : gw_result(e->f, op, result++);
            gw_str lent_name = 0;
            if (back) {
                lent_name = gw_emit_unique(e, name);
                gw_emit_line(e, "%s %s = %s;", gw_cstr(e->session, p->cell), gw_cstr(e->session, lent_name),
                             text);
            } else {
                lent_name = lend(e, of, text, name, list);
            }
            free(text);
            text = gw_strdup(gw_cstr(e->session, lent_name));
        }
        gw_push(items, text);
    }
}

/* Results of a call: variables that it writes, and what it says. */
static uint32_t statuses(const gw_rule *rule, uint64_t variables) {
    uint32_t count = rule->status != 0;
    for (uint32_t i = 0; i < rule->params.count; i++)
        count += is_variable(variables, i) && rule->params.at[i].writes;
    return count;
}

/* The adjoints of numbers: 0 before, to which the pullback adds; of a variable that is written, its adjoint. */
static void add_back(gw_emitter *e, gw_op op, const gw_rule *rule, gw_emit_items *items, lent_list *list) {
    const uint64_t variables = gw_emit_rule_variables(e->f, op);
    int64_t asked = 0;
    uint32_t result = 0, given = GW_RULE_OPERANDS + rule->params.count;
    gw_const_int(e->f, gw_operand(e->f, op, 0), &asked);
    for (uint32_t i = 0; i < rule->params.count; i++) {
        const gw_rule_param *p = &rule->params.at[i];
        if (!is_number(p, variables, i)) continue;
        const gw_value v = gw_result(e->f, op, result++);
        const bool writes = p->is_memory && p->writes;
        char *wish = gw_format("d_%s", gw_cstr(e->session, p->name)),
             *before = writes ? text_of(e, gw_operand(e->f, op, given++)) : gw_strdup("0");
        const bool wanted = writes || (e->plan.values[v].needed && asked >> i & 1);
        if (wanted)
            gw_push(items, gw_format("&%s", gw_cstr(e->session, lend(e, v, before, wish, list))));
        else
            gw_push(items, gw_strdup("nullptr"));
        free(wish), free(before);
    }
}

/* The tangents of numbers, as they are before the call; of a variable that is written, by reference. */
static void add_along(gw_emitter *e, gw_op op, const gw_rule *rule, gw_emit_items *items, lent_list *list) {
    const uint64_t variables = gw_emit_rule_variables(e->f, op);
    uint32_t result = statuses(rule, variables), given = GW_RULE_OPERANDS + rule->params.count;
    for (uint32_t i = 0; i < rule->params.count; i++) {
        const gw_rule_param *p = &rule->params.at[i];
        if (!is_number(p, variables, i)) continue;
        char *text = text_of(e, gw_operand(e->f, op, given++)),
             *wish = gw_format("t_%s", gw_cstr(e->session, p->name));
        const bool writes = p->is_memory && p->writes;
        const gw_str lent_name = writes ? lend(e, gw_result(e->f, op, result++), text, wish, list) : 0;
        gw_push(items, gw_strdup(writes ? gw_cstr(e->session, lent_name) : text));
        free(text), free(wish);
    }
}

/* "status = f_forward(...)" where somebody looks at it. */
static void write_told(gw_emitter *e, gw_op op, const char *name, const gw_emit_items *items, bool says) {
    const gw_op_data *o = gw_op_at(e->f, op);
    const gw_rule *rule = gw_rule_find(e->session, o->callee);
    const uint32_t at = says ? statuses(rule, gw_emit_rule_variables(e->f, op)) - 1 : 0;
    const gw_value v = says ? gw_result(e->f, op, at) : 0;
    if (!says || !e->plan.values[v].needed) {
        gw_emit_call_text(e, name, items->at, items->count, ";");
        return;
    }
    gw_text text = {0};
    gw_text_addf(&text, "%s(", name);
    for (uint32_t i = 0; i < items->count; i++)
        gw_text_addf(&text, "%s%s", i ? ", " : "", items->at[i]);
    gw_text_add(&text, ")");
    gw_emit_assign(e, gw_emit_variable(&e->plan, v), text.at);
    gw_text_free(&text);
}

void gw_emit_rule(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    const gw_rule *rule = gw_rule_find(e->session, o->callee);
    const bool back = o->flags & GW_OP_BACK;
    const uint64_t variables = gw_emit_rule_variables(e->f, op);
    gw_emit_items items = {0};
    lent_list list = {0};
    int64_t asked = 0;
    if (back && !has_reverse(rule, variables)) return;
    gw_const_int(e->f, gw_operand(e->f, op, 0), &asked);
    gw_push(&items, gw_strdup(gw_cstr(e->session, e->program)));
    const bool along = gw_emit_rule_is_along(e->f, op);
    for (uint32_t i = 0; i < rule->params.count && !back && !along; i++)
        if (is_asked(rule, variables, i)) gw_push(&items, gw_strdup(asked >> i & 1 ? "true" : "false"));
    add_arguments(e, op, rule, &items, &list);
    if (back) add_back(e, op, rule, &items, &list);
    if (along) add_along(e, op, rule, &items, &list);
    const gw_told_way way = along ? GW_TOLD_ALONG : GW_TOLD_FORWARD;
    char *name = teller_name(e->session, rule, back ? GW_TOLD_BACKWARD : way);
    write_told(e, op, name, &items, !back && rule->status);
    take_back(e, &list);
    free(name);
    gw_emit_items_free(&items);
}
