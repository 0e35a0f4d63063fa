/*
 * frontend/unit/access.c - whether emitted text may access what a function does.
 *
 * A member function's derivative is a free function, and so is that of a function whose calls were inlined:
 * what they reach must be public, or the class must name them as friends.
 */
#include "plugin/frontend/unit_private.h"

#include "analysis/ir/diagnostics.h"
#include "analysis/ir/requests.h"

#include <stdlib.h>
#include <string.h>

typedef struct friends {
    gw_unit *u;
    gw_str wanted;
    bool found;
} friends;

static enum CXChildVisitResult visit_befriended(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    friends *f = data;
    f->found |= gw_front_intern(f->u, clang_getCursorSpelling(c)) == f->wanted;
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult visit_friend(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    if (clang_getCursorKind(c) == CXCursor_FriendDecl) clang_visitChildren(c, visit_befriended, data);
    return CXChildVisit_Continue;
}

static bool is_friend(gw_unit *u, CXCursor class, gw_str name) {
    friends f = {.u = u, .wanted = name};
    clang_visitChildren(class, visit_friend, &f);
    return f.found;
}

/* The derivatives that a request makes, the pullback last; their number. */
static uint32_t made(const gw_session *s, uint32_t request, gw_str *names) {
    const gw_request *r = &s->requests.at[request];
    if (r->kind == GW_REQUEST_SPLIT) {
        names[0] = gw_derived_name(r->func, request, GW_FORM_FWD);
        names[1] = gw_derived_name(r->func, request, GW_FORM_BWD);
        return 2;
    }
    bool forward = gw_request_is_forward(r),
         pullback = !forward && r->func->return_type != GW_T_VOID && !r->dependents.count;
    names[0] = gw_derived_name(r->func, request, forward ? GW_FORM_JVP : GW_FORM_GRAD);
    if (pullback) names[1] = gw_derived_name(r->func, request, GW_FORM_PULLBACK);
    return 1 + pullback;
}

/* The field that a part of a path names, of the type so far; UINT32_MAX if there is no such shape. */
static uint32_t field_of(const gw_unit *u, gw_type t, gw_str name) {
    gw_str key = u->session->types.at[t].name;
    gw_shape s = key < u->shape_by_name.count ? u->shape_by_name.at[key] : 0;
    if (gw_front_shape_kind(u, s) != GW_SHAPE_STRUCT) return UINT32_MAX;
    const gw_shape_data *d = gw_front_shape_at(u, s);
    for (uint32_t i = d->first; i < d->first + d->count; i++)
        if (u->fields.at[i].name == name) return i;
    return UINT32_MAX;
}

/* The first field on the way of an access that not everybody may name; UINT32_MAX: none. */
static uint32_t hidden_field(gw_unit *u, const gw_func *f, gw_object object, const char *path) {
    gw_type t = gw_object_at(f, object)->type;
    if (gw_object_at(f, object)->kind == GW_OBJECT_POINTER && strncmp(path, "[]", 2) == 0) path += 2;
    while (*path) {
        if (*path == '[') {
            t = u->session->types.at[t].element;
            path += strcspn(path, "]") + 1;
            continue;
        }
        size_t n = strcspn(path + 1, ".[");
        uint32_t field = field_of(u, t, gw_intern_n(u->session, path + 1, n));
        if (field == UINT32_MAX) return field;
        enum CX_CXXAccessSpecifier access = clang_getCXXAccessSpecifier(u->fields.at[field].decl);
        if (access == CX_CXXPrivate || access == CX_CXXProtected) return field;
        t = gw_front_ir_type(u, u->fields.at[field].shape);
        path += 1 + n;
    }
    return UINT32_MAX;
}

static bool check(gw_unit *u, const gw_request *r, const gw_str *names, uint32_t count, uint32_t field,
                  gw_loc at) {
    gw_session *s = u->session;
    if (field == UINT32_MAX) return true;
    CXCursor decl = u->fields.at[field].decl, class = clang_getCursorSemanticParent(decl);
    bool allowed = true;
    for (uint32_t i = 0; i < count; i++)
        allowed &= is_friend(u, class, names[i]);
    if (allowed) return true;
    char *all =
        gw_format("%s%s%s", gw_cstr(s, names[0]), count > 1 ? ", " : "", count > 1 ? gw_cstr(s, names[1]) : "");
    gw_diag(s, GW_DIAG_PRIVATE_MEMBER, at, gw_cstr(s, r->function), gw_cstr(s, gw_front_qualified(u, decl)),
            all);
    free(all);
    return false;
}

bool gw_front_check_access(gw_unit *u, uint32_t request) {
    gw_session *s = u->session;
    const gw_request *r = &s->requests.at[request];
    gw_str names[2];
    uint32_t count = made(s, request, names);
    for (gw_op op = 1; op < r->func->ops.count; op++) {
        const gw_op_data *o = gw_op_at(r->func, op);
        if (o->dead || !o->object ||
            (o->code != GW_OP_LOAD && o->code != GW_OP_STORE && o->code != GW_OP_ATOMIC &&
             o->code != GW_OP_ADDRESS))
            continue;
        if (!check(u, r, names, count, hidden_field(u, r->func, o->object, gw_cstr(s, o->path)), o->loc))
            return false;
    }
    for (uint32_t i = 0; i < r->func->params.count; i++) { /* pointers that a program has of a struct */
        const gw_param *p = &r->func->params.at[i];
        const char *path = strchr(gw_cstr(s, p->name), '.');
        if (p->part_of && !check(u, r, names, count, hidden_field(u, r->func, p->part_of, path), p->loc))
            return false;
    }
    return true;
}
