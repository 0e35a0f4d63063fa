/* index_text.h - integer values, references and polynomials as a user would write them. */
#ifndef GW_INDEX_TEXT_H
#define GW_INDEX_TEXT_H
#include "analysis/prove/normal_form.h"

/* User's names where values have them; what cannot be spelled is "...". */
void gw_index_text(const gw_func *f, gw_value v, gw_text *out);
/* name[i*k + j].x of a memory op, under the object's name or another. */
void gw_reference_text(const gw_func *f, gw_op op, gw_str name, gw_text *out);
void gw_poly_text(const gw_normal *n, const gw_poly *p, gw_text *out);
#endif
