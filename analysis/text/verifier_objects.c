/*
 * verifier_objects.c - rules for the objects, parameters and assumptions of a function: each pointer and
 * by-value struct is one parameter's, each argument of the body is one parameter's, shadows and adjoint
 * parameters name something of the right kind. Requires that the links hold.
 */
#include "analysis/text/verifier_private.h"

#include "analysis/ir/words.h"

#include <stdlib.h>

static bool check_object(gw_rules *r, gw_object o) {
    const gw_object_data *d = gw_object_at(r->f, o);
    const char *name = gw_cstr(r->f->session, d->name);
    if ((unsigned)d->kind >= GW_COUNT_OF(gw_object_words) || d->type == GW_T_VOID ||
        d->type >= r->f->session->types.count)
        return gw_rule_broken(r, 0, "object '%s' has no type", name);
    if (d->shadow_of >= o)
        return gw_rule_broken(r, 0, "object '%s' is not the shadow of an earlier object", name);
    if (d->kind == GW_OBJECT_TAPE && d->type >= GW_T_SCALARS)
        return gw_rule_broken(r, 0, "tape '%s' does not hold scalars", name);
    if (d->kind == GW_OBJECT_LOCAL && gw_type_has_pointer(r->f->session, d->type))
        return gw_rule_broken(r, 0, "local object '%s' holds a pointer", name);
    if (d->zeroed && d->kind != GW_OBJECT_LOCAL)
        return gw_rule_broken(r, 0, "object '%s' is zeroed but not local", name);
    if (d->in_array && d->kind != GW_OBJECT_TAPE)
        return gw_rule_broken(r, 0, "object '%s' is in an array but no slot of the tape", name);
    if (d->in_step && d->kind != GW_OBJECT_SHARED)
        return gw_rule_broken(r, 0, "object '%s' is in step but not shared", name);
    if (d->sized && d->kind != GW_OBJECT_LOCAL && d->kind != GW_OBJECT_SHARED)
        return gw_rule_broken(r, 0, "object '%s' is sized but neither local nor shared", name);
    if (d->kind == GW_OBJECT_SHARED &&
        (r->f->kind != GW_FUNC_KERNEL || gw_type_has_pointer(r->f->session, d->type)))
        return gw_rule_broken(r, 0, "shared object '%s' is not a kernel's, or holds a pointer", name);
    return true;
}

static bool check_adjoint(gw_rules *r, const gw_param *p) {
    const gw_func *primal = r->f->primal;
    const char *name = gw_cstr(r->f->session, p->name);
    if (p->tangent_of > r->f->params.count)
        return gw_rule_broken(r, 0, "parameter '%s' is the tangent of no parameter", name);
    if (!p->is_adjoint) return true;
    if (!primal) return gw_rule_broken(r, 0, "parameter '%s' is an adjoint, and there is no primal", name);
    return p->primal_index == UINT32_MAX || p->primal_index < primal->params.count ||
           gw_rule_broken(r, 0, "parameter '%s' is the adjoint of no parameter of the primal", name);
}

