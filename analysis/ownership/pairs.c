/*
 * ownership/pairs.c - a kernel's references to one adjoint object, each against all (contract: ownership.h).
 *
 * A reference is owned if, against every reference to the object (itself included), one of these holds:
 *   both only read; they name different fields; distinct threads never meet there (disjoint.c);
 *   the object is shared memory, of which each block has its own, and a barrier stands between them
 * (intervals.c); the primal's race-freedom keeps the cell for the thread of one of them (ownership/premise.c);
 *   those who meet there are of one block, or one warp, and meet between the two (ownership/turns.c);
 *   both go by numbers that a counter gives out, each once (ownership/ticket.c);
 *   both go through a list whose entries the primal's race-freedom makes distinct (ownership/list.c).
 * The question is symmetric, so each pair of places is asked once. References of one region, path and index
 * values, without a barrier between them, are one place: a kernel with many reads of one cell costs no more
 * than with one.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/reasons.h"
#include "analysis/ir/rungs.h"
#include "analysis/ownership/ownership.h"
#include "analysis/ownership/premise_private.h"
#include "analysis/prove/prove.h"
#include "analysis/ir/optional.h"

#include <stdlib.h>
#include <string.h>

enum { OF_THREADS = 7 }; /* threadIdx, of gw_meeting's coordinates */

/* ---- launch dimensions that may be assumed to be 1 ---- */
static uint32_t coordinates_read(const gw_func *f) {
    uint32_t used = 0;
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (o->dead || o->code != GW_OP_SPECIAL || o->attr % 4 > 2) continue;
        bool grid = o->attr / 4 == GW_BLOCK_IDX || o->attr / 4 == GW_GRID_DIM;
        used |= 1u << (o->attr % 4 + (grid ? 3 : 0));
    }
    return used;
}

/* y and z of a kernel that never looks at them: nobody launches it with more than 1 there. */
static uint32_t unused_lengths(const gw_func *f) {
    const uint32_t not_x = GW_COORDINATES_ALL & ~9u;
    uint32_t used = coordinates_read(f) | (f->primal ? coordinates_read(f->primal) : 0);
    return not_x & ~used;
}

void gw_ownership_start(gw_ownership *w, gw_func *f) { gw_ownership_start_where(w, f, NULL); }

void gw_ownership_start_where(gw_ownership *w, gw_func *f, const gw_launch_facts *supposed) {
    *w = (gw_ownership){.f = f, .n = gw_normal_where(f, supposed), .facts = supposed};
    w->one_long = unused_lengths(f) | gw_normal_alone(w->n);
    gw_intervals_new(&w->intervals, f);
}

static void forget(gw_ownership *w) {
    for (uint32_t i = 0; i < w->sites.count; i++)
        free(w->sites.at[i].index);
    gw_vec_free(&w->sites);
    gw_vec_free(&w->refs);
    gw_vec_free(&w->site_of);
    free(w->meetings);
    free(w->known);
    free(w->stores);
    w->meetings = NULL;
    w->known = NULL;
    w->stores = NULL;
}

void gw_ownership_end(gw_ownership *w) {
    gw_ownership_forget_trials(w);
    forget(w);
    gw_smt_free(w->solver);
    gw_normal_free(w->n);
    gw_intervals_free(&w->intervals);
    if (w->of_lanes.words) gw_intervals_free(&w->of_lanes);
    gw_vec_free(&w->alike);
    if (w->uniform.f) gw_uniform_free(&w->uniform);
}

/* ---- references and places ---- */
static bool same_site(const gw_func *f, gw_op x, gw_op y) {
    const gw_op_data *a = gw_op_at(f, x), *b = gw_op_at(f, y);
    uint32_t n = gw_index_count(f, x);
    if (a->path != b->path || a->parent != b->parent || n != gw_index_count(f, y)) return false;
    if (gw_object_at(f, a->object)->kind == GW_OBJECT_SHARED && !gw_intervals_same(f, x, y)) return false;
    for (uint32_t i = 0; i < n; i++)
        if (gw_operand(f, x, i) != gw_operand(f, y, i)) return false;
    return true;
}

static uint32_t find_site(gw_ownership *w, gw_op op) {
    for (uint32_t i = 0; i < w->sites.count; i++)
        if (same_site(w->f, w->sites.at[i].op, op)) return i;
    uint32_t n = gw_index_count(w->f, op);
    gw_site made = {.op = op, .index = gw_alloc((n + 1) * sizeof *made.index)};
    gw_context *c = gw_normal_context(w->n, gw_op_at(w->f, op)->parent);
    for (uint32_t i = 0; i < n; i++)
        gw_normal_exact(w->n, c, gw_operand(w->f, op, i), &made.index[i]);
    made.access = (gw_access){.context = c, .index = made.index, .count = n, .op = op};
    gw_push(&w->sites, made);
    return w->sites.count - 1;
}

