/*
 * emit/kernel/copies.c - copies of arrays in the text: a kernel's parameters for them, the one that a block
 * has, and what the launch does around the kernel (gradwright/copies.cuh).
 *
 * Additions on the rung name the block's copy where others name the array (emit/text/place.c); all else of them
 * is written as ever.
 */
#include "analysis/ir/rungs.h"
#include "rewriters/emit/kernel/kernel_private.h"

#include <stdlib.h>

static const char *name_of(const gw_emitter *e, uint32_t number) {
    return gw_cstr(e->session, e->copies[number]);
}
static const char *object_name(const gw_func *f, uint32_t number) {
    return gw_cstr(f->session, gw_object_at(f, gw_copied_object(f, number))->name);
}
static const char *type_of(const gw_emitter *e, const gw_func *f, uint32_t number) {
    return gw_emit_type(e, gw_object_at(f, gw_copied_object(f, number))->type);
}

/* What its elements are made of. */
static const char *number_type(const gw_emitter *e, const gw_func *f, uint32_t number) {
    gw_op op = 1;
    while (gw_op_at(f, op)->dead || gw_op_at(f, op)->attr != GW_ACCUMULATE_COPIES ||
           gw_op_at(f, op)->code != GW_OP_ACCUM || gw_op_at(f, op)->object != gw_copied_object(f, number))
        op++;
    return gw_emit_type(e, gw_typeof(f, gw_operand(f, op, gw_index_count(f, op))));
}

void gw_emit_copy_names(gw_kernel *k) {
    const uint32_t count = k->tenants[GW_TENANT_COPIES];
    k->e->copies = gw_alloc(count * sizeof *k->e->copies);
    k->e->block_copies = gw_alloc(count * sizeof *k->e->block_copies);
    for (uint32_t i = 0; i < count; i++) {
        char *all = gw_format("%s_copies", object_name(k->grad, i)),
             *one = gw_format("%s_copy", object_name(k->grad, i));
        k->e->copies[i] = gw_emit_unique(k->e, all);
        k->e->block_copies[i] = gw_emit_unique(k->e, one);
        free(all), free(one);
    }
}

/* Callers of the kernel itself name none. */
static void set_default(gw_emit_params *list) {
    char **last = &list->texts.at[list->texts.count - 1], *text = gw_format("%s = {}", *last);
    free(*last);
    *last = text;
}

void gw_emit_copy_params(gw_kernel *k, gw_emit_params *list) {
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_COPIES]; i++) {
        char *type = gw_format("gw_copies<%s>", type_of(k->e, k->grad, i));
        gw_emit_params_add(list, k->e->session, type, name_of(k->e, i));
        free(type);
        if (!k->is_private) set_default(list);
    }
}

void gw_emit_copies_begin(gw_kernel *k) {
    gw_emitter *e = k->e;
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_COPIES]; i++)
        gw_emit_line(e, "%s *const %s = gw_copy_of_block(%s, %s);", type_of(e, e->f, i),
                     gw_cstr(e->session, e->block_copies[i]), object_name(e->f, i), name_of(e, i));
}

/* ---- the launch ---- */
/* Those of the launch, by the last cell that the host found. */
static char *of_launch(const gw_kernel *k, uint32_t i) {
    const gw_func *f = k->grad;
    const char *fewest = gw_copies_are_asked(f, gw_copied_object(f, i)) ? "GW_COPIES_ASKED" : "GW_COPIES_PAY";
    return gw_format("gw_copies_of<%s>(%s.gw_rows[%u], %s, %s)", type_of(k->e, f, i), k->counts,
                     gw_numbers_before(f, GW_TENANT_COPIES) + i, k->grid, fewest);
}

void gw_emit_copies_bytes(gw_kernel *k) {
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_COPIES]; i++) {
        char *of = of_launch(k, i);
        gw_emit_line(k->e, "%s = gw_copies_end(%s, %s);", k->used, k->used, of);
        free(of);
    }
}

void gw_emit_copies_place(gw_kernel *k) {
    gw_emitter *e = k->e;
    const char *from = gw_cstr(e->session, gw_emit_unique(e, "copies_from"));
    gw_emit_line(e, "const size_t %s = %s;", from, k->used);
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_COPIES]; i++) {
        char *of = of_launch(k, i);
        if (k->spare)
            gw_emit_line(e, "const auto %s = gw_copies_fit(%s, %s, %s, &%s);", name_of(e, i), of,
                         k->own_space, k->own_space_bytes, k->used);
        else
            gw_emit_line(e, "const auto %s = gw_copies_place(%s, %s, &%s);", name_of(e, i), of,
                         k->own_space, k->used);
        free(of);
    }
    const char *declares = k->status ? "" : "gw_status ";
    if (!k->status) k->status = gw_cstr(e->session, gw_emit_unique(e, "status"));
    gw_emit_line(e, "%s%s = gw_copies_clear(\"%s\", %s, %s, %s, %s);", declares, k->status, k->launch,
                 k->own_space, from, k->used, k->stream);
    gw_emit_leave_unless_good(k);
}

void gw_emit_copies_arguments(const gw_kernel *k, gw_emit_items *items) {
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_COPIES]; i++)
        gw_push(items, gw_strdup(name_of(k->e, i)));
}

void gw_emit_copies_sum(gw_kernel *k, bool last) {
    gw_emit_items items = {0};
    char *head = gw_emit_step(k, "gw_copies_sum", last);
    gw_push(&items, gw_format("\"%s\"", k->launch));
    gw_push(&items, gw_strdup(k->stream));
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_COPIES]; i++)
        gw_push(&items, gw_format("gw_copied<%s>(%s, %s)", number_type(k->e, k->grad, i),
                                  object_name(k->grad, i), name_of(k->e, i)));
    gw_emit_call_text(k->e, head, items.at, items.count, ";");
    gw_emit_items_free(&items);
    free(head);
}
