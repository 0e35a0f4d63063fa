/*
 * emit/text/claim.c - what a checked build tests in front of an access of an adjoint: that it is the thread's
 * to make, as ownership said (gradwright/emitted/claims.cuh), and that it is in the records of a pack.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/rungs.h"
#include "rewriters/emit/text/text_private.h"

#include <stdlib.h>

/* An adjoint parameter of a kernel that has several: their cells are taken to be apart. */
static bool of_array(const gw_func *f, gw_object o, gw_str path) {
    uint32_t arrays = 0;
    bool is_one = false;
    for (uint32_t i = 0; i < f->params.count && f->kind == GW_FUNC_KERNEL; i++) {
        const gw_param *p = &f->params.at[i];
        if (!p->is_adjoint || p->value || gw_object_at(f, p->object)->kind != GW_OBJECT_POINTER) continue;
        arrays++;
        is_one |= p->object == o;
    }
    return is_one && arrays > 1 && !gw_cell_behind_pointer(f, o, path);
}

bool gw_emit_is_of_block_scope(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return !o->dead && o->code == GW_OP_ACCUM && o->attr == GW_ACCUMULATE_ATOMIC &&
           gw_object_at(f, o->object)->kind != GW_OBJECT_SHARED && gw_exclusive_to(f, op) != GW_EXCLUSIVE_GRID;
}

static bool has_block_scope(gw_emitter *e, gw_object o) {
    const gw_func *f = e->f;
    if (!e->object_has_scope) {
        e->object_has_scope = gw_alloc(f->objects.count * sizeof *e->object_has_scope);
        for (gw_op op = 1; op < f->ops.count; op++)
            if (gw_emit_is_of_block_scope(f, op)) e->object_has_scope[gw_op_at(f, op)->object] = true;
    }
    return e->object_has_scope[o];
}

static void test_record(gw_emitter *e, gw_op op, const char *when) {
    const gw_func *f = e->f;
    if (!e->record_count || gw_op_at(f, op)->code != GW_OP_ACCUM || gw_op_at(f, op)->object != f->pack) return;
    char *index = gw_emit_text(e, gw_operand(f, op, 0), GW_IN_EXACT, GW_PREC_SELECT);
    char *file = gw_emit_quoted(gw_cstr(f->session, f->session->source_file));
    gw_emit_line(e, "%sgw_test_record(%s, %u, %s, \"%s\", %s, %u);", when, index, f->pack_stride,
                 gw_cstr(f->session, e->record_count), gw_cstr(f->session, gw_object_at(f, f->pack)->name),
                 file, gw_op_at(f, op)->loc.line);
    free(file);
    free(index);
}

void gw_emit_claim(gw_emitter *e, gw_op op, const char *when) {
    if (!e->session->options.checked) return;
    test_record(e, op, when);
    if (!gw_emit_is_claimed(e->f, op)) return;
    const gw_op_data *o = gw_op_at(e->f, op);
    char *address = gw_emit_address(e, op),
         *file = gw_emit_quoted(gw_cstr(e->session, e->session->source_file));
    const char *barriers = gw_cstr(e->session, e->barriers);
    /* exact sums are nobody's cells until the kernel is over, but no thread's own either */
    bool plain = gw_way(o->attr)->ordered && gw_way(o->attr)->into != GW_INTO_ACCUMULATOR;
    const char *access = plain ? "GW_CLAIM_PLAIN" : "GW_CLAIM_ATOMIC";
    if (o->code == GW_OP_LOAD) access = "GW_CLAIM_READ";
    gw_emit_line(e, "%s%s(%s, %u, %s, \"%s\", %s%s%s);", when,
                 o->attr == GW_ACCUMULATE_BLOCK ? "gw_claim_for_block" : "gw_claim", address, o->loc.line,
                 access, gw_cstr(e->session, gw_emit_object(e, o->object)), file, *barriers ? ", " : "",
                 barriers);
    if (of_array(e->f, o->object, o->path))
        gw_emit_line(e, "%sgw_claim_array(%s, %u, %u, \"%s\", %s);", when, address, o->object, o->loc.line,
                     gw_cstr(e->session, gw_emit_object(e, o->object)), file);
    if (has_block_scope(e, o->object))
        gw_emit_line(e, "%sgw_claim_scope(%s, %u, %s, \"%s\", %s%s%s);", when, address, o->loc.line,
                     gw_emit_is_of_block_scope(e->f, op) ? "GW_CLAIM_PLAIN" : "GW_CLAIM_ATOMIC",
                     gw_cstr(e->session, gw_emit_object(e, o->object)), file, *barriers ? ", " : "", barriers);
    free(file);
    free(address);
}