void gw_ownership_look_at(gw_ownership *w, gw_object object) {
    const gw_func *f = w->f;
    forget(w);
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool access = o->code == GW_OP_LOAD || o->code == GW_OP_STORE || o->code == GW_OP_ACCUM;
        if (o->dead || o->object != object || !access) continue;
        gw_push(&w->refs, op);
        gw_push(&w->site_of, find_site(w, op));
    }
    size_t pairs = (size_t)w->sites.count * w->sites.count;
    w->meetings = gw_alloc((pairs + 1) * sizeof *w->meetings);
    w->known = gw_alloc((pairs + 1) * sizeof *w->known);
    w->stores = gw_alloc((w->refs.count + 1) * sizeof *w->stores);
}

/* ---- pairs ---- */

/* Different fields at the first place where the paths differ; *count: index positions before it. */
static bool different_fields(const gw_func *f, gw_op x, gw_op y, uint32_t *count) {
    const char *p = gw_cstr(f->session, gw_op_at(f, x)->path), *q = gw_cstr(f->session, gw_op_at(f, y)->path);
    *count = 0;
    while (*p && *q) {
        size_t n = *p == '.' ? 1 + strcspn(p + 1, ".[") : 2, m = *q == '.' ? 1 + strcspn(q + 1, ".[") : 2;
        if (n != m || strncmp(p, q, n) != 0) return *p == '.' && *q == '.';
        *count += *p == '[';
        p += n;
        q += m;
    }
    return false;
}

bool gw_ownership_other_fields(const gw_func *f, gw_op x, gw_op y) {
    uint32_t count;
    return different_fields(f, x, y, &count);
}

static bool is_shared(const gw_ownership *w, gw_op op) {
    return gw_object_at(w->f, gw_op_at(w->f, op)->object)->kind == GW_OBJECT_SHARED;
}

static gw_meeting *meeting(gw_ownership *w, uint32_t i, uint32_t k, bool ask) {
    uint32_t x = w->site_of.at[i], y = w->site_of.at[k], count;
    if (x > y) x = w->site_of.at[k], y = w->site_of.at[i];
    size_t at = (size_t)x * w->sites.count + y;
    gw_meeting *m = &w->meetings[at];
    if (w->known[at] && (m->disjoint || m->asked || !ask)) return m;
    bool known = w->known[at];
    w->known[at] = true;
    if (different_fields(w->f, w->sites.at[x].op, w->sites.at[y].op, &count)) {
        *m = (gw_meeting){.disjoint = true};
        return m;
    }
    gw_access r = w->sites.at[x].access, s = w->sites.at[y].access;
    if (count < r.count) r.count = count;
    r.one_block = s.one_block = is_shared(w, w->sites.at[x].op);
    if (r.one_block) r.alike = gw_ownership_alike(w, w->sites.at[x].op, w->sites.at[y].op, &r.alike_count);
    if (!known) gw_threads_meet_by_cases(w->n, &r, &s, w->one_long, m);
    if (ask && !m->disjoint) gw_ownership_ask(w, &w->sites.at[x], &w->sites.at[y], &r, &s, m);
    return m;
}

const gw_meeting *gw_ownership_meeting(gw_ownership *w, uint32_t i, uint32_t k) {
    return meeting(w, i, k, false);
}

static bool reads(const gw_func *f, gw_op op) { return gw_op_at(f, op)->code == GW_OP_LOAD; }

static gw_op store_of(gw_ownership *w, uint32_t i) {
    if (!w->stores[i]) w->stores[i] = 1 + gw_premise_store(w->f, w->refs.at[i]);
    return w->stores[i] - 1;
}

static bool kept_by_premise(gw_ownership *w, uint32_t i, uint32_t k, gw_op *store) {
    const gw_func *f = w->f;
    if (!gw_premise_follows_origin(f, w->refs.at[i]) || !gw_premise_follows_origin(f, w->refs.at[k]))
        return false;
    *store = store_of(w, i);
    if (!*store) *store = store_of(w, k);
    return *store != 0 && gw_takes(f->session, GW_OPTIONAL_PREMISE);
}

/* What the premise assumes of the launch: threads that differ only along an axis at which the kernel never
 * looks store to one cell. The primal may so write one value twice, and be right; its gradient would not be. */
static uint64_t axes_of_premise(const gw_ownership *w, gw_op ref) {
    return gw_assumed_lengths(w->one_long & (is_shared(w, ref) ? OF_THREADS : GW_COORDINATES_ALL));
}

