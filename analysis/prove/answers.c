/*
 * answers.c - questions about two threads that were answered before (contract: answers_private.h): a table by
 * hash, each entry with all of its question, so that an equal hash alone never answers.
 */
#include "analysis/prove/answers_private.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    const gw_context *r, *s;
    uint32_t r_facts, s_facts, atoms; /* as many as there were */
    bool one_block, common;
    uint32_t one_long;
    uint32_t first_alike, alike_count, first_equation, count;
    uint32_t next; /* of one hash; 0: none */
    gw_meeting answer;
} entry;

typedef struct equation {
    uint32_t first_term, terms;
} equation;

enum { BUCKETS = 1024 };

struct gw_answers {
    GW_VEC(entry) entries; /* [0] unused */
    GW_VEC(equation) equations;
    GW_VEC(gw_term) terms;
    GW_VEC(gw_atom) alike;
    uint32_t bucket[BUCKETS];
};

static uint32_t bucket_of(const gw_question *q) {
    uint32_t h = q->r->region * 31 + q->s->region + q->common;
    for (uint32_t i = 0; i < q->count; i++) h = h * 16777619u ^ gw_poly_hash(&q->equations[i]);
    return (h ^ h >> 16) % BUCKETS;
}

static bool same_terms(const gw_term *a, const gw_term *b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (a[i].coefficient != b[i].coefficient || a[i].factors != b[i].factors) return false;
        if (memcmp(a[i].factor, b[i].factor, a[i].factors * sizeof *a[i].factor) != 0) return false;
    }
    return true;
}

static bool is_about(const struct gw_answers *a, const entry *e, const gw_question *q) {
    bool same = e->r == q->r && e->s == q->s && e->one_block == q->one_block && e->common == q->common &&
                e->one_long == q->one_long && e->count == q->count && e->alike_count == q->alike_count &&
                e->r_facts == q->r->facts.count && e->s_facts == q->s->facts.count;
    for (uint32_t i = 0; i < e->alike_count && same; i++) same = a->alike.at[e->first_alike + i] == q->alike[i];
    for (uint32_t i = 0; i < e->count && same; i++) {
        const equation *mine = &a->equations.at[e->first_equation + i];
        same = mine->terms == q->equations[i].count &&
               same_terms(&a->terms.at[mine->first_term], q->equations[i].term, mine->terms);
    }
    return same;
}

bool gw_answers_find(const gw_normal *n, const gw_question *q, gw_meeting *out) {
    const struct gw_answers *a = n->answers;
    for (uint32_t i = a ? a->bucket[bucket_of(q)] : 0; i; i = a->entries.at[i].next) {
        const entry *e = &a->entries.at[i];
        if (!is_about(a, e, q) || (!e->answer.disjoint && e->atoms != n->atoms.count)) continue;
        *out = e->answer;
        return true;
    }
    return false;
}

void gw_answers_add(gw_normal *n, const gw_question *q, const gw_meeting *m) {
    if (!n->answers) {
        n->answers = gw_alloc(sizeof *n->answers);
        gw_push(&n->answers->entries, (entry){0});
    }
    struct gw_answers *a = n->answers;
    uint32_t at = bucket_of(q);
    entry made = {.r = q->r,
                  .s = q->s,
                  .r_facts = q->r->facts.count,
                  .s_facts = q->s->facts.count,
                  .atoms = n->atoms.count,
                  .one_block = q->one_block,
                  .common = q->common,
                  .one_long = q->one_long,
                  .first_alike = a->alike.count,
                  .alike_count = q->alike_count,
                  .first_equation = a->equations.count,
                  .count = q->count,
                  .next = a->bucket[at],
                  .answer = *m};
    for (uint32_t i = 0; i < q->alike_count; i++) gw_push(&a->alike, q->alike[i]);
    for (uint32_t i = 0; i < q->count; i++) {
        const gw_poly *p = &q->equations[i];
        gw_push(&a->equations, ((equation){a->terms.count, p->count}));
        for (uint32_t k = 0; k < p->count; k++) gw_push(&a->terms, p->term[k]);
    }
    a->bucket[at] = a->entries.count;
    gw_push(&a->entries, made);
}

void gw_answers_free(gw_normal *n) {
    struct gw_answers *a = n->answers;
    if (!a) return;
    gw_vec_free(&a->entries);
    gw_vec_free(&a->equations);
    gw_vec_free(&a->terms);
    gw_vec_free(&a->alike);
    free(a);
}
