/*
 * accumulate/asked.c - GW_ACCUMULATE(x, rung) and --accumulate kept, or refused (contract: accumulate.h).
 *
 * The passes before ask analysis/facts/asked.h which rung an addition shall take, and give it that only where
 * they would give it to any: so nothing can become unsound here. What is left to see is that each addition to
 * the adjoint of x has got it. An addition that is proved the thread's own stays plain, unless atomic is asked
 * for: no other rung has anything to sum there.
 */
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/reasons.h"
#include "analysis/ir/rungs.h"
#include "rewriters/accumulate/accumulate_private.h"
#include "analysis/facts/facts.h"
#include "analysis/ownership/ownership.h"
#include "analysis/ir/optional.h"

#include <stdlib.h>

/* Additions to the adjoint of what the mark names. */
typedef struct tally {
    const gw_asked_rung *asked;
    uint32_t taken, owned;
    gw_op refused;
} tally;

static bool takes(const gw_func *f, gw_op op, gw_rung rung) {
    const gw_op_data *o = gw_op_at(f, op);
    bool gathered = f->form == GW_FORM_GATHER || !o->origin;
    if (rung == GW_RUNG_POSTED) return gw_rung_posts(f, op); /* the pass schedule makes it so */
    if (rung == GW_RUNG_GATHER)
        return gathered && (o->attr == GW_ACCUMULATE_PLAIN || f->form == GW_FORM_GATHER);
    return gw_rung_ends_in(rung, o->attr);
}

static bool is_addition(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return !o->dead && o->code == GW_OP_ACCUM && gw_ownership_is_adjoint(f, o->object);
}

static void count(const gw_func *f, tally *t) {
    gw_rung rung = t->asked->rung;
    for (gw_op op = 1; op < f->ops.count && !t->refused; op++) {
        if (!is_addition(f, op) || gw_asked_at(f, op) != t->asked) continue;
        if (takes(f, op, rung)) t->taken++;
        else if (gw_op_at(f, op)->attr == GW_ACCUMULATE_PLAIN && rung != GW_RUNG_POSTED) t->owned++;
        else t->refused = op;
    }
}

static gw_reason own_reason(const gw_func *f, gw_op refused, gw_rung rung) {
    const gw_op_data *o = gw_op_at(f, refused);
    if (rung == GW_RUNG_PHASES && gw_object_at(f, o->object)->kind != GW_OBJECT_SHARED)
        return GW_REASON_NOT_IN_SHARED;
    if (rung == GW_RUNG_POSTED && o->attr == GW_ACCUMULATE_PLAIN) return GW_REASON_NOT_THE_CALLERS;
    if (rung == GW_RUNG_OWNED || rung == GW_RUNG_PHASES || rung == GW_RUNG_POSTED) return GW_REASON_NONE;
    if (gw_rung_homes[rung].refused) return gw_rung_homes[rung].refused;
    if (rung == GW_RUNG_BLOCK && o->attr == GW_ACCUMULATE_GRID) return GW_REASON_MEETS_OTHER_RUNG;
    if (o->attr == GW_ACCUMULATE_WARP) return GW_REASON_BLOCK_DOES_NOT_KNOW;
    return f->session->decisions.at[o->decision].choice ? GW_REASON_NONE : GW_REASON_DIFFERENT_CELLS;
}

/* What the rung stands against, or its choice, or what the proof says. */
static void add_why_not(const gw_func *f, gw_op refused, gw_rung rung, gw_text *out) {
    const gw_why own = gw_because(own_reason(f, refused, rung));
    uint32_t decision = gw_op_at(f, refused)->decision;
    bool by_proof = rung == GW_RUNG_OWNED || rung == GW_RUNG_PHASES || rung == GW_RUNG_POSTED;
    if (own.reason) gw_why_text(f->session, &own, out);
    else if (by_proof) gw_decision_reason(f->session, decision, out);
    else gw_rung_choice_text(f->session, f->session->decisions.at[decision].choice, out);
}

/* A gradient of the function that has additions to which the mark is given; another one need have none. */
static bool is_met(const gw_session *s, const gw_func *primal, const gw_asked_rung *asked) {
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        const gw_func *g = s->funcs.at[i];
        for (gw_op op = 1; g->form == GW_FORM_GRAD && g->primal == primal && op < g->ops.count; op++)
            if (is_addition(g, op) && gw_asked_at(g, op) == asked) return true;
    }
    return false;
}

