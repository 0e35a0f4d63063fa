/*
 * emit/kernel/copies.c - copies of arrays in the text: a kernel's parameters for them, the one that a block
 * has, and what the launch does around the kernel (gradwright/emitted/copies.cuh).
 *
 * Additions on the rung name the block's copy where others name the array (emit/text/place.c); all else of them
 * is written as ever.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/rungs.h"
#include "rewriters/accumulate/accumulate.h"
#include "rewriters/emit/kernel/kernel_private.h"

#include <stdlib.h>

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

static gw_tenant_one one_of(const gw_kernel *k, uint32_t number) {
    return (gw_tenant_one){k, GW_TENANT_COPIES, number};
}

/* The name of all copies; and of the block's. */
static gw_str name(gw_tenant_one one) {
    gw_emitter *e = one.k->e;
    const uint32_t count = one.k->tenants[GW_TENANT_COPIES];
    if (!one.number) e->block_copies = gw_alloc(count * sizeof *e->block_copies);
    char *all = gw_format("%s_copies", object_name(one.k->grad, one.number)),
         *copy = gw_format("%s_copy", object_name(one.k->grad, one.number));
    const gw_str name = gw_emit_unique(e, all);
    e->block_copies[one.number] = gw_emit_unique(e, copy);
    free(all), free(copy);
    return name;
}

static char *type(gw_tenant_one one) {
    return gw_format("gw_copies<%s>", type_of(one.k->e, one.k->grad, one.number));
}

/* The block's copy; or the sums in its shared memory, which go there when it ends. */
static void begin(gw_kernel *k) {
    gw_emitter *e = k->e;
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_COPIES]; i++) {
        const char *type = type_of(e, e->f, i), *copy = gw_cstr(e->session, e->block_copies[i]);
        const char *array = object_name(e->f, i), *copies = gw_emit_one_name(one_of(k, i));
        if (!gw_rung_sums_in_block(e->f, gw_copied_object(e->f, i))) {
            gw_emit_line(e, "%s *const %s = gw_copy_of_block(%s, %s);", type, copy, array, copies);
            continue;
        }
        char *wanted = gw_format("%s_sums", array);
        const char *sums = gw_cstr(e->session, gw_emit_unique(e, wanted));
        gw_emit_line(e, "__shared__ %s %s[GW_SUMS_BYTES / sizeof(%s)];", type, sums, type);
        gw_emit_line(e, "const gw_sums<%s> %s = gw_sums_begin(gw_copy_of_block(%s, %s), %s, %s);", type, copy,
                     array, copies, sums, copies);
        free(wanted);
    }
}

static void end(gw_kernel *k) {
    gw_emitter *e = k->e;
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_COPIES]; i++)
        if (gw_rung_sums_in_block(e->f, gw_copied_object(e->f, i)))
            gw_emit_line(e, "gw_sums_end(%s);", gw_cstr(e->session, e->block_copies[i]));
}

/* ---- the launch ---- */
/* All that the kernel does to it are additions to copies, and it is new: their sums are stored. */
static bool is_stored(const gw_func *f, gw_object object) {
    bool any = false;
    for (uint32_t i = 0; i < f->params.count; i++)
        any |= f->params.at[i].object == object && gw_is_fresh(f, &f->params.at[i], NULL);
    for (gw_op op = 1; op < f->ops.count && any; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        const bool is_copied = o->code == GW_OP_ACCUM && o->attr == GW_ACCUMULATE_COPIES;
        any = o->dead || o->object != object || is_copied;
    }
    return any && !f->has_gathers && !f->pack;
}

char *gw_emit_copied_cells(const gw_kernel *k, gw_object object) {
    const uint32_t count = k->tenants[GW_TENANT_COPIES];
    for (uint32_t i = 0; i < count; i++)
        if (gw_copied_object(k->grad, i) == object && is_stored(k->grad, object))
            return gw_format("gw_copied_cells(%s)", gw_emit_one_name(one_of(k, i)));
    return NULL;
}

/* By the last cell that the host found. */
/* Without one, blocks add to the array itself. */
static bool can_lack(gw_tenant_one one) {
    return !gw_copies_are_asked(one.k->grad, gw_copied_object(one.k->grad, one.number));
}

static char *host(gw_tenant_one one) {
    const gw_kernel *k = one.k;
    return gw_format("gw_copies_of<%s>(%s.gw_rows[%u], %s, %s)", type_of(k->e, k->grad, one.number), k->counts,
                     gw_numbers_before(k->grad, GW_TENANT_COPIES) + one.number, k->grid,
                     can_lack(one) ? "GW_COPIES_PAY" : "GW_COPIES_ASKED");
}

static void prepare(gw_kernel *k) {
    gw_emitter *e = k->e;
    const char *from = gw_cstr(e->session, gw_emit_unique(e, "copies_from"));
    gw_emit_line(e, "const size_t %s = %s;", from, k->used);
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_COPIES]; i++) {
        char *of = host(one_of(k, i));
        const char *name = gw_emit_one_name(one_of(k, i));
        gw_emit_line(e, "const auto %s = gw_copies_place(%s, %s, &%s);", name, of, k->own_space, k->used);
        free(of);
    }
    gw_emit_line(e, "%s = gw_copies_clear(\"%s\", %s, %s, %s, %s);", k->status, k->launch, k->own_space, from,
                 k->used, k->stream);
    gw_emit_leave_unless_good(k);
}

static void sum(gw_kernel *k, bool last) {
    gw_emit_items items = {0};
    char *head = gw_emit_step(k, "gw_copies_sum", last);
    gw_push(&items, gw_format("\"%s\"", k->launch));
    gw_push(&items, gw_strdup(k->stream));
    for (uint32_t i = 0; i < k->tenants[GW_TENANT_COPIES]; i++)
        gw_push(&items, gw_format("gw_copied<%s>(%s, %s%s)", number_type(k->e, k->grad, i),
                                  object_name(k->grad, i), gw_emit_one_name(one_of(k, i)),
                                  is_stored(k->grad, gw_copied_object(k->grad, i)) ? ", true" : ""));
    gw_emit_call_text(k->e, head, items.at, items.count, ";");
    gw_emit_items_free(&items);
    free(head);
}

static const char *header(const gw_session *s) {
    return gw_any_func(s, gw_copied_objects) ? "copies.cuh" : NULL;
}

/* To GW_WORKSPACE_ALIGNMENT: zeroed before, summed into the adjoints behind the kernel. */
const gw_emit_tenant gw_emit_tenant_copies = {.header = header,
                                              .name = name,
                                              .type = type,
                                              .host = host,
                                              .end = "gw_copies_end",
                                              .inside = "",
                                              .can_lack = can_lack,
                                              .begin = begin,
                                              .finish = end,
                                              .prepare = prepare,
                                              .behind = sum,
                                              .turn = FIRST};
