/*
 * adjoint/texture.c - fetches from texture objects, in the reverse sweep.
 *
 * A fetch is a sum over the corners of its filter, weight times texel. So each corner's cell of the shadow gets
 * the weight times the adjoint of the result, by an ordinary addition, which ownership then looks at: corners
 * of several threads meet, so it takes one of the ladder's rungs. The weights are those that the hardware
 * fetched by, rounded to 1/256. Corners in the border have no cell. A coordinate gets the slope of the
 * interpolation that is not rounded: what two fetches give, half a texel to each side.
 *
 * The channels of one fetch are ops of their own (frontend/call/texture.c) and are reversed together, where the
 * first of them stands: in reverse order all that comes of any of them is behind it, so their adjoints are
 * complete.
 *
 * Requires what gw_check_textures holds: the object of a fetch whose texels or coordinates take part is a
 * parameter that the request names, so that its shadow is one of the derivative's.
 */
#include "rewriters/adjoint/recursion_private.h"

#include "analysis/ir/texture.h"

enum { MOST_CHANNELS = 4 };

typedef struct fetch {
    gw_fetch of;
    gw_value operands[GW_MOST_COORDINATES]; /* in the derivative */
    uint32_t count;
    gw_value g[MOST_CHANNELS]; /* adjoints of its channels; 0: none */
} fetch;

static bool is_channel_of(const gw_func *p, gw_op x, gw_op y) {
    const gw_op_data *a = gw_op_at(p, x), *b = gw_op_at(p, y);
    if (a->code != GW_OP_TEXTURE || a->operands != b->operands) return false;
    const gw_fetch s = gw_fetch_of(a->attr), t = gw_fetch_of(b->attr);
    bool same = s.kind == t.kind && s.channels == t.channels;
    for (uint32_t i = 0; i < a->operands && same; i++)
        same = gw_operand(p, x, i) == gw_operand(p, y, i);
    return same;
}

/* The adjoints of all channels; false where another op of the region, in front of this one, is reversed with
 * them. */
static bool collect_channels(gw_adjoint *a, gw_op op, fetch *t) {
    const gw_func *p = a->primal;
    bool seen = false;
    for (gw_op at = gw_first(p, gw_op_at(p, op)->parent); at; at = gw_next(p, at)) {
        if (!is_channel_of(p, at, op)) continue;
        if (at != op && !seen) return false;
        seen = true;
        const gw_value result = gw_op_at(p, at)->first_result, g = gw_adjoint_of(a, result);
        const uint32_t channel = gw_fetch_of(gw_op_at(p, at)->attr).channel;
        if (g) t->g[channel] = gw_joined(&a->b, GW_OP_ADD, t->g[channel], g);
    }
    return true;
}

static void add_slope(gw_adjoint *a, const fetch *t, gw_value coordinate, uint32_t axis) {
    gw_fetch along = t->of;
    gw_value sum = 0;
    along.axis = axis;
    for (along.channel = 0; along.channel < along.channels; along.channel++) {
        if (!t->g[along.channel]) continue;
        gw_value slope = gw_texture_op(&a->b, GW_OP_TEXTURE_SLOPE, GW_T_F32, along, t->operands, t->count);
        sum = gw_joined(&a->b, GW_OP_ADD, sum, gw_binary(&a->b, GW_OP_MUL, t->g[along.channel], slope));
    }
    if (sum) gw_adjoint_add(a, coordinate, sum);
}

/* if (cell >= 0) d_image.cells[cell + channel] += weight * g, for each channel */
static void add_corner(gw_adjoint *a, const fetch *t, gw_value corner) {
    gw_func *f = a->f;
    gw_builder *b = &a->b;
    gw_value operands[GW_MOST_COORDINATES] = {t->operands[0], corner};
    gw_fetch first = t->of;
    first.channel = 0;
    for (uint32_t i = 1; i < t->count; i++)
        operands[i + 1] = t->operands[i];
    gw_value cell = gw_texture_op(b, GW_OP_TEXTURE_CELL, GW_T_I32, first, operands, t->count + 1);
    gw_value_at(f, cell)->name = gw_intern(f->session, "cell");
    gw_value is_cell = gw_binary(b, GW_OP_GE, cell, gw_int(b, GW_T_I32, 0));
    gw_op branch = gw_emit(b, GW_OP_IF, GW_T_VOID, 0, &is_cell, 1);
    gw_region side[2] = {gw_region_new(f, branch), gw_region_new(f, branch)};
    gw_builder in = {f, side[0], 0, b->loc}, other = {f, side[1], 0, b->loc};
    gw_value weight = gw_texture_op(&in, GW_OP_TEXTURE_WEIGHT, GW_T_F32, first, operands, t->count + 1);
    gw_value_at(f, weight)->name = gw_intern(f->session, "weight");
    for (uint32_t i = 0; i < t->of.channels; i++) {
        gw_value index = gw_binary(&in, GW_OP_ADD, cell, gw_int(&in, GW_T_I32, i));
        if (t->g[i])
            gw_accum(&in, gw_texture_shadow(f, operands[0]), gw_intern(f->session, ".cells[]"), &index, 1,
                     gw_binary(&in, GW_OP_MUL, weight, t->g[i]));
    }
    gw_yield(&in, NULL, 0);
    gw_yield(&other, NULL, 0);
}

static void add_corners(gw_adjoint *a, const fetch *t) {
    const uint32_t corners = gw_texture_rows[t->of.kind].corners;
    gw_value header[3] = {gw_int(&a->b, GW_T_I32, 0), gw_int(&a->b, GW_T_I32, corners),
                          gw_int(&a->b, GW_T_I32, 1)};
    if (corners == 1) {
        add_corner(a, t, header[0]);
        return;
    }
    gw_op loop = gw_emit(&a->b, GW_OP_FOR, GW_T_VOID, 0, header, 3);
    gw_op_at(a->f, loop)->attr = GW_OP_LT;
    gw_region body = gw_region_new(a->f, loop);
    gw_value corner = gw_region_arg(a->f, body, GW_T_I32, gw_intern(a->f->session, "corner"));
    const gw_builder saved = a->b;
    a->b.region = body;
    a->b.before = 0;
    add_corner(a, t, corner);
    gw_yield(&a->b, NULL, 0);
    a->b = saved;
}

void gw_adjoint_texture(gw_adjoint *a, gw_op op) {
    const gw_func *p = a->primal;
    const gw_op_data o = *gw_op_at(p, op);
    fetch t = {.of = gw_fetch_of(o.attr), .count = o.operands};
    bool active = false;
    if (!collect_channels(a, op, &t)) return;
    for (uint32_t i = 0; i < t.of.channels; i++)
        active |= t.g[i] != 0;
    if (!active) return;
    for (uint32_t i = 0; i < o.operands; i++)
        t.operands[i] = gw_adjoint_value(a, gw_operand(p, op, i));
    for (uint32_t i = 0; i < gw_texture_rows[t.of.kind].coordinates; i++) {
        const gw_value coordinate = gw_operand(p, op, 1 + i);
        if (gw_active_value(&a->activity, coordinate)) add_slope(a, &t, coordinate, i);
    }
    if (a->activity.varied_value[gw_operand(p, op, 0)]) add_corners(a, &t);
}
