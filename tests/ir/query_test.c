/*
 * query_test.c - the walks of analysis/ir/query.h against functions that call themselves for each region, over
 * random functions: all ops, in the same order, of the function, of each region, of each op; and past each op.
 */
#include "analysis/ir/query.h"
#include "random_ir.h"

#include <stdio.h>

typedef GW_VEC(gw_op) op_list;

static int failures;
static uint32_t deepest;

static void all_in(const gw_func *f, gw_region r, uint32_t depth, op_list *list) {
    if (depth > deepest) deepest = depth;
    for (gw_op op = gw_first(f, r); op; op = gw_next(f, op)) {
        gw_push(list, op);
        for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++)
            all_in(f, gw_op_at(f, op)->region[i], depth + 1, list);
    }
}

static bool is_in(const op_list *list, gw_op op) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->at[i] == op) return true;
    return false;
}

static void expect(const char *name, uint64_t seed, const op_list *have, const op_list *wanted) {
    bool same = have->count == wanted->count;
    for (uint32_t i = 0; same && i < have->count; i++) same = have->at[i] == wanted->at[i];
    if (same) return;
    printf("%s, seed %llu: %u ops instead of %u, or in another order\n", name, (unsigned long long)seed,
           have->count, wanted->count);
    failures++;
}

static void check_region(const gw_func *f, gw_region r, uint64_t seed) {
    op_list have = {0}, wanted = {0}, rest = {0};
    for (gw_op op = gw_first(f, r); op; op = gw_walk(f, op, r)) gw_push(&have, op);
    all_in(f, r, 1, &wanted);
    expect("gw_walk", seed, &have, &wanted);
    for (uint32_t i = 0; i < wanted.count; i++) {
        op_list inside = {0}, walked = {0};
        gw_op at = wanted.at[i];
        for (gw_op in = at; in; in = gw_walk_op(f, in, at)) gw_push(&walked, in);
        gw_push(&inside, at);
        for (uint32_t k = 0; k < gw_op_at(f, at)->regions; k++)
            all_in(f, gw_op_at(f, at)->region[k], 1, &inside);
        expect("gw_walk_op", seed, &walked, &inside);
        have.count = rest.count = 0;
        for (gw_op op = gw_walk_past(f, at, r); op; op = gw_walk(f, op, r)) gw_push(&have, op);
        for (uint32_t k = i + 1; k < wanted.count; k++)
            if (!is_in(&inside, wanted.at[k])) gw_push(&rest, wanted.at[k]);
        expect("gw_walk_past", seed, &have, &rest);
        gw_vec_free(&inside);
        gw_vec_free(&walked);
    }
    gw_vec_free(&have);
    gw_vec_free(&wanted);
    gw_vec_free(&rest);
}

int main(void) {
    for (uint64_t seed = 1; seed <= 200; seed++) {
        gw_session *s = random_session(seed);
        for (uint32_t i = 0; i < s->funcs.count; i++)
            for (gw_region r = 1; r < s->funcs.at[i]->regions.count; r++) check_region(s->funcs.at[i], r, seed);
        gw_session_free(s);
    }
    if (deepest < 3) printf("no region was in another one's\n");
    return failures != 0 || deepest < 3;
}
