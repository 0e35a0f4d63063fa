/*
 * emit/kernel/settle.c - exact sums to shared memory in the text: the accumulators that each block of the grid
 * has in the workspace, as a parameter of the kernel (gradwright/exact.cuh; its threads add and round:
 * emit/text/accumulator.c).
 */
#include "rewriters/emit/kernel/kernel_private.h"

#include <stdlib.h>

static const char *name_of(const gw_emitter *e, uint32_t number) {
    return gw_cstr(e->session, e->settled[number]);
}

static gw_op array_of(const gw_kernel *k, uint32_t i) { return gw_exact_shared_array(k->grad, i); }

void gw_emit_settle_names(gw_kernel *k) {
    const uint32_t count = k->tenants[GW_TENANT_EXACT_SHARED];
    k->e->settled = gw_alloc(count * sizeof *k->e->settled);
    for (uint32_t i = 0; i < count; i++)
        k->e->settled[i] = gw_emit_exact_name_for(k->e, k->grad, array_of(k, i), "exact");
}

void gw_emit_settle_params(gw_kernel *k, gw_emit_params *list) {
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_EXACT_SHARED]; i++) {
        char *type = gw_format("gw_exact_blocks<%s>", gw_emit_exact_number(k->e, k->grad, array_of(k, i)));
        gw_emit_params_add(list, k->e->session, type, name_of(k->e, i));
        free(type);
    }
}

/* ---- the launch ---- */
static uint32_t number_of_cells(const gw_kernel *k, uint32_t i) {
    return gw_numbers_before(k->grad, GW_TENANT_EXACT_SHARED) + 2 * i;
}

void gw_emit_settle_ask(gw_kernel *k) {
    const gw_func *b = k->bound;
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_EXACT_SHARED]; i++) {
        const gw_value cells = gw_operand(b, gw_region_end(b, b->entry), 2 + number_of_cells(k, i));
        const bool told = gw_exact_is_told(b, cells);
        const gw_str name = told ? gw_emit_exact_name_for(k->e, k->grad, array_of(k, i), "cells") : 0;
        if (told) gw_push(&k->told, ((gw_asked_size){name, array_of(k, i)}));
        gw_push(&k->settled_cells, name);
    }
}

static char *of_launch(const gw_kernel *k, uint32_t i) {
    const uint32_t number = number_of_cells(k, i);
    char *found = gw_format("%s.gw_rows[%u]", k->counts, number);
    const gw_str told = k->settled_cells.at[i];
    char *text = gw_format("gw_exact_blocks_of<%s>(%s, %u, %s.gw_rows[%u], %s, %s)",
                           gw_emit_exact_number(k->e, k->grad, array_of(k, i)),
                           told ? gw_cstr(k->e->session, told) : found,
                           gw_exact_numbers(k->grad, array_of(k, i)), k->counts, number + 1, k->grid,
                           k->own_block);
    free(found);
    return text;
}

void gw_emit_settle_bytes(gw_kernel *k) {
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_EXACT_SHARED]; i++) {
        char *of = of_launch(k, i);
        gw_emit_line(k->e, "%s = gw_exact_end(%s, %s);", k->used, k->used, of);
        free(of);
    }
}

void gw_emit_settle_place(gw_kernel *k) {
    gw_emitter *e = k->e;
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_EXACT_SHARED]; i++) {
        char *of = of_launch(k, i);
        gw_emit_line(e, "auto %s = %s;", name_of(e, i), of);
        gw_emit_line(e, "%s = gw_exact_place(\"%s\", &%s, %s, &%s, %s);", k->status, k->launch, name_of(e, i),
                     k->own_space, k->used, k->stream);
        gw_emit_leave_unless_good(k);
        free(of);
    }
}

void gw_emit_settle_arguments(const gw_kernel *k, gw_emit_items *items) {
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_EXACT_SHARED]; i++)
        gw_push(items, gw_strdup(name_of(k->e, i)));
}
