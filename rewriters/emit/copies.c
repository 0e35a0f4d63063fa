/*
 * emit/copies.c - copies of arrays in the text: a kernel's parameters for them, the one that a block has, and
 * what the launch does around the kernel (gradwright/copies.cuh).
 *
 * Additions on the rung name the block's copy where others name the array (gw_emit_copy_name); all else of them
 * is written as ever.
 */
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

void gw_emit_copy_names(gw_emitter *e, const gw_func *f) {
    uint32_t count = gw_copied_objects(f);
    e->copies = count ? gw_alloc(2 * count * sizeof *e->copies) : NULL;
    for (uint32_t i = 0; i < 2 * count; i++) {
        char *wish = gw_format("%s_%s", object_name(f, i / 2), i % 2 == OF_BLOCK ? "copy" : "copies");
        e->copies[i] = gw_emit_unique(e, wish);
        free(wish);
    }
}

void gw_emit_copy_params(gw_emitter *e, const gw_func *f, gw_emit_params *list) {
    for (uint32_t i = 0; i < gw_copied_objects(f); i++) {
        char *type = gw_format("gw_copies<%s>", type_of(e, f, i));
        gw_emit_params_add(list, e->session, type, name_of(e, i, ALL));
        free(type);
    }
}

void gw_emit_copies_begin(gw_emitter *e) {
    for (uint32_t i = 0; i < gw_copied_objects(e->f); i++)
        gw_emit_line(e, "%s *const %s = gw_copy_of_block(%s, %s);", type_of(e, e->f, i),
                     name_of(e, i, OF_BLOCK), object_name(e->f, i), name_of(e, i, ALL));
}

/* ---- the launch ---- */
/* Those of the launch, by the last cell that the host found: behind the counts of rows. */
static char *of_launch(gw_emitter *e, const gw_kernel *k, uint32_t i, const char *counts) {
    const gw_func *f = k->grad;
    const char *fewest = gw_copies_are_asked(f, gw_copied_object(f, i)) ? "GW_COPIES_ASKED" : "GW_COPIES_PAY";
    return gw_format("gw_copies_of<%s>(%s.gw_rows[%u], %s, %s)", type_of(e, f, i), counts,
                     k->counted - k->copied + i, k->grid, fewest);
}

void gw_emit_copies_bytes(gw_emitter *e, const gw_kernel *k, const char *counts, const char *bytes) {
    for (uint32_t i = 0; i < k->copied; i++) {
        char *of = of_launch(e, k, i, counts);
        gw_emit_line(e, "%s = gw_copies_end(%s, %s);", bytes, bytes, of);
        free(of);
    }
}

void gw_emit_copies_place(gw_emitter *e, const gw_kernel *k, const char *counts, const char *used) {
    if (!k->copied) return;
    const char *from = gw_cstr(e->session, gw_emit_unique(e, "copies_from"));
    gw_emit_line(e, "const size_t %s = %s;", from, used);
    for (uint32_t i = 0; i < k->copied; i++) {
        char *of = of_launch(e, k, i, counts);
        gw_emit_line(e, "const auto %s = gw_copies_place(%s, %s, &%s);", name_of(e, i, ALL), of, k->rows_space,
                     used);
        free(of);
    }
    gw_emit_line(e, "%s = gw_copies_clear(\"%s\", %s, %s, %s, %s);", k->status, k->launch, k->rows_space, from,
                 used, k->stream);
    gw_emit_line(e, "if (%s != GW_OK) return %s;", k->status, k->status);
}

void gw_emit_copies_sum(gw_emitter *e, const gw_kernel *k) {
    if (!k->copied) return;
    GW_VEC(char *) items = {0};
    bool last = !k->groups && !k->records;
    char *head = last ? gw_strdup("return gw_copies_sum") : gw_format("%s = gw_copies_sum", k->status);
    gw_push(&items, gw_format("\"%s\"", k->launch));
    gw_push(&items, gw_strdup(k->stream));
    for (uint32_t i = 0; i < k->copied; i++)
        gw_push(&items, gw_format("gw_copied<%s>(%s, %s)", number_type(e, k->grad, i), object_name(k->grad, i),
                                  name_of(e, i, ALL)));
    gw_emit_line(e, "if (%s != GW_OK) return %s;", k->status, k->status);
    gw_emit_call_text(e, head, items.at, items.count, ";");
    for (uint32_t i = 0; i < items.count; i++) free(items.at[i]);
    gw_vec_free(&items);
    free(head);
}
