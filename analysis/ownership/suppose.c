/*
 * ownership/suppose.c - the second try for what nothing proves owned: launches as they are meant (contract:
 * ownership.h).
 *
 *     int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;    // a warp a row
 *     tile[threadIdx.y][threadIdx.x] = x[(16 * blockIdx.y + threadIdx.y) * n + 16 * blockIdx.x + threadIdx.x];
 *
 * The first gives each thread a (row, lane) of its own only in blocks whose length is a multiple of 32, the
 * second a cell in blocks of at most 16 x 16. Nobody launches such a kernel otherwise, so that is supposed, and
 * checked at the launch - but only for a reference that nothing else proves owned: a launch that needs no proof
 * is not refused. What is supposed, in the order in which it is tried (`tries`):
 *
 *   WIDTH  blockDim.x is a multiple of the power of two that threadIdx.x, or the thread's number in its block,
 *          is divided by; blocks of 256 threads are not refused for a threadIdx.x % 3
 *   FLAT   blocks are one long in y and z, in a kernel that asks for threadIdx.x by itself, and for y and z
 *          only to number the threads of the block: (z * Y + y) * X + x
 *   ROOM   blocks are no longer than the rows of shared arrays that their threads index (facts/lengths.c)
 *   SIGN   integers that the kernel is given are not negative; an enumerator may be
 *   EXACT  blocks are as long as those rows, where a loop reads what the threads of a whole row have stored;
 *          along other axes they are as for ROOM
 *
 * Each try looks at the derivative once more, with normal forms in which it is a fact (prove/atoms.c). The
 * solver is not asked again, and the steps of all tries are counted by themselves, so that a try never costs a
 * proof that needs none. A try keeps of what it supposes only that without which it fails, and never what
 * contradicts other facts about the launch, since no launch would be left.
 */
#include "analysis/ownership/ownership.h"

#include "analysis/ir/relations.h"
#include "analysis/ir/optional.h"

#include <stdlib.h>

enum { WIDTH = 1, FLAT = 2, ROOM = 4, SIGN = 8, EXACT = 16, WIDTH_LEAST = 2 };
static const unsigned tries[] = {0, /* what another reference has needed */
                                 WIDTH,
                                 FLAT,
                                 ROOM,
                                 SIGN,
                                 WIDTH | FLAT | ROOM | SIGN,
                                 ROOM | EXACT,
                                 WIDTH | FLAT | ROOM | SIGN | EXACT};

/* ---- which width ---- */
/* threadIdx.x / c, % c, >> k or & (c - 1): c; else 0. */
static int64_t width_of(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    bool divides = o->code == GW_OP_DIV || o->code == GW_OP_REM;
    int64_t c;
    if (o->dead || (!divides && o->code != GW_OP_SHR && o->code != GW_OP_AND)) return 0;
    if (!gw_is_thread(f, gw_operand(f, op, 0)) || !gw_const_int(f, gw_operand(f, op, 1), &c) || c < 0 ||
        c > GW_MOST_THREADS)
        return 0;
    if (o->code == GW_OP_SHR) c = c > 10 ? 0 : (int64_t)1 << c;
    if (o->code == GW_OP_AND) c = (c & (c + 1)) == 0 ? c + 1 : 0;
    return c >= WIDTH_LEAST && c <= GW_MOST_THREADS && (c & (c - 1)) == 0 ? c : 0;
}

/* The largest, which all others divide; 0: there is none. */
static int64_t find_width(const gw_func *f) {
    int64_t most = 0;
    for (gw_op op = 1; op < f->ops.count; op++)
        if (width_of(f, op) > most) most = width_of(f, op);
    return most;
}

/* ---- what may be supposed ---- */
/* Nothing that is known already. */
static void offer(gw_ownership *w, unsigned group, uint32_t subject, gw_relation relation, int64_t number,
                  const char *why) {
    const gw_launch_range r = gw_launch_known(w->f, NULL, subject);
    const gw_launch_fact fact = {.subject = subject, .relation = relation, .number = number};
    bool known = relation == GW_RELATION_AT_MOST && r.high <= number;
    known |= relation == GW_RELATION_AT_LEAST && r.low >= number;
    known |= relation == GW_RELATION_EQUAL && r.low == r.high;
    known |= relation == GW_RELATION_MULTIPLE && r.multiple % number == 0;
    if (!known) gw_push(&w->offers, ((gw_supposed){.group = group, .fact = fact, .why = why}));
}

