/* formula.h - partial derivatives from deriv.def as IR. */
#ifndef GW_FORMULA_H
#define GW_FORMULA_H
#include "analysis/ir/ir.h"

/* Values that the letters of a formula stand for; 0 where unused. */
typedef struct gw_formula_values {
    gw_value operand[4], result, seed;
    gw_opcode known; /* a function of operand 0 whose value is known */
    gw_value known_value;
    gw_value divisor, reciprocal; /* a value by which others divide too, and 1 / it */
} gw_formula_values;

/* Formula of (op, operand), or NULL where the derivative is zero. */
const char *gw_formula(gw_opcode code, uint32_t operand);
/* Whether it reads the value that a letter stands for. */
bool gw_formula_reads(const char *formula, char letter);
/* Builds it; `flags` are those of the op (FAST is kept where a fast function exists). */
gw_value gw_formula_build(gw_builder *b, const char *formula, const gw_formula_values *v, gw_type type, uint16_t flags);
/* Whether a spelling exists for this op, type and precision (intrin.def). */
bool gw_intrinsic_exists(gw_opcode code, gw_type type, bool fast);
#endif
