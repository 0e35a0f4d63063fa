/* parts.c - what a launch gives its kernel, one by one (contract: parts.h). */
#include "analysis/facts/parts.h"

#include "analysis/facts/facts.h"

#include <stdlib.h>

bool gw_launch_part_has(const gw_func *kernel, const gw_launch_part *part, gw_op op) {
    const gw_object object = kernel->params.at[part->param].object;
    if (!object || gw_op_at(kernel, op)->dead || gw_op_at(kernel, op)->object != object) return false;
    return !part->is_leaf || gw_leaf_has(kernel, op, object, &part->leaf);
}

bool gw_launch_part_fetches(const gw_func *kernel, const gw_launch_part *part, gw_op op) {
    const gw_op_data *o = gw_op_at(kernel, op);
    return part->is_texture && !o->dead && (o->code == GW_OP_TEXTURE || o->code == GW_OP_TEXTURE_SLOPE) &&
           gw_operand(kernel, op, 0) == kernel->params.at[part->param].value;
}

bool gw_launch_part_is_touched(const gw_func *kernel, const gw_launch_part *part, unsigned how) {
    for (gw_op op = 1; op < kernel->ops.count && how & GW_TOUCH_READ; op++)
        if (gw_launch_part_fetches(kernel, part, op)) return true;
    for (gw_op op = 1; op < kernel->ops.count; op++)
        if (gw_launch_part_has(kernel, part, op) && gw_touches(kernel, op, gw_op_at(kernel, op)->object, how))
            return true;
    return false;
}

void gw_launch_parts_look(const gw_func *kernel, gw_launch_parts *parts) {
    for (uint32_t i = 0; i < parts->count; i++) {
        gw_launch_part *part = &parts->at[i];
        part->is_read = part->leads_to_numbers && gw_launch_part_is_touched(kernel, part, GW_TOUCH_READ);
        part->is_written = part->leads_to_numbers && gw_launch_part_is_touched(kernel, part, GW_TOUCH_WRITE);
    }
}

static void add_struct(const gw_func *kernel, uint32_t param, gw_launch_parts *out) {
    gw_session *s = kernel->session;
    const gw_param p = kernel->params.at[param];
    gw_leaves leaves = {0};
    gw_leaves_of(s, gw_object_at(kernel, p.object)->type, &leaves);
    for (uint32_t i = 0; i < leaves.count; i++) {
        const gw_leaf leaf = leaves.at[i];
        char *text = gw_format("%s%s", gw_cstr(s, gw_param_asked(kernel, &p)), gw_cstr(s, leaf.name));
        const bool leads = gw_leaf_is_pointer(s, &leaf);
        const gw_launch_part part = {
            .param = param,
            .is_leaf = true,
            .leaf = leaf,
            .name = gw_intern(s, text),
            .is_number = gw_leaf_is_number(s, &leaf),
            .is_pointer = leads,
            .leads_to_numbers = leads && gw_type_reaches_float(s, s->types.at[leaf.type].element)};
        gw_push(out, part);
        free(text);
    }
    gw_vec_free(&leaves);
}

void gw_launch_parts_of(const gw_func *kernel, gw_launch_parts *out) {
    for (uint32_t i = 0; i < kernel->params.count; i++) {
        const gw_param *p = &kernel->params.at[i];
        if (p->object && gw_object_at(kernel, p->object)->kind == GW_OBJECT_STRUCT) {
            add_struct(kernel, i, out);
            continue;
        }
        const gw_launch_part part = {
            .param = i,
            .name = gw_param_asked(kernel, p),
            .is_number = p->value && gw_type_is_float(gw_typeof(kernel, p->value)),
            .is_pointer = p->object != 0,
            .is_texture = p->is_texture,
            .leads_to_numbers =
                p->is_texture ||
                (p->object && gw_type_reaches_float(kernel->session, gw_object_at(kernel, p->object)->type))};
        gw_push(out, part);
    }
}