static void offer_lengths(gw_ownership *w) {
    static const char why[] = "the kernel's shared arrays have room for that";
    uint32_t least[3] = {0}, most[3] = {0}, room[3] = {0};
    gw_block_lengths(w->f->primal, least, most);
    gw_block_room(w->f->primal, room);
    for (unsigned axis = 0; axis < 3; axis++) {
        const uint32_t length = GW_SPECIAL_ATTR(GW_BLOCK_DIM, axis);
        if (room[axis]) offer(w, ROOM, length, GW_RELATION_AT_MOST, room[axis], why);
        if (least[axis] && least[axis] == most[axis])
            offer(w, EXACT, length, GW_RELATION_EQUAL, least[axis],
                  "the kernel reads what so many threads store to its shared arrays");
    }
}

static void find_offers(gw_ownership *w) {
    const gw_func *p = w->f->primal;
    const int64_t width = find_width(w->f);
    w->has_offers = true;
    if ((w->f->form == GW_FORM_GATHER && !w->f->is_behind) || !p || gw_is_for_any_launch(w->f)) return;
    if (width)
        offer(w, WIDTH, GW_SPECIAL_ATTR(GW_BLOCK_DIM, 0), GW_RELATION_MULTIPLE, width,
              "the kernel takes threadIdx.x apart by that");
    for (unsigned axis = 1; axis < 3 && gw_numbers_flat_blocks(p); axis++)
        offer(w, FLAT, GW_SPECIAL_ATTR(GW_BLOCK_DIM, axis), GW_RELATION_EQUAL, 1,
              "the kernel asks for it only to number the threads of a block");
    offer_lengths(w);
    for (uint32_t i = 0; i < p->params.count; i++)
        if (p->params.at[i].value && !p->params.at[i].is_enumerated &&
            gw_type_is_integer(gw_typeof(p, p->params.at[i].value)))
            offer(w, SIGN, GW_LAUNCH_PARAM + i, GW_RELATION_AT_LEAST, 0, "a size of the kernel");
}

/* ---- a try ---- */
static bool same_facts(const gw_launch_facts *a, const gw_launch_facts *b) {
    bool same = a->count == b->count;
    for (uint32_t i = 0; i < a->count && same; i++)
        same = a->at[i].subject == b->at[i].subject && a->at[i].relation == b->at[i].relation &&
               a->at[i].number == b->at[i].number;
    return same;
}

/* Takes the facts. */
static gw_trial *find_trial(gw_ownership *w, gw_launch_facts facts) {
    for (uint32_t i = 0; i < w->trials.count; i++)
        if (same_facts(&w->trials.at[i]->facts, &facts)) {
            gw_vec_free(&facts);
            return w->trials.at[i];
        }
    gw_trial *made = gw_alloc(sizeof *made);
    *made = (gw_trial){.facts = facts, .w = gw_alloc(sizeof *made->w)};
    gw_ownership_start_where(made->w, w->f, &made->facts);
    made->w->by_rules = true;
    gw_push(&w->trials, made);
    return made;
}

/* NULL where the facts do not suffice. */
static gw_trial *judge(gw_ownership *w, gw_launch_facts facts, gw_object o, uint32_t i, gw_verdict *v) {
    gw_trial *t = find_trial(w, facts);
    if (!t->w->refs.count || gw_op_at(w->f, t->w->refs.at[0])->object != o) gw_ownership_look_at(t->w, o);
    gw_ownership_judge(t->w, i, v);
    return v->owned ? t : NULL;
}

static bool holds(const gw_launch_facts *facts, const gw_launch_fact *fact) {
    for (uint32_t i = 0; i < facts->count; i++)
        if (facts->at[i].subject == fact->subject && facts->at[i].relation == fact->relation) return true;
    return false;
}

/* A try's facts: what was supposed before, and what of its groups is not known by that. */
static gw_launch_facts facts_of(const gw_ownership *w, unsigned groups) {
    gw_launch_facts facts = {0};
    for (uint32_t i = 0; i < w->supposed.count; i++) gw_push(&facts, w->supposed.at[i].fact);
    for (uint32_t i = 0; i < w->offers.count; i++)
        if ((w->offers.at[i].group & groups) && !holds(&facts, &w->offers.at[i].fact))
            gw_push(&facts, w->offers.at[i].fact);
    return facts;
}

