/*
 * verifier_tape.c - pushes and pops of the tape nest like brackets, on every path, over all slots together: the
 * tape may be one stack.
 *
 * For each region the ops that leave something on the tape, or take something that lay there before, are kept
 * in order; an op that takes must be the mirror image of the op that left last: pop of push of the same slot,
 * branch of branch with mirrored sides (in either order: a condition may have been negated), loop of loop with
 * mirrored bodies. First for each slot by itself, which tells the errors better, then for all together. A
 * branch around a single loop counts as the loop, because a loop may be guarded by its own first condition. By
 * induction over the tree, on every path that takes the same branches and runs loops equally often in both
 * directions - which is the derivative's business - each pop finds what its push left. Requires that the links
 * hold.
 */
#include "analysis/text/verifier_private.h"

#include <stdlib.h>

typedef struct net {
    uint32_t first, count; /* in nets.items */
    bool takes;            /* pops; otherwise pushes */
} net;

typedef struct nets {
    gw_rules *r;
    const gw_func *f;
    gw_object slot; /* 0: all of them */
    net *of_region;
    GW_VEC(gw_op) items;
} nets;

static bool is_loop(const nets *n, gw_op op) {
    unsigned code = gw_op_at(n->f, op)->code;
    return code == GW_OP_FOR || code == GW_OP_WHILE;
}

static net net_of(const nets *n, gw_op op, uint32_t region) {
    return n->of_region[gw_op_at(n->f, op)->region[region]];
}

/* The loop inside a branch that holds nothing else of this slot. */
static gw_op unguarded(const nets *n, gw_op op) {
    if (gw_op_at(n->f, op)->code != GW_OP_IF) return op;
    net x = net_of(n, op, 0), y = net_of(n, op, 1);
    if (x.count + y.count != 1) return op;
    gw_op inner = n->items.at[x.count ? x.first : y.first];
    return is_loop(n, inner) ? inner : op;
}

static bool mirrors(const nets *n, gw_op left, gw_op taken);

static bool mirrors_list(const nets *n, net left, net taken) {
    if (left.count != taken.count) return false;
    for (uint32_t i = 0; i < left.count; i++)
        if (!mirrors(n, n->items.at[left.first + left.count - 1 - i], n->items.at[taken.first + i]))
            return false;
    return true;
}

static bool mirrors(const nets *n, gw_op left, gw_op taken) {
    left = unguarded(n, left);
    taken = unguarded(n, taken);
    unsigned code = gw_op_at(n->f, left)->code, other = gw_op_at(n->f, taken)->code;
    if (code == GW_OP_PUSH)
        return other == GW_OP_POP && gw_op_at(n->f, left)->object == gw_op_at(n->f, taken)->object;
    if (code != GW_OP_IF)
        return is_loop(n, left) && is_loop(n, taken) &&
               mirrors_list(n, net_of(n, left, code == GW_OP_WHILE), net_of(n, taken, other == GW_OP_WHILE));
    if (other != GW_OP_IF) return false;
    if (mirrors_list(n, net_of(n, left, 0), net_of(n, taken, 0)))
        return mirrors_list(n, net_of(n, left, 1), net_of(n, taken, 1));
    return mirrors_list(n, net_of(n, left, 0), net_of(n, taken, 1)) &&
           mirrors_list(n, net_of(n, left, 1), net_of(n, taken, 0));
}

static bool find_net(nets *n, gw_region region);

/* Whether the op touches the slot on balance, and how. */
static bool find_item(nets *n, gw_op op, bool *leaves, bool *takes) {
    const gw_op_data *o = gw_op_at(n->f, op);
    bool counts = !n->slot || o->object == n->slot;
    *leaves = counts && o->code == GW_OP_PUSH;
    *takes = counts && o->code == GW_OP_POP;
    for (uint32_t i = 0; i < o->regions; i++) {
        if (!find_net(n, o->region[i])) return false;
        net x = net_of(n, op, i);
        *takes |= x.count && x.takes;
        *leaves |= x.count && !x.takes;
    }
    if (*takes && *leaves)
        return !n->slot ? gw_rule_broken(n->r, op, "one side of it pushes a slot and the other pops one")
                        : gw_rule_broken(n->r, op, "one side of it pushes the slot and the other pops it");
    return true;
}

static const char *slot_name(const nets *n) {
    return gw_cstr(n->f->session, gw_object_at(n->f, n->slot)->name);
}

/* Each slot by itself nests, and all of them together do not. */
static bool interleaved(nets *n, gw_op op) {
    return gw_rule_broken(n->r, op, "slots are not popped in the reverse order of their pushes");
}

static bool unlike(nets *n, gw_op op) {
    if (!n->slot) return interleaved(n, op);
    return gw_rule_broken(n->r, op, "it pops slot '%s' unlike it was pushed", slot_name(n));
}

static bool find_net(nets *n, gw_region region) {
    GW_VEC(gw_op) left = {0}, taken = {0};
    bool ok = true;
    for (gw_op op = gw_first(n->f, region); op && ok; op = gw_next(n->f, op)) {
        bool leaves, takes;
        ok = find_item(n, op, &leaves, &takes);
        if (!ok) break;
        if (leaves) {
            gw_push(&left, op);
        } else if (takes && !left.count) {
            gw_push(&taken, op);
        } else if (takes && !mirrors(n, left.at[--left.count], op)) {
            ok = unlike(n, op);
        }
    }
    if (ok && left.count && taken.count)
        ok = !n->slot
                 ? interleaved(n, left.at[0])
                 : gw_rule_broken(n->r, left.at[0], "slot '%s' is popped before and pushed here in one region",
                                  slot_name(n));
    net *out = &n->of_region[region];
    *out = (net){.first = n->items.count, .count = left.count + taken.count, .takes = taken.count != 0};
    for (uint32_t i = 0; i < left.count; i++)
        gw_push(&n->items, left.at[i]);
    for (uint32_t i = 0; i < taken.count; i++)
        gw_push(&n->items, taken.at[i]);
    gw_vec_free(&left);
    gw_vec_free(&taken);
    return ok;
}

static bool check_slot(nets *n, gw_object slot) {
    n->slot = slot;
    n->items.count = 0;
    if (!find_net(n, n->f->entry)) return false;
    net whole = n->of_region[n->f->entry];
    return !whole.count ||
           gw_rule_broken(n->r, n->items.at[whole.first], "slot '%s' is %s here and not %s", slot_name(n),
                          whole.takes ? "popped" : "pushed", whole.takes ? "pushed" : "popped");
}

bool gw_verify_tape(gw_rules *r) {
    if (r->f->form == GW_FORM_FWD || r->f->form == GW_FORM_BWD) return true; /* what both were cut from nests */
    nets n = {.r = r, .f = r->f};
    n.of_region = gw_alloc(r->f->regions.count * sizeof *n.of_region);
    bool ok = true;
    for (gw_object o = 1; o < r->f->objects.count && ok; o++)
        if (gw_object_at(r->f, o)->kind == GW_OBJECT_TAPE) ok = check_slot(&n, o);
    ok = ok && check_slot(&n, 0);
    free(n.of_region);
    gw_vec_free(&n.items);
    return ok;
}
