/*
 * disjoint_cases.c - two threads at one cell, by cases of what the indices choose (contract: prove.h).
 *
 * x[c ? a : b]: threads never meet there if they do not where c holds for both, for one, for the other, or for
 * neither. A condition that is the same in all threads has two cases only. In each, the access is looked at
 * anew in a context that knows the condition (gw_normal_case). All cases must be disjoint; the first that is
 * not ends it, and the answer is that without cases.
 */
#include "analysis/prove/prove.h"

enum { INDICES_MOST = 6, CHOICES_MOST = 4 };

typedef struct cased {
    gw_access access;
    gw_number index[INDICES_MOST];
} cased;

static gw_value open_choice(const gw_normal *n, const gw_access *a) {
    gw_value found = 0;
    for (uint32_t i = 0; i < a->count && a->op && !found; i++)
        found = gw_choice_open(n->f, a->context, gw_operand(n->f, a->op, i));
    return found;
}

/* The access where the condition is `truth`; as it is if it does not depend on that. */
static bool in_case(gw_normal *n, const gw_access *a, gw_value condition, bool truth, cased *out) {
    gw_context *c = gw_normal_case(n, (gw_context *)a->context, condition, truth);
    out->access = *a;
    if (!c) return false;
    out->access.context = c;
    out->access.index = out->index;
    for (uint32_t i = 0; i < a->count; i++) gw_normal_exact(n, c, gw_operand(n->f, a->op, i), &out->index[i]);
    return true;
}

static bool all_disjoint(gw_normal *n, const gw_access *r, const gw_access *s, uint32_t one_long, uint32_t left,
                         uint64_t *assumed);

static bool case_disjoint(gw_normal *n, const gw_access *r, const gw_access *s, uint32_t one_long,
                          uint32_t left, uint64_t *assumed) {
    gw_meeting m;
    gw_threads_meet(n, r, s, one_long, &m);
    if (m.disjoint) *assumed |= m.assumed;
    return m.disjoint || (!m.cut && all_disjoint(n, r, s, one_long, left, assumed));
}

static bool all_disjoint(gw_normal *n, const gw_access *r, const gw_access *s, uint32_t one_long, uint32_t left,
                         uint64_t *assumed) {
    gw_value of_r = open_choice(n, r), of_s = of_r ? 0 : open_choice(n, s), by = of_r ? of_r : of_s;
    bool uniform = by && gw_normal_uniform(n, by), made;
    if (!by || !left) return false;
    bool both =
        uniform && s->op && r->op && !gw_choice_is_made(n->f, of_r ? s->context : r->context, by, &made);
    for (int truth = 1; truth >= 0; truth--) {
        cased x, y;
        bool x_in = of_r || both, y_in = of_s || both;
        if (x_in && !in_case(n, r, by, truth, &x)) return false;
        if (y_in && !in_case(n, s, by, truth, &y)) return false;
        if (!case_disjoint(n, x_in ? &x.access : r, y_in ? &y.access : s, one_long, left - 1, assumed))
            return false;
    }
    return true;
}

void gw_threads_meet_by_cases(gw_normal *n, const gw_access *r, const gw_access *s, uint32_t one_long,
                              gw_meeting *out) {
    uint64_t assumed = 0;
    gw_threads_meet(n, r, s, one_long, out);
    if (out->disjoint || out->cut || r->count > INDICES_MOST || s->count > INDICES_MOST) return;
    if (!all_disjoint(n, r, s, one_long, CHOICES_MOST, &assumed)) return;
    out->disjoint = true;
    out->assumed = assumed;
}
