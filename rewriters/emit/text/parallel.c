/*
 * emit/text/parallel.c - loops with a policy.
 *
 * Of the library: the body as a function of the index, that its algorithm calls (emitted/parallel.h).
 * Of OpenMP: a loop with a pragma, whose clause adds up what threads have.
 *
 * Sums that the loop carries are parameters of the body by their own names: what is written in it adds to the
 * part of those at hand. So is the tape of a part, where an iteration takes off again what it puts there. What
 * stays on the function's tape lies at a place that the index tells.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/policies.h"
#include "analysis/ir/query.h"
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>
#include <string.h>

typedef struct writing {
    gw_emitter *e;
    gw_op op;
    gw_policy_tape tape;
    uint32_t bytes; /* INDEXED: of an iteration */
    bool back;      /* and they are taken off */
    bool from_zero;
    const char *from, *to, *counter, *type;
    gw_text given, sums; /* parameters of the body, and what they are parts of */
    /* OpenMP: whether an iteration found no memory for its tape, and where it goes then; 0: it has none */
    gw_str failed, label;
} writing;

static void find_sums(writing *w) {
    gw_emitter *e = w->e;
    gw_text_add(&w->given, "");
    gw_text_add(&w->sums, "");
    for (uint32_t k = 0; k < gw_loop_carried(e->f, w->op); k++) {
        const gw_value result = gw_result(e->f, w->op, k);
        if (!e->plan.values[result].needed) continue;
        const char *name = gw_cstr(e->session, e->variable_name[gw_emit_variable(&e->plan, result)]);
        gw_text_addf(&w->given, ", %s &%s", gw_emit_type(e, gw_typeof(e->f, result)), name);
        gw_text_addf(&w->sums, ", %s", name);
    }
}

/* How many iterations there were before. */
static char *count_to(const writing *w, const char *end, bool one_more) {
    const char *more = one_more ? " + 1" : "";
    if (w->from_zero) return one_more ? gw_format("(%s%s)", end, more) : gw_strdup(end);
    return gw_format("(%s - (%s)%s)", end, w->from, more);
}

static void move_top(const writing *w, const char *sign) {
    char *count = count_to(w, w->to, false);
    gw_emit_line(w->e, "if (%s < %s) %s %s= %s * %u;", w->from, w->to, gw_cstr(w->e->session, w->e->host_top),
                 sign, count, w->bytes);
    free(count);
}

static void open_call(const writing *w) {
    gw_emitter *e = w->e;
    const char *policy = gw_policy_means(gw_op_at(e->f, w->op)->policy),
               *tape = e->host_tape ? gw_cstr(e->session, e->host_tape) : "";
    if (w->tape == GW_POLICY_TAPE_OWN)
        gw_emit_line(e,
                     "if (gw_for_each_taping<%s>(%s, %s, %s, %s, [&](%s %s, gw_host_tape *%s%s) {",
                     w->type, policy, tape, w->from, w->to, w->type, w->counter, tape, w->given.at);
    else if (*w->sums.at)
        gw_emit_line(e, "gw_for_each_summing<%s>(%s, %s, %s, [&](%s %s%s) {", w->type, policy,
                     w->from, w->to, w->type, w->counter, w->given.at);
    else
        gw_emit_line(e,
                     "std::for_each(%s, gw_counting<%s>(%s), gw_counting<%s>(%s, %s), [&](%s %s) {",
                     policy, w->type, w->from, w->type, w->from, w->to, w->type, w->counter);
}

static void close_call(const writing *w) {
    gw_emitter *e = w->e;
    if (w->tape != GW_POLICY_TAPE_OWN) {
        gw_emit_line(e, "}%s);", w->sums.at);
        return;
    }
    e->depth++;
    gw_emit_line(e, "return GW_OK;");
    e->depth--;
    gw_emit_line(e, "}%s) != GW_OK)", w->sums.at);
    gw_emit_no_memory(e);
}

/* The top of the stack that the body knows; the function's own is what it was then. */
static void declare_top(const writing *w, gw_str outer) {
    gw_emitter *e = w->e;
    if (w->tape == GW_POLICY_TAPE_NONE) return;
    e->depth++;
    const gw_str name = gw_emit_unique(e, "top");
    if (w->tape == GW_POLICY_TAPE_OWN)
        gw_emit_line(e, "char *%s = %s->top;", gw_cstr(e->session, name), gw_cstr(e->session, e->host_tape));
    else {
        char *before = count_to(w, w->counter, w->back);
        gw_emit_line(e, "char *%s = %s + %s * %u;  // the iteration's records", gw_cstr(e->session, name),
                     gw_cstr(e->session, outer), before, w->bytes);
        free(before);
    }
    e->depth--;
    e->host_top = name;
}

static void write_body(writing *w) {
    gw_text body = gw_emit_loop_body(w->e, w->op);
    if (body.at) gw_text_add(w->e->out, body.at);
    gw_text_free(&body);
}

/* ---- the library's algorithms ---- */
static void write_algorithm(writing *w, gw_str outer_top) {
    open_call(w);
    declare_top(w, outer_top);
    write_body(w);
    close_call(w);
}

