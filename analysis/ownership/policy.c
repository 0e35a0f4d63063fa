/*
 * ownership/policy.c - the pass `policies`: which loops of the host's derivatives run as their algorithm's
 * policy says, and which of their accesses are plain.
 *
 * Requires: loops that came from one with a policy have it, and those of a reverse sweep name it in `origin`;
 * accesses of adjoints in them are undecided, all others decided; tapes have their room.
 * Guarantees: a loop that still has a policy counts upward by 1, and its iterations may run in any order and at
 * the same time, but for what it carries: sums. Its accesses of adjoints are decided. Any other loop has none,
 * and its note says why.
 *
 * Why that is sound. That an algorithm has such a policy, or a loop a pragma of OpenMP, says that no two of its
 * iterations come to one cell, unless both only read: the premise of kernels, of which a thread is an
 * iteration. (Loops of OpenMP whose iterations meet by other rules have no policy: call/openmp_loop.c.) So the
 * body is outlined as a kernel (outline.c), and the analysis of kernels is asked about each access. What it
 * would have to suppose of a launch is not supposed here. Stores that are not the source's own are not let
 * through, nor what keeps an order: a tape, a call that works on memory, a carried value that is no sum.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/passes.h"
#include "analysis/ir/policies.h"
#include "analysis/ir/reasons.h"
#include "analysis/ir/restructure.h"
#include "analysis/ir/rungs.h"
#include "analysis/ownership/outline_private.h"
#include "analysis/ownership/ownership.h"

#include <stdlib.h>

typedef struct deciding {
    gw_func *f;
    gw_op loop;
    uint32_t *uses;  /* by value */
    const char *why; /* it runs in order after all; NULL: it does not */
    bool shares;     /* several iterations add to one cell */
} deciding;

/* ---- what it carries ---- */
static bool is_sum(const deciding *d, gw_value v, gw_value arg, uint32_t *found);

static bool loop_sums(const deciding *d, gw_op loop, uint32_t i, gw_value arg, uint32_t *found) {
    const gw_func *f = d->f;
    const gw_value inner = gw_loop_arg(f, loop, i);
    uint32_t inside = 0;
    if (gw_op_at(f, loop)->code == GW_OP_WHILE && d->uses[gw_arg(f, gw_op_at(f, loop)->region[0], i)])
        return false;
    return is_sum(d, gw_loop_next(f, loop, i), inner, &inside) && inside == d->uses[inner] &&
           is_sum(d, gw_loop_init(f, loop, i), arg, found);
}

/* The value from outside of a branch that an arm hands on as it is; 0: neither arm does. */
static gw_value handed_on(const gw_func *f, gw_op branch, uint32_t i, uint32_t *arm) {
    for (*arm = 0; *arm < 2; ++*arm) {
        const gw_value v = gw_yielded(f, gw_op_at(f, branch)->region[*arm], i);
        const gw_op op = gw_value_at(f, v)->op;
        if (op && !gw_region_inside(f, gw_op_at(f, op)->parent, gw_op_at(f, branch)->region[*arm])) return v;
    }
    return 0;
}

static bool is_sum_of(const deciding *d, gw_op op, uint32_t i, gw_value arg, uint32_t *found);

/* One arm adds to what is a sum already, the other leaves it: uses of that are these two. */
static bool adds_in_arm(const deciding *d, gw_op branch, uint32_t i, gw_value arg, uint32_t *found) {
    const gw_func *f = d->f;
    uint32_t arm, uses = 1;
    const gw_value before = handed_on(f, branch, i, &arm);
    if (!before || before == arg) return false;
    return is_sum(d, gw_yielded(f, gw_op_at(f, branch)->region[!arm], i), before, &uses) &&
           uses == d->uses[before] &&
           is_sum_of(d, gw_value_at(f, before)->op, gw_value_at(f, before)->index, arg, found);
}

