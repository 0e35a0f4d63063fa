/*
 * promises.c - finds what was stated of an object (contract: facts.h). Promises are kept with the primal;
 * objects are found by name, since a derivative has objects of its own for the primal's parameters.
 */
#include "analysis/facts/facts.h"

#include <stdlib.h>

/* The object's name and the path's members, without the last "[]" and the field: "d.list" for d's ".list[]". */
static bool has_name(const gw_func *f, const char *name, gw_object o, const char *path, const char *field) {
    const char *own = gw_cstr(f->session, gw_object_at(f, o)->name);
    size_t n = strlen(own), length = strlen(path), tail = 2 + strlen(field);
    if (length < tail || strncmp(path + length - tail, "[]", 2) != 0 ||
        strcmp(path + length - strlen(field), field) != 0)
        return false;
    if (strncmp(name, own, n) != 0) return false;
    name += n;
    if (length > tail && strncmp(path, "[]", 2) == 0) path += 2, length -= 2; /* d->list */
    return strlen(name) == length - tail && strncmp(name, path, length - tail) == 0;
}

bool gw_promise_names(const gw_func *f, const gw_promise *p, gw_object o, gw_str path, const char *field) {
    return has_name(f, gw_cstr(f->session, p->name), o, gw_cstr(f->session, path), field);
}

bool gw_promised(const gw_func *f, uint32_t kind, gw_object o, gw_str path, const char *field) {
    const gw_func *of = f->primal ? f->primal : f;
    for (uint32_t i = 0; i < of->promises.count; i++) {
        const gw_promise *p = &of->promises.at[i];
        if (p->kind == kind && gw_promise_names(f, p, o, path, field)) return true;
    }
    return false;
}
