/*
 * emit/kernel/exact.c - exact sums in the text: a kernel's parameters for accumulators, of arrays in the
 * caller's memory and, for each block of the grid, of shared ones; and what the launch does around the kernel
 * (gradwright/emitted/exact.cuh; the additions: emit/text/accumulator.c).
 *
 * The kernel is given an array's accumulators together with where the array begins, so an addition names its
 * cell as all others do: gw_exact_add(d_p_exact, &d_p[i].x, v).
 */
#include "rewriters/emit/kernel/kernel_private.h"

#include <stdlib.h>

static bool is_shared(gw_tenant_one one) { return one.tenant == GW_TENANT_EXACT_SHARED; }
static gw_op array_of(gw_tenant_one one) {
    return (is_shared(one) ? gw_exact_shared_array : gw_exact_array)(one.k->grad, one.number);
}
static bool is_pointed(gw_tenant_one one) {
    return !is_shared(one) && gw_exact_is_pointed(one.k->grad, array_of(one));
}

static const char *number_type(gw_tenant_one one) {
    return gw_emit_exact_number(one.k->e, one.k->grad, array_of(one));
}

static gw_str name(gw_tenant_one one) {
    return gw_emit_exact_name_for(one.k->e, one.k->grad, array_of(one), "exact");
}

static char *type(gw_tenant_one one) {
    if (is_shared(one)) return gw_format("gw_exact_blocks<%s>", number_type(one));
    return gw_emit_exact_type(one.k->e, one.k->grad, array_of(one));
}

/* ---- the launch ---- */
static uint32_t number_of_cells(gw_tenant_one one) {
    return gw_numbers_before(one.k->grad, one.tenant) + 2 * one.number;
}

/* What the caller says of the same memory, whose other numbers have another type; 0: nothing. */
static gw_str told_of_memory(gw_tenant_one one) {
    for (gw_tenant_one other = {one.k, one.tenant, 0}; other.number < one.number; other.number++)
        if (!is_shared(one) && !is_pointed(one) && one.k->cells.at[other.number] &&
            gw_exact_same_memory(one.k->grad, array_of(one), array_of(other)))
            return one.k->cells.at[other.number];
    return 0;
}

static void ask_of(gw_kernel *k, gw_tenant tenant, gw_names *cells) {
    const gw_func *b = k->bound;
    for (gw_tenant_one one = {k, tenant, 0}; one.number < k->tenants[tenant]; one.number++) {
        const gw_value found = gw_operand(b, gw_region_end(b, b->entry), 2 + number_of_cells(one));
        const bool told = gw_exact_is_told(b, found);
        gw_str name = told ? told_of_memory(one) : 0;
        if (told && !name) {
            name = gw_emit_exact_name_for(k->e, k->grad, array_of(one), "cells");
            gw_push(&k->told, ((gw_asked_size){name, array_of(one)}));
        }
        gw_push(cells, name);
    }
}
static void ask(gw_kernel *k) { ask_of(k, GW_TENANT_EXACT, &k->cells); }
static void ask_shared(gw_kernel *k) { ask_of(k, GW_TENANT_EXACT_SHARED, &k->shared_cells); }

static char *host(gw_tenant_one one) {
    const gw_kernel *k = one.k;
    const uint32_t number = number_of_cells(one), numbers = gw_exact_numbers(k->grad, array_of(one));
    const gw_str told = (is_shared(one) ? &k->shared_cells : &k->cells)->at[one.number];
    char *found = gw_format("%s.gw_rows[%u]", k->counts, number);
    const char *cells = told ? gw_cstr(k->e->session, told) : found;
    char *how_many = is_pointed(one) ? gw_strdup(cells) : gw_format("%s, %u", cells, numbers);
    const char *of = is_shared(one) ? "blocks_of" : "of";
    if (is_pointed(one)) of = "table_of";
    char *text = gw_format("gw_exact_%s<%s>(%s, %s.gw_rows[%u], %s, %s)", of, number_type(one), how_many,
                           k->counts, number + 1, k->grid, k->own_block);
    free(found), free(how_many);
    return text;
}

static char *beside(gw_tenant_one one) {
    if (is_pointed(one)) return gw_strdup("");
    char *base = gw_emit_exact_base(one.k->grad, array_of(one)), *text = gw_format("%s, ", base);
    free(base);
    return text;
}

static void sum(gw_kernel *k, bool last) {
    gw_emit_items items = {0};
    char *head = gw_emit_step(k, "gw_exact_sum", last);
    gw_push(&items, gw_format("\"%s\"", k->launch));
    gw_push(&items, gw_strdup(k->stream));
    for (gw_tenant_one one = {k, GW_TENANT_EXACT, 0}; one.number < k->tenants[GW_TENANT_EXACT]; one.number++)
        gw_push(&items, gw_strdup(gw_emit_one_name(one)));
    gw_emit_call_text(k->e, head, items.at, items.count, ";");
    gw_emit_items_free(&items);
    free(head);
}

static uint32_t pointed_arrays(const gw_func *f) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < gw_exact_arrays(f); i++) count += gw_exact_is_pointed(f, gw_exact_array(f, i));
    return count;
}

static const char *header(const gw_session *s) {
    if (gw_any_func(s, pointed_arrays)) return "exact_table.cuh";
    return gw_any_func(s, gw_exact_arrays) || gw_any_func(s, gw_exact_shared_arrays) ? "exact.cuh" : NULL;
}

/* With room to begin at one of 16 bytes: cleared before, rounded into the adjoints behind the kernel. */
const gw_emit_tenant gw_emit_tenant_exact = {.header = header,
                                             .name = name,
                                             .type = type,
                                             .host = host,
                                             .beside = beside,
                                             .end = "gw_exact_end",
                                             .place = "gw_exact_place",
                                             .inside = "",
                                             .ask = ask,
                                             .behind = sum,
                                             .turn = FIRST};
/* The same for each block, whose threads round them in the kernel; nothing is left to do behind it. */
const gw_emit_tenant gw_emit_tenant_exact_shared = {.name = name,
                                                    .type = type,
                                                    .host = host,
                                                    .end = "gw_exact_end",
                                                    .place = "gw_exact_place",
                                                    .inside = "",
                                                    .ask = ask_shared};