static bool is_sum_of(const deciding *d, gw_op op, uint32_t i, gw_value arg, uint32_t *found) {
    const gw_func *f = d->f;
    const gw_op_data *o = gw_op_at(f, op);
    const uint32_t before = *found;
    if (o->code == GW_OP_ADD || o->code == GW_OP_SUB) {
        for (uint32_t side = 0; side < (o->code == GW_OP_ADD ? 2 : 1); side++) {
            if (is_sum(d, gw_operand(f, op, side), arg, found)) return true;
            *found = before;
        }
        return false;
    }
    if (o->code == GW_OP_IF) {
        if (is_sum(d, gw_yielded(f, o->region[0], i), arg, found) &&
            is_sum(d, gw_yielded(f, o->region[1], i), arg, found))
            return true;
        *found = before;
        return adds_in_arm(d, op, i, arg, found);
    }
    return gw_is_loop(f, op) && loop_sums(d, op, i, arg, found);
}

/* v is arg and terms that do not depend on it; adds the uses of arg that this takes. */
static bool is_sum(const deciding *d, gw_value v, gw_value arg, uint32_t *found) {
    if (v == arg) {
        ++*found;
        return true;
    }
    const gw_op op = gw_value_at(d->f, v)->op;
    return op && d->uses[v] == 1 && is_sum_of(d, op, gw_value_at(d->f, v)->index, arg, found);
}

static bool carries_sums(const deciding *d) {
    const gw_func *f = d->f;
    for (uint32_t i = 0; i < gw_loop_carried(f, d->loop); i++) {
        uint32_t found = 0;
        const gw_value arg = gw_loop_arg(f, d->loop, i);
        if (!is_sum(d, gw_loop_next(f, d->loop, i), arg, &found) || found != d->uses[arg]) return false;
    }
    return true;
}

/* ---- what it does ---- */
/* Tangents are stored where their values are, by the same line. */
static bool is_own_store(const gw_func *f, gw_op store) {
    const gw_op_data *s = gw_op_at(f, store);
    const gw_func *p = f->primal;
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        if (!o->dead && o->code == GW_OP_STORE && o->path == s->path && o->loc.line == s->loc.line &&
            o->loc.column == s->loc.column && o->loc.file == s->loc.file && gw_policy_around(p, op) &&
            (f->form == GW_FORM_JVP || gw_object_at(p, o->object)->name == gw_object_at(f, s->object)->name))
            return true;
    }
    return false;
}

/* All accesses stand behind its one declaration, in the loop. */
static bool is_iterations_own(const gw_func *f, gw_op loop, gw_object o) {
    gw_op declared = 0;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *d = gw_op_at(f, op);
        if (d->dead || d->object != o) continue;
        if (d->code == GW_OP_DECLARE && declared) return false;
        if (d->code == GW_OP_DECLARE) declared = op;
        if (!gw_region_inside(f, d->parent, gw_loop_body(f, loop))) return false;
    }
    if (!declared) return false;
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->object == o &&
            !gw_region_inside(f, gw_op_at(f, op)->parent, gw_op_at(f, declared)->parent))
            return false;
    return true;
}

static const char *trouble_of_memory(const gw_func *f, gw_op loop, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    const bool is_local = gw_object_at(f, o->object)->kind == GW_OBJECT_LOCAL;
    if (is_local && gw_declares(f, loop, o->object))
        return is_iterations_own(f, loop, o->object) ? NULL : "an array is shared by iterations";
    const bool is_adjoint = f->form != GW_FORM_JVP && gw_ownership_is_adjoint(f, o->object);
    if (o->code == GW_OP_STORE && !is_adjoint && !is_own_store(f, op))
        return "an array is shared by iterations";
    return NULL;
}

static const char *trouble_of(const gw_func *f, gw_op loop, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    switch (o->code) {
    case GW_OP_DECLARE:
        return gw_object_at(f, o->object)->sized ? "an array is allocated" : trouble_of_memory(f, loop, op);
    case GW_OP_ADDRESS:
        return "it calls a function that is not inlined";
    case GW_OP_ATOMIC:
        return "it has atomic operations";
    case GW_OP_LOAD:
    case GW_OP_STORE:
    case GW_OP_ACCUM:
        return trouble_of_memory(f, loop, op);
    default:
        return NULL;
    }
}

