/*
 * frontend/place/lift.c - memory that is allocated in a branch and used behind it.
 *
 * Its DECLARE moves in front of the outermost branch that a use stands outside of. It has as many elements
 * there as it had, where the branches around it run, and none else; the conditions of these branches and that
 * number are made there once more. What cannot be made there, and what a loop allocates, stays and is refused
 * (place/block.c).
 *
 * Why that is sound: the conditions are made again from what is there before the first of the branches, by pure
 * operations and loads of cells that the function never stores to, each under the conditions that it stood
 * under. A use where the branch did not run is one of a pointer that was not set, which the source must not do.
 */
#include "plugin/frontend/place/place.h"

/* Whether nothing in the function may write to the cell that a load reads. */
static bool is_never_written(const gw_func *f, gw_op load) {
    const gw_op_data *of = gw_op_at(f, load);
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        const bool writes = o->code == GW_OP_STORE || o->code == GW_OP_ATOMIC || o->flags & GW_OP_WRITES;
        if (!o->dead && writes && o->object == of->object && o->path == of->path) return false;
        if (!o->dead && o->code == GW_OP_ADDRESS && writes && o->object == of->object) return false;
    }
    return gw_object_at(f, of->object)->kind != GW_OBJECT_LOCAL;
}

/* The regions around the DECLARE, from its own to that in which all uses are. */
typedef GW_VEC(gw_region) regions_around;

static bool find_regions(const gw_func *f, gw_op declare, regions_around *around) {
    const gw_object object = gw_op_at(f, declare)->object;
    gw_region all = gw_op_at(f, declare)->parent;
    gw_push(around, all);
    for (gw_op op = 1; op < f->ops.count; op++) {
        if (gw_op_at(f, op)->dead || gw_op_at(f, op)->object != object) continue;
        while (!gw_region_inside(f, gw_op_at(f, op)->parent, all)) {
            const gw_op branch = gw_region_at(f, all)->parent;
            if (gw_op_at(f, branch)->code != GW_OP_IF) return false;
            all = gw_op_at(f, branch)->parent;
            gw_push(around, all);
        }
    }
    return around->count > 1;
}

/* The number of elements where all branches up to number `inner` run, which the cloner's builder stands in. */
static gw_value count_in(gw_cloner *c, gw_op declare, const regions_around *around, uint32_t inner,
                         gw_op front) {
    gw_func *f = c->to->f;
    if (!inner) return gw_front_known_before(c, gw_operand(f, declare, 0), front, is_never_written);
    const gw_op branch = gw_region_at(f, around->at[inner - 1])->parent;
    const bool is_else = gw_op_at(f, branch)->region[1] == around->at[inner - 1];
    const gw_value condition = gw_front_known_before(c, gw_operand(f, branch, 0), front, is_never_written);
    if (!condition) return 0;
    const gw_builder outer = *c->to;
    const gw_op made = gw_emit(c->to, GW_OP_IF, GW_T_VOID, 0, &condition, 1);
    gw_value count = 0;
    for (int side = 0; side < 2; side++) {
        *c->to = (gw_builder){.f = f, .region = gw_region_new(f, made), .loc = outer.loc};
        gw_value here = gw_int(c->to, GW_T_U64, 0);
        if (side == is_else) count = here = count_in(c, declare, around, inner - 1, front);
        if (!here) return 0;
        gw_yield(c->to, &here, 1);
    }
    *c->to = outer;
    return count ? gw_op_add_result(f, made, GW_T_U64, 0) : 0;
}

static void lift(gw_func *f, gw_op declare) {
    regions_around around = {0};
    const gw_op_data o = *gw_op_at(f, declare);
    if (find_regions(f, declare, &around)) {
        const gw_op front = gw_region_at(f, around.at[around.count - 2])->parent, last = gw_prev(f, front);
        gw_builder b = {f, gw_op_at(f, front)->parent, front, o.loc};
        gw_cloner c = {.from = f, .to = &b};
        const gw_value count = count_in(&c, declare, &around, around.count - 1, front);
        for (gw_op op = gw_prev(f, front); !count && op != last;) {
            const gw_op unused = op;
            op = gw_prev(f, op);
            gw_op_remove(f, unused);
        }
        if (count) {
            b.region = gw_op_at(f, front)->parent, b.before = front;
            const gw_op moved = gw_emit(&b, GW_OP_DECLARE, GW_T_VOID, 0, &count, 1);
            gw_op_at(f, moved)->object = o.object;
            gw_op_remove(f, declare);
        }
        gw_map_free(&c.values);
        gw_map_free(&c.objects);
    }
    gw_vec_free(&around);
}

void gw_front_lift_blocks(gw_func *f) {
    const uint32_t count = f->ops.count;
    for (gw_op op = 1; op < count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        const bool is_made = !o->dead && o->code == GW_OP_DECLARE && !o->attr && o->operands;
        if (is_made && gw_object_at(f, o->object)->sized) lift(f, op);
    }
}
