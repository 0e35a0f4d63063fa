/*
 * frontend/request/access.c - whether emitted text may access what a function does.
 *
 * A member function's derivative is a free function, and so is that of a function whose calls were inlined:
 * what they reach must be public, or the class must name them as friends.
 */
#include "plugin/frontend/request/request.h"
#include "plugin/frontend/type/type.h"

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

/* ---- what may be named ---- */
typedef struct asker {
    gw_unit *u;
    gw_str names[2]; /* the functions that name it */
    uint32_t count;
} asker;

static bool befriends(const asker *a, CXCursor class) {
    bool all = true;
    for (uint32_t i = 0; i < a->count; i++)
        all &= is_friend(a->u, class, a->names[i]);
    return all;
}

/* A member of `class`, or a base class that it has. What is protected, friends of a derived class reach too. */
static bool is_open(const asker *a, CXCursor decl, CXCursor class, CXCursor derived) {
    const enum CX_CXXAccessSpecifier access = clang_getCXXAccessSpecifier(decl);
    if (!gw_front_is_closed(decl)) return true;
    if (clang_getCursorKind(decl) == CXCursor_CXXBaseSpecifier || gw_front_can_open(a->u, decl)) return true;
    if (befriends(a, class)) return true;
    return access == CX_CXXProtected && !clang_Cursor_isNull(derived) && befriends(a, derived);
}

/* The field that a part of a path names, in the struct or a base class; UINT32_MAX if there is no such one. */
static uint32_t find_field(const asker *a, gw_shape s, gw_str name, CXCursor derived, bool *open) {
    gw_unit *u = a->u;
    if (gw_front_shape_kind(u, s) != GW_SHAPE_STRUCT) return UINT32_MAX;
    const gw_shape_data d = *gw_front_shape_at(u, s);
    CXCursor class = clang_getCursorDefinition(clang_getTypeDeclaration(d.clang));
    for (uint32_t i = d.first; i < d.first + d.count; i++) {
        const gw_shape_field *f = &u->fields.at[i];
        const uint32_t inner = f->is_base ? find_field(a, f->shape, name, class, open) : UINT32_MAX;
        if (inner == UINT32_MAX && (f->is_base || f->name != name)) continue;
        *open &= is_open(a, f->decl, f->is_base ? class : clang_getCursorSemanticParent(f->decl), derived);
        return f->is_base ? inner : i;
    }
    return UINT32_MAX;
}

static gw_shape shape_of(const gw_unit *u, gw_type t) {
    const gw_str key = u->session->types.at[t].name;
    return key < u->shape_by_name.count ? u->shape_by_name.at[key] : 0;
}

/* The first field on the way of an access that the functions may not name; UINT32_MAX: none. */
static uint32_t hidden_field(const asker *a, const gw_func *f, gw_object object, const char *path) {
    gw_unit *u = a->u;
    gw_type t = gw_object_at(f, object)->type;
    if (gw_object_at(f, object)->kind == GW_OBJECT_POINTER && strncmp(path, "[]", 2) == 0) path += 2;
    while (*path) {
        if (*path == '[') {
            t = u->session->types.at[t].element;
            path += strcspn(path, "]") + 1;
            continue;
        }
        size_t n = strcspn(path + 1, ".[");
        bool open = true;
        uint32_t field = find_field(a, shape_of(u, t), gw_intern_n(u->session, path + 1, n),
                                    clang_getNullCursor(), &open);
        if (field == UINT32_MAX || !open) return field;
        t = gw_front_ir_type(u, u->fields.at[field].shape);
        path += 1 + n;
    }
    return UINT32_MAX;
}

static bool check(const asker *a, const gw_request *r, uint32_t field, gw_loc at) {
    gw_session *s = a->u->session;
    if (field == UINT32_MAX) return true;
    CXCursor decl = a->u->fields.at[field].decl;
    char *all = gw_format("%s%s%s", gw_cstr(s, a->names[0]), a->count > 1 ? ", " : "",
                          a->count > 1 ? gw_cstr(s, a->names[1]) : "");
    gw_diag(s, GW_DIAG_PRIVATE_MEMBER, at, gw_cstr(s, r->function), gw_cstr(s, gw_front_qualified(a->u, decl)),
            all);
    free(all);
    return false;
}

bool gw_front_check_access(gw_unit *u, uint32_t request) {
    gw_session *s = u->session;
    const gw_request *r = &s->requests.at[request];
    asker a = {.u = u};
    a.count = made(s, request, a.names);
    for (gw_op op = 1; op < r->func->ops.count; op++) {
        const gw_op_data *o = gw_op_at(r->func, op);
        if (o->dead || !o->object ||
            (o->code != GW_OP_LOAD && o->code != GW_OP_STORE && o->code != GW_OP_ATOMIC &&
             o->code != GW_OP_ADDRESS))
            continue;
        if (!check(&a, r, hidden_field(&a, r->func, o->object, gw_cstr(s, o->path)), o->loc)) return false;
    }
    for (uint32_t i = 0; i < r->func->params.count; i++) { /* pointers that a program has of a struct */
        const gw_param *p = &r->func->params.at[i];
        const char *path = strchr(gw_cstr(s, p->name), '.');
        if (p->part_of && !check(&a, r, hidden_field(&a, r->func, p->part_of, path), p->loc)) return false;
    }
    return true;
}
