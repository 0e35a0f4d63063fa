/*
 * context.c - facts that hold where a pair is looked at: polynomials that are not negative (contract: prove.h).
 */
#include "analysis/prove/normal_ops_private.h"

void gw_fact_add(gw_fact_list *list, const gw_poly *p, uint64_t assumed) {
    if (p->broken) return;
    for (uint32_t i = 0; i < list->count; i++)
        if (gw_poly_equal(&list->at[i].poly, p) && (list->at[i].assumed & ~assumed) == 0) return;
    gw_push(list, ((gw_fact){.poly = *p, .assumed = assumed}));
}

/* Integers make 3 - k >= 0 of 31 - 8*k >= 0. */
static void tighten(gw_poly *p) {
    int64_t constant = 0;
    gw_poly rest = *p;
    for (uint32_t i = 0; i < p->count; i++)
        if (!p->term[i].factors) constant = p->term[i].coefficient;
    if (p->broken || constant == INT64_MIN) return;
    gw_poly_add_constant(&rest, -constant);
    const int64_t content = gw_poly_content(&rest);
    if (content < 2 || constant % content == 0) return; /* says no more */
    for (uint32_t i = 0; i < rest.count; i++) rest.term[i].coefficient /= content;
    gw_poly_add_constant(&rest, constant / content - (constant < 0));
    *p = rest;
}

void gw_context_add(gw_context *c, const gw_poly *nonnegative, uint64_t assumed) {
    int64_t value;
    gw_poly p = *nonnegative;
    tighten(&p);
    if (!gw_poly_is_constant(&p, &value)) gw_fact_add(&c->facts, &p, assumed);
}
