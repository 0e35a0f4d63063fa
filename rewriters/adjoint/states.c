/*
 * adjoint/states.c - values that travel backward through reverse loops and branches as adjoints do: what an
 * undone update makes of a carried value (adjoint/nest/invert.c), and how many iterations of a nest came before
 * (adjoint/nest_reverse.c).
 *
 * A state stands in gw_adjoint.adjoint under a key that no primal value has. The reverse of a loop carries it,
 * and the reverse of a branch yields it, if something inside may change it, by the same code that does so for
 * adjoints of outer values.
 */
#include "rewriters/adjoint/adjoint_private.h"

#include <stdlib.h>

gw_value gw_adjoint_add_state(gw_adjoint *a, gw_op loop, gw_op inner, gw_type type, gw_str name,
                              gw_value start) {
    gw_value key = a->primal->values.count + ++a->state_keys;
    gw_push(&a->states, ((gw_state){key, loop, inner, type, name}));
    gw_map_set(&a->adjoint, key, start);
    return key;
}

void gw_adjoint_drop_states(gw_adjoint *a, gw_op loop) {
    while (a->states.count && a->states.at[a->states.count - 1].loop == loop) a->states.count--;
}

static bool contains(const gw_func *p, gw_op op, gw_op inner) {
    for (gw_region r = gw_op_at(p, inner)->parent; r; r = gw_region_outside(p, r)) {
        if (gw_region_at(p, r)->parent == op) return true;
        if (!gw_region_at(p, r)->parent) return false;
    }
    return false;
}

void gw_adjoint_collect_states(const gw_adjoint *a, gw_op op, gw_value_list *list) {
    for (uint32_t i = 0; i < a->states.count; i++) {
        const gw_state *s = &a->states.at[i];
        if (op == s->loop || op == s->inner || gw_adjoint_resumes_in(a, op, s->key) ||
            contains(a->primal, op, s->inner))
            gw_push(list, s->key);
    }
}

static const gw_state *state_of(const gw_adjoint *a, gw_value key) {
    for (uint32_t i = 0; i < a->states.count; i++)
        if (a->states.at[i].key == key) return &a->states.at[i];
    return NULL;
}

gw_type gw_adjoint_type(const gw_adjoint *a, gw_value v) {
    const gw_state *s = state_of(a, v);
    return s ? s->type : gw_typeof(a->primal, v);
}

gw_str gw_adjoint_name(gw_adjoint *a, gw_value v) {
    const gw_state *s = state_of(a, v);
    gw_str name = s ? s->name : gw_value_at(a->primal, v)->name;
    if (s || !name) return name;
    char *text = gw_format("d_%s", gw_cstr(a->f->session, name));
    gw_str made = gw_intern(a->f->session, text);
    free(text);
    return made;
}

/* The first of those that are about the same region as the last. */
uint32_t gw_adjoint_first_resume(const gw_adjoint *a) {
    uint32_t i = a->resumes.count;
    while (i && a->resumes.at[i - 1].region == a->resumes.at[a->resumes.count - 1].region)
        i--;
    return i;
}

bool gw_adjoint_resumes_in(const gw_adjoint *a, gw_op branch, gw_value key) {
    for (uint32_t i = gw_adjoint_first_resume(a); i < a->resumes.count; i++)
        if (a->resumes.at[i].branch == branch && a->resumes.at[i].key == key) return true;
    return false;
}