bool gw_ownership_never_meet(gw_ownership *w, uint32_t i, uint32_t k, gw_verdict *v) {
    gw_op r = w->refs.at[i], s = w->refs.at[k], store = 0;
    if (reads(w->f, r) && reads(w->f, s)) return true;
    /* a barrier stands between them */
    if (is_shared(w, r) && !gw_intervals_meet(&w->intervals, r, s)) return true;
    v->shared = true;
    const gw_meeting *m = gw_ownership_meeting(w, i, k);
    if (m->disjoint) {
        v->assumed |= m->assumed;
        return true;
    }
    if (!is_shared(w, r) && gw_ownership_take_turns(w, r, s, m, &v->assumed)) return true;
    if (kept_by_premise(w, i, k, &store)) {
        v->store = store;
        v->assumed |= axes_of_premise(w, r);
        return true;
    }
    store = gw_ownership_by_list(w, r, s, &v->assumed);
    v->store = store ? store : v->store;
    v->by_list |= store != 0;
    if (store) return true;
    bool by_ticket = gw_ownership_by_ticket(w, r, s, &v->assumed);
    v->by_ticket |= by_ticket;
    if (by_ticket) return true;
    m = meeting(w, i, k, v->ask);
    v->assumed |= m->disjoint ? m->assumed : 0;
    v->by_solver |= m->disjoint;
    v->witness = m->witness;
    return m->disjoint;
}

void gw_ownership_judge(gw_ownership *w, uint32_t i, gw_verdict *out) {
    *out = (gw_verdict){.owned = true, .ask = !w->by_rules};
    for (uint32_t step = 0; step < w->refs.count && out->owned; step++) {
        uint32_t k = step;
        if (step == 0) k = i; /* itself first */
        else if (step <= i) k = step - 1;
        out->owned = gw_ownership_never_meet(w, i, k, out);
        if (!out->owned) out->blamed = w->refs.at[k];
    }
}

/* ---- decisions ---- */
static void use_assumptions(gw_ownership *w, gw_object o, uint64_t assumed) {
    for (uint32_t bit = 0; bit < 64; bit++)
        if ((assumed >> bit & 1) && !w->assumed_for[bit]) w->assumed_for[bit] = o;
    w->assumed |= assumed;
}

/* Returns what the level assumes. */
static uint64_t mark_level(gw_ownership *w, uint32_t i, gw_decision *d) {
    static const uint16_t flags[] = {0, GW_OP_OF_BLOCK, GW_OP_OF_WARP, 0};
    static const gw_company company[] = {GW_COMPANY_ANY, GW_COMPANY_BLOCK, GW_COMPANY_WARP, GW_COMPANY_ANY};
    uint64_t assumed = 0;
    gw_exclusive level = gw_ownership_level(w, i, &assumed);
    /* that it is the block's own is known; more is not worth a launch check */
    if (assumed && is_shared(w, w->refs.at[i])) return 0;
    gw_op_at(w->f, w->refs.at[i])->flags |= flags[level];
    if (!is_shared(w, w->refs.at[i])) d->company = company[level];
    return assumed;
}

static bool decide(gw_ownership *w, gw_object o, uint32_t i) {
    gw_verdict verdict;
    gw_op op = w->refs.at[i];
    gw_decision d = {.how = GW_ACCUMULATE_ATOMIC};
    bool accum = gw_op_at(w->f, op)->code == GW_OP_ACCUM;
    if (accum && gw_asked_rung_at(w->f, op) == GW_RUNG_ATOMIC) {
        d.why = gw_because(gw_asked_at(w->f, op) ? GW_REASON_FORCED_BY_MARK : GW_REASON_FORCED_BY_OPTION);
        gw_ownership_decide(w->f, op, d);
        return true;
    }
    gw_ownership_judge(w, i, &verdict);
    gw_ownership *as = verdict.owned ? w : gw_ownership_suppose(w, o, i, &verdict);
    if (!verdict.owned && !accum) return false;
    d.why = gw_ownership_explain(as ? as : w, i, &verdict);
    uint64_t assumed = verdict.owned ? verdict.assumed : mark_level(w, i, &d);
    if (verdict.owned) d.how = GW_ACCUMULATE_PLAIN;
    else gw_ownership_blame(w->f, verdict.blamed, verdict.witness, &d);
    gw_ownership_decide(w->f, op, d);
    use_assumptions(w, o, assumed);
    return true;
}

bool gw_ownership_would_own(gw_ownership *w, gw_op access) {
    gw_verdict verdict = {.owned = false};
    gw_ownership_look_at(w, gw_op_at(w->f, access)->object);
    for (uint32_t i = 0; i < w->refs.count; i++)
        if (w->refs.at[i] == access) gw_ownership_judge(w, i, &verdict);
    return verdict.owned;
}

bool gw_ownership_object(gw_ownership *w, gw_object o) {
    const gw_func *f = w->f;
    gw_op conflict = 0;
    gw_ownership_look_at(w, o);
    for (uint32_t i = 0; i < w->refs.count; i++)
        if (!decide(w, o, i) && !conflict) conflict = w->refs.at[i];
    if (conflict) {
        gw_object primal = gw_object_at(f, o)->shadow_of;
        gw_str name = gw_object_at(f, primal ? primal : o)->name;
        gw_diag(f->session, GW_DIAG_ADJOINT_CONFLICT, gw_op_at(f, conflict)->loc, gw_cstr(f->session, name));
    }
    return !conflict;
}
