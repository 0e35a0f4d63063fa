/*
 * ownership/list.c - cells that are found through a list, x[list[i]] (contract: ownership.h).
 *
 * Nothing about a list's entries can be proved. But if the primal stores to e[list[i]] without an atomic, then
 * the entries that threads take are distinct, or the primal has a race; so x[list[i]] has one thread for each
 * cell as well, whatever x is. That is FormAD's idea again (ownership/premise_private.h): with u the value of
 * the index operand in which two references agree, u(t) = u(t') would make the threads t and t' store to one
 * cell of e.
 *
 * Requires, of two references r and s to one object, and of a store W of the primal:
 *   - the origins of both stand in W's region or inside of it, so that W runs with the same values wherever
 *     they do;
 *   - each index operand of W is the value at one position of the index of both origins, a position that equal
 *     cells have in common, or a constant. Hence equal cells of r in t and s in t' mean equal cells of W in t
 *     and t'.
 *
 * and, of the kernel, that it has no barriers, so that two stores of one cell are a race whenever they run; and
 * that W's object is not shared memory, of which each block has its own.
 *
 * What is asked beside that is not needed for the conclusion: that r and s take u from a list, and that
 * distinct threads provably look at distinct entries of it. Where they do not (i is the same in several blocks,
 * which then all do the same), a kernel may well be run whose threads all store one value to one cell; there
 * the update stays atomic, as it does for an index without a list.
 */
#include "analysis/facts/facts.h"
#include "analysis/ownership/ownership.h"
#include "analysis/ownership/premise_private.h"
#include "analysis/ir/optional.h"

#include <string.h>

static gw_op list_load(const gw_func *f, gw_value v) {
    gw_op op = gw_value_at(f, v)->op;
    while (op && gw_op_at(f, op)->code == GW_OP_CAST)
        op = gw_value_at(f, gw_operand(f, op, 0))->op;
    return op && gw_op_at(f, op)->code == GW_OP_LOAD ? op : 0;
}

/* Threads never look at one entry of the list, one by x and the other by y. */
static bool distinct_entries(gw_ownership *w, gw_op r, gw_value x, gw_op s, gw_value y, uint64_t *assumed) {
    const gw_func *f = w->f;
    gw_op lists[2] = {list_load(f, x), list_load(f, y)}, refs[2] = {r, s};
    if (!lists[0] || !lists[1]) return false;
    const gw_op_data *a = gw_op_at(f, lists[0]), *b = gw_op_at(f, lists[1]);
    gw_number index[2][4];
    gw_access access[2];
    uint32_t n = gw_index_count(f, lists[0]);
    if (a->object != b->object || a->path != b->path || n > 4) return false;
    for (uint32_t i = 0; i < 2; i++) {
        gw_context *c = gw_normal_context(w->n, gw_op_at(f, refs[i])->parent);
        for (uint32_t k = 0; k < n; k++)
            gw_normal_exact(w->n, c, gw_operand(f, lists[i], k), &index[i][k]);
        access[i] = (gw_access){.context = c, .index = index[i], .count = n, .op = lists[i]};
    }
    gw_meeting m;
    gw_threads_meet_by_cases(w->n, &access[0], &access[1], w->one_long, &m);
    if (m.disjoint) *assumed |= m.assumed;
    return m.disjoint;
}

uint32_t gw_ownership_positions(const gw_func *f, gw_op x, gw_op y) {
    const char *p = gw_cstr(f->session, gw_op_at(f, x)->path), *q = gw_cstr(f->session, gw_op_at(f, y)->path);
    uint32_t count = 0;
    for (; *p && *p == *q; p++, q++)
        count += *p == '[';
    return count;
}

/* Whether equal cells of r and s, each in its thread, mean equal cells of the primal's store. */
static bool tells(const gw_func *p, gw_op store, gw_op r, gw_op s, uint32_t positions) {
    int64_t constant;
    bool any = false;
    for (uint32_t j = 0; j < gw_index_count(p, store); j++) {
        gw_value v = gw_operand(p, store, j);
        bool found = false;
        for (uint32_t k = 0; k < positions; k++)
            found |= gw_operand(p, r, k) == v && gw_operand(p, s, k) == v;
        if (!found && !gw_const_int(p, v, &constant)) return false;
        any |= found;
    }
    return any;
}

static gw_op telling_store(const gw_func *f, gw_op r, gw_op s, uint32_t positions) {
    const gw_func *p = f->primal;
    gw_op x = gw_op_at(f, r)->origin, y = gw_op_at(f, s)->origin;
    for (gw_op op = 1; op < p->ops.count; op++) {
        gw_region region = gw_op_at(p, op)->parent;
        if (!gw_premise_may_use(p, op) || gw_object_at(p, gw_op_at(p, op)->object)->kind == GW_OBJECT_SHARED)
            continue;
        if (!gw_region_inside(p, gw_op_at(p, x)->parent, region)) continue;
        if (!gw_region_inside(p, gw_op_at(p, y)->parent, region)) continue;
        if (tells(p, op, x, y, positions)) return op;
    }
    return 0;
}

gw_op gw_ownership_by_list(gw_ownership *w, gw_op r, gw_op s, uint64_t *assumed) {
    const gw_func *f = w->f;
    if (!gw_premise_follows_origin(f, r) || !gw_premise_follows_origin(f, s)) return 0;
    if (gw_region_holds_barrier(f->primal, f->primal->entry)) return 0;
    uint32_t positions = gw_ownership_positions(f, r, s);
    for (uint32_t k = 0; k < positions; k++) {
        uint64_t needs = 0;
        if (!distinct_entries(w, r, gw_operand(f, r, k), s, gw_operand(f, s, k), &needs)) continue;
        gw_op store = telling_store(f, r, s, positions);
        if (store && !gw_takes(f->session, GW_OPTIONAL_LISTS)) return 0;
        if (store) *assumed |= needs;
        return store;
    }
    return 0;
}