static void look_inside(deciding *d) {
    const gw_func *f = d->f;
    const gw_region body = gw_loop_body(f, d->loop);
    uint32_t bytes = 0;
    for (gw_op op = gw_first(f, body); op && !d->why; op = gw_walk(f, op, body))
        d->why = trouble_of(f, d->loop, op);
    if (!d->why && gw_policy_tape_of(f, d->loop, &bytes) == GW_POLICY_TAPE_ORDERED)
        d->why = "values go to a tape, and come back last first";
    if (!d->why && !carries_sums(d)) d->why = "an iteration needs what the one before has carried on";
}

/* ---- its header ---- */
/* Records lie by the index where the loop that leaves them counts upward, and the one that takes them downward:
 * so they lie too where only one of the two runs in order. */
static bool records_lie_by_index(const gw_func *f, gw_op loop) {
    uint32_t bytes = 0;
    if (gw_policy_tape_of(f, loop, &bytes) != GW_POLICY_TAPE_INDEXED) return true;
    return gw_loop_step(f, loop) == (gw_has_op(f, loop, GW_OP_POP) ? -1 : 1);
}

/* for (k = hi - 1; k >= lo; --k) as for (k = lo; k < hi; ++k): its iterations have no order. */
static bool turn_upward(gw_func *f, gw_op loop) {
    gw_op_data *o = gw_op_at(f, loop);
    const int64_t step = gw_loop_step(f, loop);
    if (o->flags & GW_OP_EXIT) return false;
    if (step == 1 && o->attr == GW_OP_LT) return true;
    if (step != -1 || o->attr != GW_OP_GE) return false;
    gw_builder b = {f, o->parent, loop, o->loc};
    const gw_value last = gw_operand(f, loop, 0), first = gw_operand(f, loop, 1);
    const gw_value one = gw_int(&b, gw_typeof(f, last), 1);
    const gw_op_data *of = gw_value_at(f, last)->op ? gw_op_at(f, gw_value_at(f, last)->op) : NULL;
    int64_t less = 0;
    const bool is_less = of && of->code == GW_OP_SUB &&
                         gw_const_int(f, gw_operand(f, gw_value_at(f, last)->op, 1), &less) && less == 1;
    const gw_value bound =
        is_less ? gw_operand(f, gw_value_at(f, last)->op, 0) : gw_binary(&b, GW_OP_ADD, last, one);
    gw_set_operand(f, loop, 0, first);
    gw_set_operand(f, loop, 1, bound);
    gw_set_operand(f, loop, 2, one);
    gw_op_at(f, loop)->attr = GW_OP_LT;
    return true;
}

/* ---- adjoints ---- */
static bool is_adjoint_access(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    if (f->form == GW_FORM_JVP) return false;
    return (o->code == GW_OP_LOAD || o->code == GW_OP_STORE || o->code == GW_OP_ACCUM) &&
           gw_ownership_is_adjoint(f, o->object);
}

static bool is_of_iteration(const gw_func *f, gw_op loop, gw_op op) {
    const gw_object o = gw_op_at(f, op)->object;
    return gw_object_at(f, o)->kind == GW_OBJECT_LOCAL && gw_declares(f, loop, o);
}

static gw_why why_of(gw_ownership *w, uint32_t i, const gw_verdict *v) {
    gw_why why = gw_ownership_explain(w, i, v);
    if (v->owned) return gw_because(v->store ? GW_REASON_ITERATION_WRITES : GW_REASON_ITERATION_OWNS);
    if (why.reason == GW_REASON_INDEX_FROM_MEMORY || why.reason == GW_REASON_RANGE_FROM_MEMORY) return why;
    return gw_because(GW_REASON_ITERATIONS_MEET);
}

