/*
 * emit/kernel/exact.c - exact sums in the text: a kernel's parameters for accumulators, and what the launch
 * does around the kernel (gradwright/exact.cuh; the additions: emit/text/accumulator.c).
 *
 * The kernel is given an array's accumulators together with where the array begins, so an addition names its
 * cell as all others do: gw_exact_add(d_p_exact, &d_p[i].x, v).
 */
#include "rewriters/emit/kernel/kernel_private.h"

#include <stdlib.h>

static const char *name_of(const gw_emitter *e, uint32_t number) {
    return gw_cstr(e->session, e->exact[number]);
}

static gw_op array_of(const gw_kernel *k, uint32_t i) { return gw_exact_array(k->grad, i); }
static bool is_pointed(const gw_kernel *k, uint32_t i) { return gw_exact_is_pointed(k->grad, array_of(k, i)); }

static const char *number_type(const gw_kernel *k, uint32_t i) {
    return gw_emit_exact_number(k->e, k->grad, array_of(k, i));
}

void gw_emit_exact_names(gw_kernel *k) {
    const uint32_t count = k->tenants[GW_TENANT_EXACT];
    k->e->exact = gw_alloc(count * sizeof *k->e->exact);
    for (uint32_t i = 0; i < count; i++)
        k->e->exact[i] = gw_emit_exact_name_for(k->e, k->grad, array_of(k, i), "exact");
}

void gw_emit_exact_params(gw_kernel *k, gw_emit_params *list) {
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_EXACT]; i++) {
        char *type = gw_emit_exact_type(k->e, k->grad, array_of(k, i));
        gw_emit_params_add(list, k->e->session, type, name_of(k->e, i));
        free(type);
    }
}

/* ---- the launch ---- */
static uint32_t number_of_cells(const gw_kernel *k, uint32_t i) {
    return gw_numbers_before(k->grad, GW_TENANT_EXACT) + 2 * i;
}

/* What the caller says of the same memory, whose other numbers have another type; 0: nothing. */
static gw_str told_of_memory(const gw_kernel *k, uint32_t i) {
    for (uint32_t j = 0; j < i && !is_pointed(k, i); j++)
        if (k->cells.at[j] && gw_exact_same_memory(k->grad, array_of(k, i), array_of(k, j)))
            return k->cells.at[j];
    return 0;
}

void gw_emit_exact_ask(gw_kernel *k) {
    const gw_func *b = k->bound;
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_EXACT]; i++) {
        const gw_value cells = gw_operand(b, gw_region_end(b, b->entry), 2 + number_of_cells(k, i));
        const bool told = gw_exact_is_told(b, cells);
        gw_str name = told ? told_of_memory(k, i) : 0;
        if (told && !name) {
            name = gw_emit_exact_name_for(k->e, k->grad, array_of(k, i), "cells");
            gw_push(&k->told, ((gw_asked_size){name, array_of(k, i)}));
        }
        gw_push(&k->cells, name);
    }
}

/* Those of the launch. */
static char *of_launch(const gw_kernel *k, uint32_t i) {
    const uint32_t number = number_of_cells(k, i);
    char *found = gw_format("%s.gw_rows[%u]", k->counts, number);
    const char *cells = k->cells.at[i] ? gw_cstr(k->e->session, k->cells.at[i]) : found;
    const uint32_t numbers = gw_exact_numbers(k->grad, array_of(k, i));
    char *how_many = is_pointed(k, i) ? gw_strdup(cells) : gw_format("%s, %u", cells, numbers);
    char *text = gw_format("gw_exact_%s<%s>(%s, %s.gw_rows[%u], %s, %s)", is_pointed(k, i) ? "table_of" : "of",
                           number_type(k, i), how_many, k->counts, number + 1, k->grid, k->own_block);
    free(found), free(how_many);
    return text;
}

void gw_emit_exact_bytes(gw_kernel *k) {
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_EXACT]; i++) {
        char *of = of_launch(k, i);
        gw_emit_line(k->e, "%s = gw_exact_end(%s, %s);", k->used, k->used, of);
        free(of);
    }
}

void gw_emit_exact_place(gw_kernel *k) {
    gw_emitter *e = k->e;
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_EXACT]; i++) {
        char *of = of_launch(k, i), *base = gw_emit_exact_base(k->grad, array_of(k, i)),
             *array = is_pointed(k, i) ? gw_strdup("") : gw_format("%s, ", base);
        gw_emit_line(e, "auto %s = %s;", name_of(e, i), of);
        gw_emit_line(e, "%s = gw_exact_place(\"%s\", &%s, %s%s, &%s, %s);", k->status, k->launch,
                     name_of(e, i), array, k->own_space, k->used, k->stream);
        gw_emit_leave_unless_good(k);
        free(of), free(base), free(array);
    }
}

void gw_emit_exact_arguments(const gw_kernel *k, gw_emit_items *items) {
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_EXACT]; i++)
        gw_push(items, gw_strdup(name_of(k->e, i)));
}

void gw_emit_exact_sum(gw_kernel *k, bool last) {
    gw_emit_items items = {0};
    char *head = gw_emit_step(k, "gw_exact_sum", last);
    gw_push(&items, gw_format("\"%s\"", k->launch));
    gw_push(&items, gw_strdup(k->stream));
    gw_emit_exact_arguments(k, &items);
    gw_emit_call_text(k->e, head, items.at, items.count, ";");
    gw_emit_items_free(&items);
    free(head);
}
