/* builder.h - a part of ir.h: making functions, ops and values (builder.c, fold.c). */
#ifndef GW_BUILDER_H
#define GW_BUILDER_H
#include "analysis/ir/ir.h"
#ifdef __cplusplus
extern "C" {
#endif

/* New ops go to the end of b.region, or before b.before if that is set. */
typedef struct gw_builder {
    gw_func *f;
    gw_region region;
    gw_op before;
    gw_loc loc;
} gw_builder;

gw_func *gw_func_new(gw_session *s, const char *name, gw_func_kind kind); /* adds it to s->funcs */
void gw_func_free(gw_func *f); /* one that is in no session's list */
gw_func *gw_func_copy(const gw_func *f); /* with the same handles; in no session's list */
gw_func *gw_func_find(const gw_session *s, gw_str symbol);
/* The function of that form which belongs to the derivative: its bound, its launch check; NULL if there is
 * none. */
gw_func *gw_companion(const gw_func *derivative, gw_form form);
const gw_rule *gw_rule_find(const gw_session *s, gw_str function); /* NULL if there is none */
gw_object gw_object_new(gw_func *f, gw_object_kind kind, gw_str name, gw_type type);
gw_region gw_region_new(gw_func *f, gw_op parent);
/* Adds an argument; all arguments of a region must be added in one go (consecutive values). */
gw_value gw_region_arg(gw_func *f, gw_region r, gw_type type, gw_str name);
/* Raw op: operands copied, `results` new values of `type`, appended at the builder's place. No folding. */
gw_op gw_emit(gw_builder *b, gw_opcode code, gw_type type, uint32_t results, const gw_value *operands,
              uint32_t count);
void gw_op_set_operands(gw_func *f, gw_op op, const gw_value *operands, uint32_t count);
/* Results of an op with regions: types one by one. Only for an op whose results were made last. */
gw_value gw_op_add_result(gw_func *f, gw_op op, gw_type type, gw_str name);

/* Values, folded: constants, x+0, x*1, casts to the same type, select of equal values. */
gw_value gw_int(gw_builder *b, gw_type type, int64_t value);
gw_value gw_real(gw_builder *b, gw_type type, double value);
gw_value gw_zero(gw_builder *b, gw_type type); /* of any scalar type */
gw_value gw_special_value(gw_builder *b, gw_special kind, unsigned axis); /* u32 */
gw_value gw_unary(gw_builder *b, gw_opcode code, gw_value a);
gw_value gw_binary(gw_builder *b, gw_opcode code, gw_value a, gw_value c);
gw_value gw_joined(gw_builder *b, gw_opcode code, gw_value a, gw_value c); /* one may be 0: then the other */
/* of integers of that type, as CONST keeps them */
bool gw_holds(gw_opcode comparison, gw_type t, int64_t x, int64_t y);
gw_value gw_pure(gw_builder *b, gw_opcode code, gw_type type, uint16_t flags, const gw_value *operands,
                 uint32_t count);
double gw_round_half(gw_type type, double x); /* to what the type holds */
gw_value gw_cast(gw_builder *b, gw_type type, gw_value a);
gw_value gw_bits(gw_builder *b, gw_type type, gw_value a); /* of a type of the same size */
const char *gw_bits_spelling(gw_type from, gw_type to);    /* of CUDA; NULL: there is none */
gw_value gw_select(gw_builder *b, gw_value c, gw_value x, gw_value y);
/* A fetch, or what belongs to one; operands: the object, of one corner its number, coordinates, the layer. */
enum { GW_MOST_COORDINATES = 6 }; /* operands */
gw_value gw_texture_op(gw_builder *b, gw_opcode code, gw_type type, gw_fetch fetch, const gw_value *operands,
                       uint32_t count);
gw_value gw_load(gw_builder *b, gw_object o, gw_str path, const gw_value *idx, uint32_t n);
gw_op gw_store(gw_builder *b, gw_object o, gw_str path, const gw_value *idx, uint32_t n, gw_value value);
gw_op gw_accum(gw_builder *b, gw_object o, gw_str path, const gw_value *idx, uint32_t n, gw_value value);
gw_value gw_address(gw_builder *b, gw_object o, gw_str path, const gw_value *idx, uint32_t n, uint16_t flags);
void gw_yield(gw_builder *b, const gw_value *values, uint32_t n);

#ifdef __cplusplus
}
#endif
#endif
