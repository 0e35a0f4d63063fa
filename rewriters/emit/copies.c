/*
 * emit/copies.c - copies of arrays in the text: a kernel's parameters for them, the one that a block has, and
 * what the launch does around the kernel (gradwright/copies.cuh).
 *
 * Additions on the rung name the block's copy where others name the array (gw_emit_copy_name); all else of them
 * is written as ever.
 */
#include "analysis/ir/rungs.h"
#include "rewriters/workspace/workspace.h"
#include "rewriters/emit/kernel_private.h"

#include <stdlib.h>

typedef enum which { ALL, OF_BLOCK } which;

static const char *name_of(const gw_emitter *e, uint32_t number, which of) {
    return gw_cstr(e->session, e->copies[2 * number + of]);
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

gw_str gw_emit_copy_name(const gw_emitter *e, gw_object object) {
    return e->copies ? e->copies[2 * gw_copied_number(e->f, object) + OF_BLOCK] : 0;
}

void gw_emit_copy_names(gw_kernel *k) {
    const uint32_t count = 2 * k->tenants[GW_TENANT_COPIES];
    k->e->copies = gw_alloc(count * sizeof *k->e->copies);
    for (uint32_t i = 0; i < count; i++) {
        char *wish =
            gw_format("%s_%s", object_name(k->grad, i / 2), i % 2 == OF_BLOCK ? "copy" : "copies");
        k->e->copies[i] = gw_emit_unique(k->e, wish);
        free(wish);
    }
}

void gw_emit_copy_params(gw_kernel *k, gw_emit_params *list) {
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_COPIES]; i++) {
        char *type = gw_format("gw_copies<%s>", type_of(k->e, k->grad, i));
        gw_emit_params_add(list, k->e->session, type, name_of(k->e, i, ALL));
        free(type);
    }
}

void gw_emit_copies_begin(gw_kernel *k) {
    gw_emitter *e = k->e;
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_COPIES]; i++)
        gw_emit_line(e, "%s *const %s = gw_copy_of_block(%s, %s);", type_of(e, e->f, i),
                     name_of(e, i, OF_BLOCK), object_name(e->f, i), name_of(e, i, ALL));
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
        gw_emit_line(e, "const auto %s = gw_copies_place(%s, %s, &%s);", name_of(e, i, ALL), of, k->own_space,
                     k->used);
        free(of);
    }
    gw_emit_line(e, "%s = gw_copies_clear(\"%s\", %s, %s, %s, %s);", k->status, k->launch, k->own_space, from,
                 k->used, k->stream);
    gw_emit_leave_unless_good(k);
}

void gw_emit_copies_arguments(const gw_kernel *k, gw_emit_items *items) {
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_COPIES]; i++)
        gw_push(items, gw_strdup(name_of(k->e, i, ALL)));
}

void gw_emit_copies_sum(gw_kernel *k, bool last) {
    gw_emit_items items = {0};
    char *head = gw_emit_step(k, "gw_copies_sum", last);
    gw_push(&items, gw_format("\"%s\"", k->launch));
    gw_push(&items, gw_strdup(k->stream));
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_COPIES]; i++)
        gw_push(&items, gw_format("gw_copied<%s>(%s, %s)", number_type(k->e, k->grad, i),
                                  object_name(k->grad, i), name_of(k->e, i, ALL)));
    gw_emit_call_text(k->e, head, items.at, items.count, ";");
    gw_emit_items_free(&items);
    free(head);
}
