/*
 * frontend/state/exit.c - exits: return, break, continue and goto as slots of type bool.
 *
 * An open exit's slot is false until the exit is taken; a path that took one is dead until the exit is
 * closed. Where paths meet and only some of them exited, the slot's value tells which, and what follows is
 * guarded by it. A slot is not merged where nothing that follows can ask for it: no statement is left in any
 * list between here and the end of the exit's own construct.
 */
#include "plugin/frontend/state/state.h"

uint32_t gw_front_exit_open(gw_lowering *L, enum gw_exit_kind kind) {
    uint32_t slot = gw_front_slot(L, GW_SLOT_EXIT, GW_T_BOOL, 0);
    static const char *const names[] = {"returned", "stopped", "skipped", "caught", "jumped", "done"};
    L->slots.at[slot].name = gw_intern(L->session, names[kind]);
    L->slots.at[slot].value = gw_int(&L->b, GW_T_BOOL, 0);
    gw_push(&L->exits, ((gw_exit){.kind = kind, .slot = slot, .depth = L->lists.count}));
    return L->exits.count - 1;
}

static bool constant(const gw_lowering *L, uint32_t slot, int64_t want) {
    int64_t n;
    return gw_const_int(L->f, L->slots.at[slot].value, &n) && n == want;
}

bool gw_front_exit_may(const gw_lowering *L, uint32_t slot) { return !constant(L, slot, 0); }

void gw_front_exit_close(gw_lowering *L) {
    L->exits.count--;
    bool dead = false;
    for (uint32_t i = 0; i < L->exits.count; i++)
        dead |= constant(L, L->exits.at[i].slot, 1);
    L->dead = L->dead && (dead || L->stopped);
}

void gw_front_exit_take(gw_lowering *L, enum gw_exit_kind kind) {
    for (uint32_t i = L->exits.count; i-- > 0;) {
        if (L->exits.at[i].kind != kind) continue;
        gw_front_slot_set(L, L->exits.at[i].slot, gw_int(&L->b, GW_T_BOOL, 1));
        L->dead = true;
        return;
    }
}

bool gw_front_exit_leads(const gw_lowering *L, CXSourceLocation label) {
    bool leads = false;
    for (uint32_t i = 0; i < L->exits.count; i++)
        leads |= L->exits.at[i].kind == GW_EXIT_JUMP && clang_equalLocations(L->exits.at[i].label, label);
    return leads;
}

bool gw_front_exit_jump(gw_lowering *L, CXSourceLocation label) {
    for (uint32_t i = L->exits.count; i-- > 0;) {
        const gw_exit *e = &L->exits.at[i];
        if (e->kind != GW_EXIT_JUMP || !clang_equalLocations(e->label, label)) continue;
        gw_front_slot_set(L, e->slot, gw_int(&L->b, GW_T_BOOL, 1));
        L->dead = true;
        return true;
    }
    return false;
}

void gw_front_exit_function(gw_lowering *L) {
    gw_front_slot_set(L, L->exits.at[0].slot, gw_int(&L->b, GW_T_BOOL, 1));
    L->dead = true;
}

bool gw_front_exit_ends_thread(const gw_lowering *L, const gw_branch *branch) {
    bool returns = false, other = false;
    for (uint32_t i = 0; i < branch->changes.count; i++) {
        gw_slot_change c = branch->changes.at[i];
        int64_t n;
        if (L->slots.at[c.slot].kind != GW_SLOT_EXIT || (gw_const_int(L->f, c.value, &n) && n == 0)) continue;
        if (c.slot == L->exits.at[0].slot) returns = true;
        else other = true;
    }
    return L->f->kind == GW_FUNC_KERNEL && returns && !other;
}

gw_value gw_front_exit_taken(gw_lowering *L) {
    gw_value taken = 0;
    for (uint32_t i = 0; i < L->exits.count; i++) {
        uint32_t slot = L->exits.at[i].slot;
        if (!gw_front_exit_may(L, slot)) continue;
        gw_value v = L->slots.at[slot].value;
        taken = taken ? gw_binary(&L->b, GW_OP_OR, taken, v) : v;
    }
    return taken;
}

gw_branch gw_front_guard_begin(gw_lowering *L) {
    gw_branch rest = gw_front_branch_begin(L);
    for (uint32_t i = 0; i < L->exits.count; i++)
        if (gw_front_exit_may(L, L->exits.at[i].slot))
            gw_front_slot_set(L, L->exits.at[i].slot, gw_int(&L->b, GW_T_BOOL, 0));
    return rest;
}

/* A slot that is still false inside was not taken there: it keeps its value, which implies `taken`. */
static void forget_untaken(gw_lowering *L, gw_branch *rest) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < rest->changes.count; i++) {
        gw_slot_change c = rest->changes.at[i];
        int64_t n;
        bool untaken = L->slots.at[c.slot].kind == GW_SLOT_EXIT && gw_const_int(L->f, c.value, &n) && n == 0;
        if (!untaken) rest->changes.at[kept++] = c;
    }
    rest->changes.count = kept;
}

void gw_front_guard_end(gw_lowering *L, gw_value taken, gw_branch *rest) {
    rest->rest = L->f->kind == GW_FUNC_KERNEL;
    for (uint32_t i = 0; i < L->exits.count; i++)
        rest->rest &= i == 0 || !gw_front_exit_may(L, L->exits.at[i].slot);
    gw_front_guard_join(L, taken, rest, true);
}

void gw_front_guard_join(gw_lowering *L, gw_value passed, gw_branch *rest, bool left) {
    gw_front_branch_end(L, rest);
    forget_untaken(L, rest);
    gw_branch other = gw_front_branch_begin(L);
    gw_front_branch_end(L, &other);
    other.dead = left;
    gw_front_branch_join(L, gw_unary(&L->b, GW_OP_NOT, passed), rest, &other);
}

void gw_front_unthrown_begin(gw_lowering *L) {
    bool may = false;
    for (uint32_t i = 0; i < L->exits.count; i++)
        may |= L->exits.at[i].kind == GW_EXIT_CATCH && gw_front_exit_may(L, L->exits.at[i].slot);
    if (L->failed || !may) return;
    const gw_value thrown = gw_front_exit_taken(L);
    gw_push(&L->unthrown, ((gw_unthrown){gw_front_guard_begin(L), thrown, L->owned.count}));
}
