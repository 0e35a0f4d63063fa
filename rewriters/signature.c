/* signature.c - roles and signatures of derivatives (contract: signature.h). */
#include "signature.h"

#include <stdlib.h>

bool gw_signature_names(const gw_str *list, uint32_t count, gw_str name) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == name) return true;
    return false;
}

bool gw_signature_has(const gw_func *f, gw_opcode code, gw_object o) {
    for (gw_op op = 1; o && op < f->ops.count; op++)
        if (!gw_op_at(f, op)->dead && gw_op_at(f, op)->code == code && gw_op_at(f, op)->object == o) return true;
    return false;
}

void gw_roles_find(const gw_func *p, const gw_request *q, gw_roles *r) {
    r->independent = gw_alloc(p->params.count + 1);
    r->dependent = gw_alloc(p->params.count + 1);
    r->returned = q->dependents.count == 0;
    for (uint32_t i = 0; i < p->params.count; i++) {
        const gw_param *x = &p->params.at[i];
        r->independent[i] = gw_signature_names(q->independents.at, q->independents.count, x->name);
        r->dependent[i] = gw_signature_names(q->dependents.at, q->dependents.count, x->name);
        r->dependent[i] |= r->independent[i] && gw_signature_has(p, GW_OP_STORE, x->object);
        r->independent[i] |= r->dependent[i] && gw_signature_has(p, GW_OP_LOAD, x->object);
    }
}

void gw_roles_free(gw_roles *r) {
    free(r->independent);
    free(r->dependent);
}

gw_str gw_signature_prefixed(gw_session *s, const char *prefix, gw_str name) {
    char *text = gw_format("%s%s", prefix, gw_cstr(s, name));
    gw_str made = gw_intern(s, text);
    free(text);
    return made;
}

void gw_signature_copy(gw_cloner *c, gw_func *to) {
    for (gw_object o = 1; o < c->from->objects.count; o++) {
        gw_push(&to->objects, *gw_object_at(c->from, o));
        gw_map_set(&c->objects, o, to->objects.count - 1);
    }
    for (uint32_t i = 0; i < c->from->params.count; i++) {
        gw_param p = c->from->params.at[i];
        if (p.value) {
            gw_value v = gw_region_arg(to, to->entry, gw_typeof(c->from, p.value), p.name);
            gw_map_set(&c->values, p.value, v);
            p.value = v;
        }
        if (p.object) p.object = gw_clone_object(c, p.object);
        gw_push(&to->params, p);
    }
}

bool gw_signature_check(const gw_activity *a, const gw_value_map *shadow) {
    const gw_func *p = a->f;
    bool good = true;
    for (gw_op op = 1; op < p->ops.count; op++) {
        const gw_op_data *o = gw_op_at(p, op);
        if (o->dead || o->code != GW_OP_LOAD || gw_object_at(p, o->object)->kind == GW_OBJECT_LOCAL) continue;
        if (!gw_active_object(a, o->object) || gw_map_get(shadow, o->object)) continue;
        if (!gw_active_value(a, o->first_result)) continue;
        gw_diag(p->session, GW_DIAG_ACTIVE_GLOBAL, o->loc, gw_cstr(p->session, gw_object_at(p, o->object)->name));
        good = false;
    }
    return good;
}

void gw_signature_warn_unused(const gw_activity *a, const gw_request *q) {
    const gw_func *p = a->f;
    for (uint32_t i = 0; i < p->params.count; i++) {
        const gw_param *x = &p->params.at[i];
        bool useful = x->value ? a->useful_value[x->value] : a->useful_object[x->object];
        if (useful || !gw_signature_names(q->independents.at, q->independents.count, x->name)) continue;
        const char *output = q->dependents.count ? gw_cstr(p->session, q->dependents.at[0]) : "the returned value";
        gw_diag(p->session, GW_DIAG_INPUT_NOT_USED, q->loc, output, gw_cstr(p->session, x->name));
    }
}