/* `of_object`, `of_argument`: how many parameters each belongs to. */
static bool check_param(gw_rules *r, const gw_param *p, uint32_t *of_object, uint32_t *of_argument) {
    const gw_func *f = r->f;
    const char *name = gw_cstr(f->session, p->name);
    if (!p->value == !p->object)
        return gw_rule_broken(r, 0, "parameter '%s' is not either a value or an object", name);
    if (p->object) {
        if (p->object >= f->objects.count) return gw_rule_broken(r, 0, "parameter '%s' has no object", name);
        gw_object_kind kind = gw_object_at(f, p->object)->kind;
        if (kind != GW_OBJECT_POINTER && kind != GW_OBJECT_STRUCT &&
            !(kind == GW_OBJECT_GLOBAL && p->is_global))
            return gw_rule_broken(r, 0, "parameter '%s' is a %s object", name, gw_object_words[kind]);
        of_object[p->object]++;
    } else {
        if (p->value >= f->values.count || gw_value_at(f, p->value)->region != f->entry)
            return gw_rule_broken(r, 0, "parameter '%s' is no argument of the body", name);
        of_argument[gw_value_at(f, p->value)->index]++;
    }
    bool contains = p->size_of < f->objects.count &&
                    gw_object_at(f, p->size_of)->is_container == !p->size_path;
    if (p->size_of && (!p->value || !contains))
        return gw_rule_broken(r, 0, "parameter '%s' is the size of no container", name);
    if (p->part_of && (p->part_of >= f->objects.count || !p->value || gw_typeof(f, p->value) != GW_T_ADDRESS))
        return gw_rule_broken(r, 0, "parameter '%s' is no address in a struct", name);
    if (p->is_vector && (!p->value || gw_typeof(f, p->value) != GW_T_ADDRESS))
        return gw_rule_broken(r, 0, "parameter '%s' is a vector but no address", name);
    if (p->count_of && (!p->value || p->count_of > f->params.count || !f->params.at[p->count_of - 1].is_vector))
        return gw_rule_broken(r, 0, "parameter '%s' is the size of no vector", name);
    if (p->is_handle && (!p->value || gw_typeof(f, p->value) != GW_T_ADDRESS))
        return gw_rule_broken(r, 0, "parameter '%s' is a handle but no address", name);
    if (p->is_texture && (!p->value || gw_typeof(f, p->value) != GW_T_U64))
        return gw_rule_broken(r, 0, "parameter '%s' is a texture but no u64", name);
    if (p->is_result && (!p->object || gw_object_at(f, p->object)->kind != GW_OBJECT_STRUCT || f->return_type))
        return gw_rule_broken(r, 0, "parameter '%s' is no returned struct", name);
    return check_adjoint(r, p);
}

static bool check_counts(gw_rules *r, const uint32_t *of_object, const uint32_t *of_argument) {
    const gw_func *f = r->f;
    for (gw_object o = 1; o < f->objects.count; o++) {
        gw_object_kind kind = gw_object_at(f, o)->kind;
        if ((kind == GW_OBJECT_POINTER || kind == GW_OBJECT_STRUCT) && of_object[o] != 1)
            return gw_rule_broken(r, 0, "object '%s' belongs to %u parameters",
                                  gw_cstr(f->session, gw_object_at(f, o)->name), of_object[o]);
    }
    for (uint32_t i = 0; i < gw_region_at(f, f->entry)->args; i++)
        if (of_argument[i] != 1)
            return gw_rule_broken(r, 0, "argument %u of the body belongs to %u parameters", i, of_argument[i]);
    return true;
}

bool gw_verify_objects(gw_rules *r) {
    const gw_func *f = r->f;
    for (gw_object o = 1; o < f->objects.count; o++)
        if (!check_object(r, o)) return false;
    if (f->return_type >= GW_T_SCALARS || gw_type_is_half(f->return_type))
        return gw_rule_broken(r, 0, "it does not return a scalar");
    if (f->form != GW_FORM_PRIMAL && (!f->primal || f->request >= f->session->requests.count))
        return gw_rule_broken(r, 0, "a derivative has a primal and a request");
    for (uint32_t i = 0; i < f->assumptions.count; i++)
        if (f->assumptions.at[i].index >= f->assumptions.count)
            return gw_rule_broken(r, 0, "assumption %u is no operand of its ret", f->assumptions.at[i].index);
    uint32_t *of_object = gw_alloc(f->objects.count * sizeof *of_object);
    uint32_t *of_argument = gw_alloc(gw_region_at(f, f->entry)->args * sizeof *of_argument);
    bool ok = true;
    for (uint32_t i = 0; i < f->params.count && ok; i++)
        ok = check_param(r, &f->params.at[i], of_object, of_argument);
    ok = ok && check_counts(r, of_object, of_argument);
    free(of_object);
    free(of_argument);
    return ok;
}
