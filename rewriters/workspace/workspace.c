/*
 * workspace.c - who lives in a workspace beside the tape, and of whom the host tells which numbers (contract:
 * workspace.h).
 */
#include "rewriters/workspace/workspace.h"

static uint32_t numbers_of_rows(const gw_func *f) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < gw_slot_groups(f); i++) sum += gw_slot_counts(f, gw_slot_group(f, i));
    return sum;
}

static uint32_t numbers_of_exact(const gw_func *f) { return 2 * gw_exact_arrays(f); }

static uint32_t numbers_of_exact_shared(const gw_func *f) { return 2 * gw_exact_shared_arrays(f); }

static const struct {
    uint32_t (*count)(const gw_func *), (*numbers)(const gw_func *);
} tenants[GW_TENANTS] = {
    [GW_TENANT_ROWS] = {gw_slot_groups, numbers_of_rows},
    [GW_TENANT_EXACT] = {gw_exact_arrays, numbers_of_exact}, /* cells of each, and additions of a thread */
    [GW_TENANT_EXACT_SHARED] = {gw_exact_shared_arrays, numbers_of_exact_shared},
    [GW_TENANT_COPIES] = {gw_copied_objects, gw_copied_objects}, /* the last cell of each */
};

uint32_t gw_tenant_count(const gw_func *f, gw_tenant tenant) {
    if (f->kind != GW_FUNC_KERNEL) return 0; /* its accumulators are its caller's */
    return tenants[tenant].count ? tenants[tenant].count(f) : 0;
}

bool gw_has_tenants(const gw_func *f) {
    for (gw_tenant t = 0; t < GW_TENANTS; t++)
        if (gw_tenant_count(f, t)) return true;
    return false;
}

uint32_t gw_numbers_before(const gw_func *f, gw_tenant tenant) {
    uint32_t sum = 0;
    for (gw_tenant t = 0; t < tenant; t++)
        if (tenants[t].numbers && f->kind == GW_FUNC_KERNEL) sum += tenants[t].numbers(f);
    return sum;
}