/* Without each that it can do without. */
static gw_trial *reduce(gw_ownership *w, gw_trial *t, gw_object o, uint32_t i, gw_verdict *v) {
    for (uint32_t k = t->facts.count; k-- > w->supposed.count;) {
        gw_launch_facts fewer = {0};
        gw_verdict verdict;
        for (uint32_t at = 0; at < t->facts.count; at++)
            if (at != k) gw_push(&fewer, t->facts.at[at]);
        gw_trial *less = judge(w, fewer, o, i, &verdict);
        if (!less) continue;
        t = less;
        *v = verdict;
    }
    return t;
}

/* ---- what is assumed ---- */
static bool take_over(gw_ownership *w, const gw_ownership *other, gw_object o, uint64_t assumed) {
    bool good = true;
    for (uint32_t i = 0; i < other->n->assumptions.count && good; i++) {
        gw_poly p = other->n->assumptions.at[i];
        if (!(assumed >> (GW_ASSUME_LENGTHS + i) & 1)) continue;
        gw_ownership_in_terms_of(w, other, &p);
        good = gw_ownership_assume(w, o, &p, false);
    }
    return good;
}

/* Why each that is new is supposed. */
static void keep(gw_ownership *w, const gw_trial *t, gw_object o) {
    for (uint32_t k = w->supposed.count; k < t->facts.count; k++)
        for (uint32_t i = 0; i < w->offers.count; i++) {
            gw_supposed s = w->offers.at[i];
            const bool same = s.fact.subject == t->facts.at[k].subject &&
                              s.fact.relation == t->facts.at[k].relation;
            s.object = o;
            if (same) gw_push(&w->supposed, s);
        }
}

gw_launch_facts gw_ownership_offers(gw_ownership *w) {
    gw_launch_facts facts = {0};
    if (!w->has_offers) {
        find_offers(w);
        w->effort = w->n->effort->left[GW_EFFORT_PROOFS];
    }
    if (gw_takes(w->f->session, GW_OPTIONAL_SUPPOSE)) facts = facts_of(w, WIDTH | FLAT | ROOM | SIGN);
    if (!gw_launch_is_possible(w->f, &facts)) gw_vec_free(&facts);
    return facts;
}

/* ---- all tries ---- */
static gw_trial *find(gw_ownership *w, gw_object o, uint32_t i, gw_verdict *v) {
    for (unsigned k = 0; k < sizeof tries / sizeof *tries; k++) {
        gw_launch_facts facts = facts_of(w, tries[k]);
        const bool is_try = k == 0 ? facts.count != 0 : facts.count > w->supposed.count;
        gw_trial *t = NULL;
        if (is_try && gw_launch_is_possible(w->f, &facts)) t = judge(w, facts, o, i, v);
        else gw_vec_free(&facts);
        if (t) return reduce(w, t, o, i, v);
    }
    return NULL;
}

gw_ownership *gw_ownership_suppose(gw_ownership *w, gw_object o, uint32_t i, gw_verdict *v) {
    uint64_t *left = &w->n->effort->left[GW_EFFORT_PROOFS], before = *left;
    gw_verdict verdict = {.owned = false};
    if (!w->has_offers) {
        find_offers(w);
        w->effort = before;
    }
    if (!w->offers.count || !gw_takes(w->f->session, GW_OPTIONAL_SUPPOSE)) return NULL;
    *left = w->effort;
    gw_trial *t = find(w, o, i, &verdict);
    w->effort = *left;
    *left = before;
    if (!t || !take_over(w, t->w, o, verdict.assumed)) return NULL;
    keep(w, t, o);
    verdict.assumed &= ((uint64_t)1 << GW_ASSUME_LENGTHS) - 1;
    *v = verdict;
    return t->w;
}

void gw_ownership_forget_trials(gw_ownership *w) {
    for (uint32_t i = 0; i < w->trials.count; i++) {
        gw_ownership_end(w->trials.at[i]->w);
        free(w->trials.at[i]->w);
        gw_vec_free(&w->trials.at[i]->facts);
        free(w->trials.at[i]);
    }
    gw_vec_free(&w->trials);
    gw_vec_free(&w->offers);
    gw_vec_free(&w->supposed);
}