/* ---- OpenMP ---- */
/* A pragma ends with its line, which goes on behind a backslash where the names are many. */
static void write_pragma(const writing *w) {
    gw_emitter *e = w->e;
    const int indent = 4 * (int)e->depth;
    const char *means = gw_policy_means(gw_op_at(e->f, w->op)->policy);
    size_t column = (size_t)indent + strlen("#pragma ") + strlen(means);
    gw_text_addf(e->out, "%*s#pragma %s", indent, "", means);
    if (w->failed) gw_text_addf(e->out, " reduction(| : %s)", gw_cstr(e->session, w->failed));
    column += w->failed ? strlen(" reduction(| : )") + strlen(gw_cstr(e->session, w->failed)) : 0;
    for (const char *sum = w->sums.at; *sum;) {
        const char *name = sum + strlen(", ");
        const int length = (int)strcspn(name, ",");
        const char *before = sum == w->sums.at ? " reduction(+ : " : ", ";
        const bool full = column + strlen(before) + (size_t)length + strlen(") \\") > GW_EMIT_WIDTH;
        gw_text_add(e->out, full && sum != w->sums.at ? "," : "");
        if (full) gw_text_addf(e->out, " \\\n%*s", indent + 4, ""), column = (size_t)indent + 4;
        gw_text_addf(e->out, "%s%.*s", full ? before + strspn(before, ", ") : before, length, name);
        column += strlen(before) + (size_t)length;
        sum = name + length;
    }
    gw_text_add(e->out, *w->sums.at ? ")\n" : "\n");
}

/* The iteration's own tape, and where it goes that finds no room on it. */
static void open_own_tape(writing *w) {
    gw_emitter *e = w->e;
    const char *room = gw_cstr(e->session, gw_emit_unique(e, "room")),
               *own = gw_cstr(e->session, gw_emit_unique(e, "own"));
    char *number = e->labels++ ? gw_format("_%u", e->labels) : gw_strdup(""),
         *label = gw_format("without_memory%s", number);
    w->label = gw_emit_unique(e, label);
    char *to = gw_format("goto %s;", gw_cstr(e->session, w->label));
    e->without_memory = gw_intern(e->session, to);
    e->went_without = false;
    e->host_tape = gw_emit_unique(e, "records");
    e->depth++;
    gw_emit_line(e, "char %s[GW_HOST_TAPE_FIRST];", room);
    gw_emit_line(e, "gw_host_tape %s = gw_host_tape_over(%s, sizeof %s), *%s = &%s;", own, room, room,
                 gw_cstr(e->session, e->host_tape), own);
    gw_emit_line(e, "{");
    free(to), free(label), free(number);
}

static void close_own_tape(writing *w) {
    gw_emitter *e = w->e;
    gw_emit_line(e, "}");
    gw_emit_line(e, "gw_host_tape_free(%s);", gw_cstr(e->session, e->host_tape));
    if (e->went_without) {
        gw_emit_line(e, "continue;");
        gw_emit_line(e, "%s:", gw_cstr(e->session, w->label));
        gw_emit_line(e, "%s = 1;", gw_cstr(e->session, w->failed));
    }
    e->without_memory = 0;
    e->depth--;
}

/* for (...) { body }, the counter's scope being open. */
static void write_openmp(writing *w, gw_str outer_top) {
    gw_emitter *e = w->e;
    const gw_str outer_tape = e->host_tape;
    const bool owns = w->tape == GW_POLICY_TAPE_OWN;
    if (owns) {
        w->failed = gw_emit_unique(e, "failed");
        gw_emit_line(e, "int %s = 0;", gw_cstr(e->session, w->failed));
    }
    write_pragma(w);
    gw_emit_line(e, "for (%s %s = %s; %s < %s; ++%s) {", w->type, w->counter, w->from, w->counter, w->to,
                 w->counter);
    if (owns) open_own_tape(w);
    declare_top(w, outer_top);
    e->in_openmp = true;
    write_body(w);
    e->in_openmp = false;
    if (owns) close_own_tape(w);
    gw_emit_line(e, "}");
    e->host_tape = outer_tape;
    if (!owns) return;
    gw_emit_line(e, "if (%s) {", gw_cstr(e->session, w->failed));
    gw_emit_line(e, "    gw_host_tape_free(%s);", gw_cstr(e->session, e->host_tape));
    gw_emit_no_memory(e);
    gw_emit_line(e, "}");
}

void gw_emit_parallel(gw_emitter *e, gw_op op, const char *from, const char *to, const char *counter) {
    writing w = {.e = e, .op = op, .from = from, .to = to, .counter = counter};
    const gw_str outer = e->host_top;
    w.type = gw_emit_type(e, gw_typeof(e->f, gw_operand(e->f, op, 0)));
    w.tape = gw_policy_tape_of(e->f, op, &w.bytes);
    w.back = gw_has_op(e->f, op, GW_OP_POP);
    int64_t first;
    w.from_zero = gw_const_int(e->f, gw_operand(e->f, op, 0), &first) && first == 0;
    find_sums(&w);
    if (w.tape == GW_POLICY_TAPE_INDEXED && w.back) move_top(&w, "-");
    e->in_parallel = true;
    if (gw_policy_is_openmp(gw_op_at(e->f, op)->policy)) write_openmp(&w, outer);
    else write_algorithm(&w, outer);
    e->in_parallel = false;
    e->host_top = outer;
    if (w.tape == GW_POLICY_TAPE_INDEXED && !w.back) move_top(&w, "+");
    gw_text_free(&w.given);
    gw_text_free(&w.sums);
}
