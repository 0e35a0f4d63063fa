/*
 * differences.c - functions whose derivatives are central differences (contract: differences.h).
 *
 * The error of (f(x + h) - f(x - h)) / 2h is one of h^2 and one of epsilon / h, which are alike where h is the
 * cube root of epsilon; h is that part of |x|, or of 1 where x is smaller.
 */
#include "analysis/ir/differences.h"

#include "analysis/ir/words.h"

#include <string.h>

static const struct {
    gw_type type;
    const char *epsilon, *root;
} types[] = {
    {GW_T_F32, "FLT_EPSILON", "4.9215666011518475e-03"},
    {GW_T_F64, "DBL_EPSILON", "6.0554544523933437e-06"},
    {GW_T_F80, "LDBL_EPSILON", "4.7683715820312500e-07"},
};

const gw_rule *gw_differences_of(const gw_session *s, gw_str derivative) {
    for (uint32_t i = 0; i < s->rules.count; i++) {
        const gw_rule *r = &s->rules.at[i];
        if ((r->by_pullback && r->pullback == derivative) || (r->by_jvp && r->jvp == derivative)) return r;
    }
    return NULL;
}

gw_type gw_differences_number(const gw_session *s, gw_str type) {
    for (size_t k = 0; k < GW_COUNT_OF(types); k++)
        if (s->types.at[types[k].type].name == type) return types[k].type;
    return GW_T_VOID;
}

static size_t coarsest(const gw_session *s, const gw_rule *r) {
    size_t found = GW_COUNT_OF(types) - 1;
    for (uint32_t i = 0; i <= r->params.count; i++) {
        const bool last = i == r->params.count;
        if (last ? !r->of_result : !r->params.at[i].is_active && !r->params.at[i].extent) continue;
        const gw_type type = gw_differences_number(s, last ? r->status : r->params.at[i].cell);
        for (size_t k = 0; k < found; k++)
            if (types[k].type == type) found = k;
    }
    return found;
}

const char *gw_differences_step(const gw_session *s, const gw_rule *r) {
    return r->step ? gw_cstr(s, r->step) : types[coarsest(s, r)].root;
}

void gw_differences_say(const gw_session *s, const gw_rule *r, gw_text *out) {
    const char *name = gw_cstr(s, r->function);
    gw_text_addf(out, "the derivative of %.*s is central differences of step ", (int)strcspn(name, "'"), name);
    if (r->step)
        gw_text_add(out, gw_cstr(s, r->step));
    else
        gw_text_addf(out, "cbrt(%s)", types[coarsest(s, r)].epsilon);
    gw_text_addf(out, " * max(|x|, 1): GW_NUMERIC(\"%s\")", gw_cstr(s, r->numeric));
}