/* The accesses of one object; `decisions` by op of f, of which nothing is said before all are known. */
static void judge(deciding *d, gw_ownership *w, const gw_op *of_copy, gw_decision *decisions) {
    const uint64_t known = gw_assumed_lengths(w->one_long);
    for (uint32_t i = 0; i < w->refs.count && !d->why; i++) {
        gw_verdict v;
        const gw_op op = of_copy[w->refs.at[i]];
        gw_ownership_judge(w, i, &v);
        v.owned = v.owned && !(v.assumed & ~known);
        if (!v.owned && gw_op_at(d->f, op)->code != GW_OP_ACCUM)
            d->why = "an adjoint is read or cleared that another iteration may come to";
        d->shares |= !v.owned;
        decisions[op] = (gw_decision){.how = (uint16_t)(v.owned ? GW_ACCUMULATE_PLAIN : GW_ACCUMULATE_ATOMIC),
                                      .why = v.blamed || v.owned ? why_of(w, i, &v)
                                                                 : gw_because(GW_REASON_ITERATIONS_MEET)};
    }
}

static void judge_all(deciding *d, gw_decision *decisions) {
    gw_outlined o = gw_outline_reverse(d->f, d->loop);
    gw_op *of_copy = gw_alloc(o.kernel->ops.count * sizeof *of_copy);
    gw_ownership w;
    for (gw_op op = 1; op < d->f->ops.count; op++)
        if (o.copy_of[op]) of_copy[o.copy_of[op]] = op;
    gw_ownership_start(&w, o.kernel);
    for (gw_object object = 1; object < d->f->objects.count && !d->why; object++) {
        if (!gw_ownership_is_adjoint(o.kernel, object) ||
            gw_object_at(o.kernel, object)->kind == GW_OBJECT_LOCAL)
            continue;
        gw_ownership_look_at(&w, object);
        judge(d, &w, of_copy, decisions);
    }
    gw_ownership_end(&w);
    free(of_copy);
    gw_outlined_free(&o);
}

static void decide_by(gw_func *f, gw_op op, gw_accumulate how, gw_reason reason) {
    gw_ownership_decide(f, op, (gw_decision){.how = (uint16_t)how, .why = gw_because(reason)});
}

static void settle(deciding *d, gw_op op, const gw_decision *decision) {
    const bool is_local = gw_object_at(d->f, gw_op_at(d->f, op)->object)->kind == GW_OBJECT_LOCAL;
    if (is_local && (d->why || is_of_iteration(d->f, d->loop, op)))
        decide_by(d->f, op, GW_ACCUMULATE_LOCAL, GW_REASON_THREADS_VARIABLE);
    else if (d->why)
        decide_by(d->f, op, GW_ACCUMULATE_PLAIN, GW_REASON_ONE_THREAD);
    else
        gw_ownership_decide(d->f, op, *decision);
}

/* ---- loops ---- */
static bool has_adjoints(const gw_func *f, gw_region body) {
    for (gw_op op = gw_first(f, body); op; op = gw_walk(f, op, body))
        if (is_adjoint_access(f, op)) return true;
    return false;
}

/* Lanes of one thread cannot wait for each other; and where the library makes sums, their parts are what
 * runs. */
static uint16_t policy_of(const deciding *d) {
    const uint16_t policy = gw_op_at(d->f, d->loop)->policy;
    const bool meets = d->shares || gw_loop_carried(d->f, d->loop);
    if (!d->why && gw_policy_is_openmp(policy)) return policy;
    if (d->why || (meets && policy == GW_POLICY_UNSEQ)) return GW_POLICY_NONE;
    return meets ? GW_POLICY_PAR : policy;
}

/* OpenMP adds up what each thread has, the library the same parts on any machine. */
static bool depends_on_threads(const deciding *d) {
    return d->f->session->options.deterministic && gw_loop_carried(d->f, d->loop) &&
           gw_policy_is_openmp(gw_op_at(d->f, d->loop)->policy);
}

