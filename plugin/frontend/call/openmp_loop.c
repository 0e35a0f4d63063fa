/*
 * frontend/call/openmp_loop.c - loops that threads of OpenMP share out, and what takes that away from them
 * (contract: call.h, openmp_private.h).
 *
 * A parallel for says of its loop what an execution policy says: no two iterations come to one cell, unless
 * both read. The pass `policies` (analysis/ownership/policy.c) rests on that. It is not so, and the loop has no
 * policy, where
 *   - a pragma inside lets iterations meet one after the other: atomic, critical, ordered; in its text, or in
 *     that of a function that is inlined there;
 *   - variables of a thread's own are used (thread_local);
 *   - a function is called that is not inlined, whose text may hold such a pragma (call.c);
 *   - threads have arrays or structs of their own (openmp.c), which iterations of one thread share.
 * Numbers that threads have are values of the IR, which an iteration hands on or does not.
 */
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/policies.h"
#include "plugin/frontend/call/openmp_private.h"

#include <string.h>

uint16_t gw_front_openmp_schedule(const char *kind) {
    if (strcmp(kind, "dynamic") == 0) return GW_POLICY_OMP_DYNAMIC;
    return strcmp(kind, "guided") == 0 ? GW_POLICY_OMP_GUIDED : GW_POLICY_OMP;
}

void gw_front_openmp_share_out(gw_lowering *L, CXCursor loop, uint16_t policy, CXSourceLocation pragma) {
    gw_openmp_threads made = {.loop = loop, .policy = policy, .where = pragma};
    const CXSourceRange range = clang_getCursorExtent(loop);
    clang_getSpellingLocation(clang_getRangeStart(range), NULL, NULL, NULL, &made.first);
    clang_getSpellingLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &made.last);
    gw_push(&L->openmp, made);
}

void gw_front_openmp_meet(gw_lowering *L, unsigned at, uint32_t first) {
    L->openmp_meetings++;
    for (uint32_t i = first; i < L->openmp.count; i++)
        if (at >= L->openmp.at[i].first && at < L->openmp.at[i].last) L->openmp.at[i].policy = GW_POLICY_NONE;
}

/* A program's loop launches kernels, in their order. */
uint16_t gw_front_openmp_policy(const gw_lowering *L, CXCursor loop) {
    for (uint32_t i = L->is_program ? 0 : L->openmp.count; i > 0; i--)
        if (clang_equalCursors(L->openmp.at[i - 1].loop, loop)) return L->openmp.at[i - 1].policy;
    return GW_POLICY_NONE;
}

uint16_t gw_front_openmp_keeps(const gw_lowering *L, uint16_t policy, uint32_t meetings_before) {
    const bool meet = gw_policy_is_openmp(policy) && L->openmp_meetings != meetings_before;
    return meet ? GW_POLICY_NONE : policy;
}
