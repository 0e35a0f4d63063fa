/*
 * object.c - whose an object is (contract: ownership.h).
 */
#include "analysis/ownership/ownership.h"

bool gw_ownership_is_adjoint(const gw_func *f, gw_object o) {
    if (!o || gw_object_at(f, o)->shadow_of) return o != 0;
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].object == o) return f->params.at[i].is_adjoint;
    return false;
}
