/*
 * frontend/kernel/collective.c - what the headers of collectives (gradwright/algorithms/cub) say of a kernel by
 * calls that do nothing.
 *
 * gw_block_is(x, y, z): the block has that size, which a collective has as its template's arguments. It is a
 * fact of the launch like the user's GW_LAUNCH: proofs go by it, and the gradient's launch is checked for it.
 * Where the call stands in a branch it says nothing: launches of other blocks may pass by.
 *
 * gw_valid_at_zero(value, rank): the value, which only threads of rank 0 have (the op VALID).
 *
 * Collectives without an adjoint are refused by name (collectives.def).
 */
#include "plugin/frontend/kernel/kernel.h"
#include "plugin/frontend/lower.h"

#include "analysis/ir/relations.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *way_out;
} refused[] = {
#define GW_NO_COLLECTIVE(name, way_out) {name, way_out},
#include "plugin/frontend/kernel/collectives.def"
#undef GW_NO_COLLECTIVE
};

bool gw_front_refuse_collective(gw_lowering *L, CXCursor call, CXCursor callee) {
    const CXCursor class = clang_getCursorSemanticParent(callee);
    if (!gw_front_in_namespace(class, "cub")) return false;
    const char *name = GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(class)));
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (strcmp(name, refused[i].name) != 0) continue;
        char *what = gw_format("cub::%s", name);
        gw_front_refuse(L, call, what, refused[i].way_out);
        free(what);
        return true;
    }
    return false;
}

/* Each launch comes there: through loops alone, and this is no trial of one. */
static bool is_always_reached(const gw_lowering *L) {
    gw_region r = L->b.region;
    for (gw_op around; r != L->f->entry && (around = gw_region_at(L->f, r)->parent) != 0;) {
        if (gw_op_at(L->f, around)->code == GW_OP_IF) return false;
        r = gw_op_at(L->f, around)->parent;
    }
    return r == L->f->entry;
}

static void state_length(gw_lowering *L, CXCursor call, unsigned axis, int64_t length) {
    const gw_launch_fact fact = {.subject = GW_SPECIAL_ATTR(GW_BLOCK_DIM, axis), .relation = GW_RELATION_EQUAL,
                                 .number = length, .of_collective = true, .loc = gw_front_users_place(L, call)};
    for (uint32_t i = 0; i < L->f->launch.count; i++) {
        const gw_launch_fact *other = &L->f->launch.at[i];
        if (other->subject != fact.subject) continue;
        if (other->number != length)
            gw_front_refuse(L, call, "a collective for a block of another size than the one before it",
                            "give both the size of the block, or let a branch choose one of them");
        return;
    }
    gw_push(&L->f->launch, fact);
}

static gw_value valid_at_zero(gw_lowering *L, CXCursor call) {
    gw_value operands[2] = {gw_front_scalar(L, clang_Cursor_getArgument(call, 0)),
                            gw_front_scalar(L, clang_Cursor_getArgument(call, 1))};
    if (L->failed) return 0;
    L->b.loc = gw_front_users_place(L, call);
    return gw_result(L->f, gw_emit(&L->b, GW_OP_VALID, gw_typeof(L->f, operands[0]), 1, operands, 2), 0);
}

bool gw_front_collective(gw_lowering *L, CXCursor call, const char *name, gw_value *value) {
    if (strcmp(name, "gw_valid_at_zero") == 0) {
        *value = valid_at_zero(L, call);
        return true;
    }
    if (strcmp(name, "gw_block_is") != 0) return false;
    const bool always = L->f->kind == GW_FUNC_KERNEL && is_always_reached(L);
    for (unsigned axis = 0; axis < 3 && always && !L->failed; axis++) {
        int64_t length;
        const gw_value given = gw_front_scalar(L, clang_Cursor_getArgument(call, axis));
        if (!L->failed && gw_const_int(L->f, given, &length)) state_length(L, call, axis, length);
    }
    return true;
}
