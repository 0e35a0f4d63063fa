/*
 * frontend/place/block.c - memory of a size that is known when the program runs: a LOCAL object with an extent.
 *
 * Memory ends with the function that the gradient belongs to; free() and delete say where the source must not
 * use it any more. What is allocated in a loop may be used in that loop only, and what is allocated in a branch
 * behind it where lift.c can move it there.
 */
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/diagnostics.h"

#include <string.h>

void gw_front_refuse_sized(gw_lowering *L, CXCursor at, const char *what) {
    gw_front_refuse(L, at, what, "use arrays of a size that is known when compiling, or parameters");
}

/* Numbers and structs of such, without arrays: each number is an array of its own where text cannot declare the
 * struct. */
static bool splits_into_numbers(const gw_unit *u, gw_shape element) {
    const gw_shape_data *d = gw_front_shape_at(u, element);
    bool good = d->kind == GW_SHAPE_SCALAR ||
                (d->kind == GW_SHAPE_STRUCT && d->type != GW_T_VOID && !d->has_pointer && !d->is_union);
    for (uint32_t i = 0; good && d->kind == GW_SHAPE_STRUCT && i < d->count; i++)
        good = splits_into_numbers(u, u->fields.at[d->first + i].shape);
    return good;
}

bool gw_front_may_be_sized(const gw_unit *u, gw_shape element) {
    const gw_shape_data *d = gw_front_shape_at(u, element);
    return d->kind != GW_SHAPE_OPAQUE && d->type != GW_T_VOID && (!d->split || splits_into_numbers(u, element));
}

static gw_place make_block(gw_lowering *L, gw_shape element, gw_type cell, gw_value count, bool zeroed) {
    gw_place p = {.kind = GW_PLACE_MEMORY, .shape = element, .path = gw_intern(L->session, "[]"), .count = 1};
    gw_value extent = gw_cast(&L->b, GW_T_U64, count);
    p.object = gw_front_local(L, L->naming ? L->naming : gw_intern(L->session, "array"), cell);
    p.index[0] = gw_int(&L->b, GW_T_I32, 0);
    gw_object_at(L->f, p.object)->sized = true;
    gw_object_at(L->f, p.object)->zeroed = zeroed;
    gw_op declare = gw_emit(&L->b, GW_OP_DECLARE, GW_T_VOID, 0, &extent, 1);
    gw_op_at(L->f, declare)->object = p.object;
    return p;
}

gw_place gw_front_allocate(gw_lowering *L, gw_shape element, gw_value count, bool zeroed, CXCursor at) {
    const gw_shape_data *d = gw_front_shape_at(L->u, element);
    if (gw_front_may_be_made(L, element, count)) return gw_front_make(L, element, at);
    if (L->is_program && d->kind == GW_SHAPE_POINTER) {
        gw_front_device_place(L, gw_front_pointee(L->u, element), 0);
        return make_block(L, element, GW_T_I64, count, zeroed);
    }
    if (L->f->kind != GW_FUNC_HOST)
        gw_front_refuse_sized(L, at, "an array of run-time size in device code");
    else if (d->kind == GW_SHAPE_OPAQUE)
        gw_front_refuse_sized(L, at, d->refusal->what);
    else if (!gw_front_may_be_sized(L->u, element))
        gw_front_refuse(L, at, "an array of run-time size of such elements",
                        "use elements that are plain data");
    if (L->failed) return (gw_place){0};
    if (gw_front_is_staged(L, at)) return gw_front_stage(L, element, count, zeroed);
    const gw_place p = make_block(L, element, d->type, count, zeroed);
    gw_front_stage_note(L, (gw_site){.object = p.object, .shape = element, .at = at});
    return p;
}

/* ---- where a block may be used ----
 * Its end is a DECLARE of no elements with this mark, until the function is complete and each access has been
 * looked at: it must stand in the region of the allocation and not behind the end. */
typedef struct use_check {
    gw_func *f;
    gw_region *made; /* by object: region of its allocation, 0 before it */
    bool *ended;
    bool good;
} use_check;

static bool is_end(const gw_func *f, gw_op op) {
    return gw_op_at(f, op)->code == GW_OP_DECLARE && gw_op_at(f, op)->attr == GW_BLOCK_ENDS;
}

static void check_use(use_check *c, gw_op op) {
    const gw_op_data *o = gw_op_at(c->f, op);
    const char *what = NULL;
    if (!c->good || !o->object || !gw_object_at(c->f, o->object)->sized) return;
    if (c->ended[o->object])
        what = "memory that was freed";
    else if (is_end(c->f, op))
        c->ended[o->object] = true;
    else if (o->code == GW_OP_DECLARE)
        c->made[o->object] = o->parent;
    else if (!gw_region_inside(c->f, o->parent, c->made[o->object]))
        what = "memory that is allocated in a branch or loop and used behind it";
    if (what)
        gw_diag(c->f->session, GW_DIAG_UNSUPPORTED, o->loc, what, "use it between its allocation and its end");
    c->good = !what;
}

/* What ends in a branch or loop may have ended behind it only if that is where it was made. */
static void check_uses(use_check *c, gw_region r) {
    bool *ended = gw_alloc(c->f->objects.count);
    memcpy(ended, c->ended, c->f->objects.count);
    for (gw_op op = gw_first(c->f, r); op; op = gw_next(c->f, op)) {
        check_use(c, op);
        for (uint32_t i = 0; i < gw_op_at(c->f, op)->regions; i++) check_uses(c, gw_op_at(c->f, op)->region[i]);
    }
    memcpy(c->ended, ended, c->f->objects.count);
    free(ended);
}

bool gw_front_check_blocks(gw_func *f) {
    gw_front_lift_blocks(f);
    if (!gw_front_make_room(f)) return false;
    use_check c = {.f = f, .good = true};
    c.made = gw_alloc(f->objects.count * sizeof *c.made);
    c.ended = gw_alloc(f->objects.count);
    check_uses(&c, f->entry);
    for (gw_op op = 1; op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && is_end(f, op)) gw_op_remove(f, op);
    free(c.made);
    free(c.ended);
    return c.good;
}
