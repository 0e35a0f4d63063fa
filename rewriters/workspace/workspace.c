/*
 * workspace.c - who lives in a workspace beside the tape, and of whom the host tells which numbers (contract:
 * workspace.h).
 */
#include "rewriters/workspace/workspace.h"

static const struct {
    uint32_t (*count)(const gw_func *), (*numbers)(const gw_func *);
    void (*tell)(gw_bounds *, gw_told_numbers *);
} tenants[GW_TENANTS] = {
#define GW_TENANT(NAME, text)
#define GW_TENANT_TOLD(NAME, text, count, numbers, tell) [GW_TENANT_##NAME] = {count, numbers, tell},
#include "rewriters/workspace/tenants.def"
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

void gw_tenants_tell(gw_bounds *b, gw_told_numbers *out) {
    for (gw_tenant t = 0; t < GW_TENANTS; t++)
        if (tenants[t].tell) tenants[t].tell(b, out);
}

bool gw_any_func(const gw_session *s, uint32_t (*count)(const gw_func *)) {
    for (uint32_t i = 0; i < s->funcs.count; i++)
        if (count(s->funcs.at[i])) return true;
    return false;
}