typedef struct loop_header {
    gw_value operand[3];
    uint16_t compare;
} loop_header;

static loop_header header_of(const gw_func *f, gw_op loop) {
    loop_header h = {.compare = gw_op_at(f, loop)->attr};
    for (uint32_t i = 0; i < 3; i++) h.operand[i] = gw_operand(f, loop, i);
    return h;
}

/* What is taken off a tape in order comes back in the order of the header that it had. */
static void put_header_back(gw_func *f, gw_op loop, const loop_header *h) {
    for (uint32_t i = 0; i < 3; i++) gw_set_operand(f, loop, i, h->operand[i]);
    gw_op_at(f, loop)->attr = h->compare;
}

static void decide_loop(deciding *d) {
    gw_func *f = d->f;
    const gw_region body = gw_loop_body(f, d->loop);
    const bool adjoints = has_adjoints(f, body);
    const loop_header header = header_of(f, d->loop);
    gw_decision *decisions = gw_alloc(f->ops.count * sizeof *decisions);
    look_inside(d);
    if (!d->why && adjoints && !gw_op_at(f, d->loop)->origin) d->why = "it is no loop of the source";
    if (!d->why && !records_lie_by_index(f, d->loop)) d->why = "its steps are not counted upward by 1";
    if (!d->why && !turn_upward(f, d->loop)) d->why = "its steps are not counted upward by 1";
    if (!d->why && adjoints) judge_all(d, decisions);
    if (!d->why && d->shares && f->session->options.deterministic)
        d->why = "--deterministic, and iterations add to one cell";
    if (!d->why && depends_on_threads(d)) d->why = "--deterministic, and threads decide a sum";
    const uint16_t policy = policy_of(d);
    if (!policy) put_header_back(f, d->loop, &header);
    if (!policy && !d->why) d->why = "iterations add to one cell";
    for (gw_op op = gw_first(f, body); op; op = gw_walk(f, op, body)) {
        if (gw_is_loop(f, op)) gw_op_at(f, op)->policy = GW_POLICY_NONE;
        if (is_adjoint_access(f, op)) settle(d, op, &decisions[op]);
    }
    char *note = d->why ? gw_format("in order, not as %s: %s", gw_policy_means(gw_op_at(f, d->loop)->policy),
                                    d->why)
                        : NULL;
    if (note) {
        gw_op_at(f, d->loop)->note = gw_intern(f->session, note);
        gw_diag(f->session, GW_DIAG_IN_ORDER, gw_op_at(f, d->loop)->loc, note);
    }
    gw_op_at(f, d->loop)->policy = policy;
    free(note);
    free(decisions);
}

static void count_uses(deciding *d) {
    const gw_func *f = d->f;
    for (gw_op op = 1; op < f->ops.count; op++)
        for (uint32_t i = 0; !gw_op_at(f, op)->dead && i < gw_op_at(f, op)->operands; i++)
            d->uses[gw_operand(f, op, i)]++;
}

static void decide_function(gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (gw_op_at(f, op)->dead || !gw_op_at(f, op)->policy || gw_policy_around(f, op) != op) continue;
        deciding d = {.f = f, .loop = op, .uses = gw_alloc(f->values.count * sizeof *d.uses)};
        count_uses(&d);
        decide_loop(&d);
        free(d.uses);
    }
}

/* Forward derivatives of derivatives, and what is no function of the host alone. */
static void forget_policies(gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++) gw_op_at(f, op)->policy = GW_POLICY_NONE;
}

bool gw_pass_policies(gw_run *run) {
    gw_session *s = run->session;
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        gw_func *f = s->funcs.at[i];
        const bool is_first = f->primal && f->primal->form == GW_FORM_PRIMAL;
        const bool decided = f->form == GW_FORM_GRAD || f->form == GW_FORM_PULLBACK ||
                             (f->form == GW_FORM_JVP && is_first);
        if (f->kind == GW_FUNC_HOST && decided) decide_function(f);
        else if (f->primal) forget_policies(f);
    }
    return true;
}