static bool check(const gw_func *f, const gw_asked_rung *asked) {
    gw_session *s = f->session;
    tally t = {.asked = asked};
    const char *name = gw_cstr(s, asked->name), *spelling = gw_rung_rows[asked->rung].spelling;
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        const gw_func *g = s->funcs.at[i];
        if (g == f || (g->form == GW_FORM_GATHER && g->primal == f->primal && g->request == f->request))
            count(g, &t);
    }
    if (t.refused) {
        char *line = gw_format("%u", gw_op_at(f, t.refused)->loc.line);
        gw_text why = {0};
        add_why_not(f, t.refused, asked->rung, &why);
        gw_diag(s, GW_DIAG_RUNG_UNSOUND, asked->loc, name, spelling, line, why.at);
        gw_text_free(&why);
        free(line);
        return false;
    }
    if (t.taken || (!t.owned && is_met(s, f->primal, asked))) return true;
    gw_diag(s, GW_DIAG_RUNG_OF_NO_ADDITION, asked->loc, name, spelling,
            t.owned ? "each cell of its adjoint has one thread, so there is nothing to sum"
                    : "the gradient adds nothing to its adjoint");
    return false;
}

bool gw_rung_check_asked(const gw_func *f) {
    bool good = true;
    for (uint32_t i = 0; i < f->primal->asked.count; i++)
        if (f->primal->asked.at[i].rung != GW_RUNG_AUTO && gw_asked_is_for(f, &f->primal->asked.at[i]))
            good &= check(f, &f->primal->asked.at[i]);
    return good;
}

/* An addition that has not taken the rung, and has not its cell for itself; 0: none. */
static gw_op left_without(const gw_func *f, gw_rung wish) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        const bool own = o->attr == GW_ACCUMULATE_PLAIN || o->attr == GW_ACCUMULATE_LOCAL;
        if (is_addition(f, op) && !own && !gw_asked_at(f, op) && !takes(f, op, wish)) return op;
    }
    return 0;
}

static bool any_takes(const gw_session *s, gw_rung wish) {
    for (uint32_t i = 0; i < s->funcs.count; i++)
        for (gw_op op = 1; op < s->funcs.at[i]->ops.count; op++)
            if (is_addition(s->funcs.at[i], op) && takes(s->funcs.at[i], op, wish)) return true;
    return false;
}

/* What is preferred by nobody is said at the first addition that might have taken it. */
static void say_unused(const gw_func *f, gw_rung wish) {
    gw_session *s = f->session;
    const gw_op op = left_without(f, wish);
    for (uint32_t i = 0; i < s->funcs.count && s->funcs.at[i] != f; i++)
        if (gw_is_gradient_kernel(s->funcs.at[i]) && left_without(s->funcs.at[i], wish)) return;
    if (!op || any_takes(s, wish)) return;
    gw_text why = {0};
    add_why_not(f, op, wish, &why);
    gw_diag(s, GW_DIAG_RUNG_UNUSED, gw_op_at(f, op)->loc, gw_rung_rows[wish].spelling, why.at);
    gw_text_free(&why);
}

bool gw_rung_check_wished(const gw_func *f) {
    gw_session *s = f->session;
    const gw_rung wish = s->options.accumulate;
    if (wish == GW_RUNG_AUTO || wish == GW_RUNG_ATOMIC) return true;
    if (s->options.prefers) {
        say_unused(f, wish);
        return true;
    }
    bool good = true;
    bool *said = gw_alloc(f->objects.count * sizeof *said);
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!is_addition(f, op) || said[o->object] || gw_asked_at(f, op) || takes(f, op, wish)) continue;
        /* the thread's own: nothing to sum */
        if (o->attr == GW_ACCUMULATE_PLAIN || o->attr == GW_ACCUMULATE_LOCAL) continue;
        gw_text reference = {0}, why = {0};
        gw_ownership_reference(f, op, &reference);
        add_why_not(f, op, wish, &why);
        const char *word = gw_rung_rows[wish].spelling;
        gw_diag(s, GW_DIAG_RUNG_REFUSED, o->loc, word, reference.at, why.at, word, word);
        gw_text_free(&reference);
        gw_text_free(&why);
        said[o->object] = true;
        good = false;
    }
    free(said);
    return good;
}

/* ---- additions that climb ---- */
static bool is_atomic_addition(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return !o->dead && o->code == GW_OP_ACCUM && o->attr == GW_ACCUMULATE_ATOMIC;
}

bool gw_rung_climbs(const gw_func *f, gw_op op) {
    if (!is_atomic_addition(f, op)) return false;
    gw_rung rung = gw_asked_rung_at(f, op);
    const gw_accumulate how = gw_rung_rows[rung].how;
    if (rung == GW_RUNG_AUTO) return gw_takes(f->session, GW_OPTIONAL_CLIMB);
    return gw_is_collected(how) && !gw_accumulates_in_rows(how);
}

bool gw_rung_any_climbs(const gw_func *f) {
    if (!gw_is_gradient_kernel(f)) return false;
    for (gw_op op = 1; op < f->ops.count; op++)
        if (gw_rung_climbs(f, op)) return true;
    return false;
}
