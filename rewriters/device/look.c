/*
 * look.c - the parts of a warp's look at 32 iterations (contract: look_private.h).
 */
#include "rewriters/device/look_private.h"

#include "analysis/ir/warp.h"

gw_value gw_look_named(gw_func *f, gw_value v, const char *name) {
    if (gw_value_at(f, v)->op && !gw_value_at(f, v)->name)
        gw_value_at(f, v)->name = gw_intern(f->session, name);
    return v;
}

static gw_value warp(gw_builder *b, gw_value lanes, gw_warp kind, gw_type type, gw_value v) {
    gw_value operands[] = {lanes, v};
    gw_op op = gw_emit(b, GW_OP_WARP, type, 1, operands, v ? 2 : 0);
    gw_op_at(b->f, op)->attr = (uint16_t)kind;
    return gw_result(b->f, op, 0);
}

gw_value gw_look_lane(gw_builder *b) {
    return gw_look_named(b->f, warp(b, 0, GW_WARP_LANE, GW_T_U32, 0), "lane");
}

gw_value gw_look_most(gw_builder *b, gw_value lanes, gw_value v) {
    return warp(b, lanes, GW_WARP_MOST, GW_T_I32, v);
}

gw_value gw_look_saying(gw_builder *b, gw_value lanes, gw_value says, const char *name) {
    return gw_look_named(b->f, warp(b, lanes, GW_WARP_SAYING, GW_T_U32, gw_cast(b, GW_T_I32, says)), name);
}

gw_value gw_look_may(gw_spans *spans, gw_value possible, gw_value there) {
    gw_builder *b = spans->b;
    if (!possible || !spans->doubt) return 0;
    gw_value known = gw_pure(b, GW_OP_ISFINITE, GW_T_BOOL, 0, &spans->doubt, 1);
    gw_value may = gw_binary(b, GW_OP_OR, possible, gw_unary(b, GW_OP_NOT, known));
    return gw_binary(b, GW_OP_AND, there, gw_look_named(b->f, may, "may"));
}

gw_value gw_look_candidates(gw_builder *b, gw_value lanes, gw_value said, gw_value behind) {
    gw_value top = gw_binary(b, GW_OP_IMIN, behind, gw_int(b, GW_T_U32, GW_LOOK_LANES - 1));
    gw_value all =
        gw_binary(b, GW_OP_SUB, gw_binary(b, GW_OP_SHL, gw_int(b, GW_T_U32, 2), top), gw_int(b, GW_T_U32, 1));
    return gw_binary(b, GW_OP_OR, said, gw_binary(b, GW_OP_AND, gw_unary(b, GW_OP_NOT, lanes), all));
}

static gw_builder open_region(const gw_look_loop *n, gw_builder *b, gw_type first, gw_str name,
                              const gw_value *args, uint32_t count) {
    gw_func *f = b->f;
    const gw_region r = gw_region_new(f, n->op);
    gw_region_arg(f, r, first, name);
    for (uint32_t i = 0; i < count; i++)
        gw_region_arg(f, r, gw_typeof(f, args[i]), gw_value_at(f, args[i])->name);
    return (gw_builder){f, r, 0, b->loc};
}

gw_look_loop gw_look_open(gw_builder *b, gw_value first, const char *name, const gw_value *carried,
                          const gw_value *args, uint32_t count) {
    gw_func *f = b->f;
    gw_str word = gw_intern(f->session, name);
    GW_VEC(gw_value) values = {0};
    gw_push(&values, first);
    for (uint32_t i = 0; i < count; i++)
        gw_push(&values, carried[i]);
    gw_look_loop n = {.op = gw_emit(b, GW_OP_WHILE, GW_T_VOID, 0, values.at, values.count)};
    gw_op_add_result(f, n.op, gw_typeof(f, first), word);
    for (uint32_t i = 0; i < count; i++)
        gw_op_add_result(f, n.op, gw_typeof(f, args[i]), gw_value_at(f, args[i])->name);
    n.test = open_region(&n, b, gw_typeof(f, first), word, args, count);
    n.in = open_region(&n, b, gw_typeof(f, first), word, args, count);
    gw_vec_free(&values);
    return n;
}

gw_value gw_look_any(gw_builder *test) {
    return gw_binary(test, GW_OP_NE, gw_arg(test->f, test->region, 0), gw_int(test, GW_T_U32, 0));
}

gw_value gw_look_bit(gw_builder *b, gw_value candidates) {
    gw_value lowest = gw_unary(b, GW_OP_FFS, gw_cast(b, GW_T_I32, candidates));
    return gw_binary(b, GW_OP_SUB, lowest, gw_int(b, GW_T_I32, 1));
}

gw_value gw_look_rest(gw_builder *b, gw_value candidates) {
    gw_value lower = gw_binary(b, GW_OP_SUB, candidates, gw_int(b, GW_T_U32, 1));
    return gw_binary(b, GW_OP_AND, candidates, lower);
}
