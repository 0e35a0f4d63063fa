/*
 * frontend_request.c - requests: reading "C wrt A, B", finding the functions, checking the names.
 *
 * Requests come from annotations of the source and from the command line (they stand in the session already).
 * Two equal requests on one function are one; two different ones are an error.
 */
#include "frontend_unit.h"

#include <ctype.h>
#include <string.h>

static const char prefix[] = "gradwright:";

/* ---- text ---- */
static const char *skip_space(const char *p) {
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

static bool name_start(char c) { return isalpha((unsigned char)c) || c == '_'; }

/* name(.name)*; NULL if there is none at p. */
static const char *skip_name(const char *p) {
    while (name_start(*p)) {
        while (isalnum((unsigned char)*p) || *p == '_')
            p++;
        if (*p != '.') return p;
        p++;
    }
    return NULL;
}

typedef GW_VEC(gw_str) name_list;

/* Reads names up to "wrt" or the end; a message or NULL. */
static const char *read_names(gw_session *s, const char **text, gw_str **at, uint32_t *count) {
    name_list list = {0};
    const char *p = skip_space(*text), *wrong = NULL;
    bool more = false;
    while (!wrong) {
        const char *end = skip_name(p);
        bool wrt = end && end - p == 3 && strncmp(p, "wrt", 3) == 0;
        if ((!*p || wrt) && !more) break;
        if (!end || wrt) {
            wrong = "a name is missing";
            break;
        }
        gw_str name = gw_intern_n(s, p, (size_t)(end - p));
        for (uint32_t i = 0; i < list.count; i++)
            if (list.at[i] == name) wrong = "a name is given twice";
        gw_push(&list, name);
        p = skip_space(end);
        more = *p == ',';
        if (more)
            p = skip_space(p + 1);
        else if (*p && !(strncmp(p, "wrt", 3) == 0 && !name_start(p[3])))
            wrong = "names are separated by commas";
    }
    *text = p;
    *at = list.at;
    *count = list.count;
    return wrong;
}

const char *gw_front_request_parse(gw_session *s, gw_request *request) {
    const char *p = gw_cstr(s, request->text), *wrong;
    gw_vec_free(&request->dependents);
    gw_vec_free(&request->independents);
    wrong = read_names(s, &p, &request->dependents.at, &request->dependents.count);
    request->dependents.room = request->dependents.count;
    if (wrong) return wrong;
    if (strncmp(p, "wrt", 3) != 0) return "it has no 'wrt'";
    p += 3;
    wrong = read_names(s, &p, &request->independents.at, &request->independents.count);
    request->independents.room = request->independents.count;
    if (wrong) return wrong;
    if (*p) return "there is more than one 'wrt'";
    return request->independents.count ? NULL : "no name follows 'wrt'";
}

/* ---- functions ---- */
typedef struct found {
    gw_request_kind kind;
    CXCursor decl; /* canonical */
    gw_str text;
    gw_loc loc;
} found;
typedef struct search {
    gw_unit *u;
    GW_VEC(found) annotated;
    CXCursor function; /* whose attributes are visited */
    gw_str wanted;     /* plain name, for the command line */
    gw_str wanted_qualified;
    gw_cursors matches; /* canonical */
} search;

/* The text of the request in an annotation, and its kind; NULL if it is no request. */
static const char *kind_of(const char *annotation, gw_request_kind *kind) {
    if (strncmp(annotation, prefix, sizeof prefix - 1) != 0) return NULL;
    const char *word = annotation + sizeof prefix - 1;
    for (unsigned k = 0; k < GW_REQUEST_COUNT; k++) {
        size_t n = strlen(gw_request_rows[k].word);
        if (strncmp(word, gw_request_rows[k].word, n) != 0 || word[n] != ':') continue;
        *kind = (gw_request_kind)k;
        return word + n + 1;
    }
    return NULL;
}

static enum CXChildVisitResult visit_attribute(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    search *s = data;
    if (!clang_isAttribute(clang_getCursorKind(c))) return CXChildVisit_Break;
    if (clang_getCursorKind(c) != CXCursor_AnnotateAttr) return CXChildVisit_Continue;
    gw_str text = gw_front_intern(s->u, clang_getCursorSpelling(c));
    const char *p = gw_cstr(s->u->session, text);
    found f = {.decl = clang_getCanonicalCursor(s->function)};
    const char *request = kind_of(p, &f.kind);
    if (!request) return CXChildVisit_Continue;
    f.text = gw_intern(s->u->session, skip_space(request));
    f.loc = gw_front_loc(s->u, clang_getCursorLocation(c));
    gw_push(&s->annotated, f);
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult visit_decl(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    search *s = data;
    switch (clang_getCursorKind(c)) {
    case CXCursor_Namespace:
    case CXCursor_LinkageSpec:
    case CXCursor_StructDecl:
    case CXCursor_ClassDecl:
    case CXCursor_ClassTemplate:
        return clang_Location_isInSystemHeader(clang_getCursorLocation(c)) ? CXChildVisit_Continue
                                                                           : CXChildVisit_Recurse;
    case CXCursor_FunctionDecl:
    case CXCursor_FunctionTemplate:
    case CXCursor_CXXMethod:
        break;
    default:
        return CXChildVisit_Continue;
    }
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(c))) return CXChildVisit_Continue;
    s->function = c;
    if (!s->wanted) {
        if (clang_Cursor_hasAttrs(c)) clang_visitChildren(c, visit_attribute, s);
        return CXChildVisit_Continue;
    }
    if (gw_front_intern(s->u, clang_getCursorSpelling(c)) != s->wanted) return CXChildVisit_Continue;
    bool qualified = s->wanted_qualified == s->wanted || gw_front_qualified(s->u, c) == s->wanted_qualified;
    CXCursor canonical = clang_getCanonicalCursor(c);
    for (uint32_t i = 0; i < s->matches.count; i++)
        qualified &= !clang_equalCursors(s->matches.at[i], canonical);
    if (qualified) gw_push(&s->matches, canonical);
    return CXChildVisit_Continue;
}

static void visit_unit(search *s) {
    clang_visitChildren(clang_getTranslationUnitCursor(s->u->clang), visit_decl, s);
}

/* The function that a command-line request names, or a null cursor after a diagnostic. */
static CXCursor find_by_name(gw_unit *u, const gw_request *r) {
    const char *name = gw_cstr(u->session, r->function), *colon = strrchr(name, ':');
    if (strncmp(name, "::", 2) == 0) name += 2;
    search s = {.u = u, .wanted_qualified = gw_intern(u->session, name)};
    s.wanted = gw_intern(u->session, colon ? colon + 1 : name);
    if (s.wanted) visit_unit(&s);
    CXCursor result = s.matches.count == 1 ? s.matches.at[0] : clang_getNullCursor();
    if (!s.matches.count)
        gw_diag(u->session, GW_DIAG_UNKNOWN_FUNCTION, r->loc, gw_cstr(u->session, r->function));
    if (s.matches.count > 1)
        gw_diag(u->session, GW_DIAG_BAD_REQUEST, r->loc, gw_cstr(u->session, r->text),
                "several functions have the name");
    gw_vec_free(&s.matches);
    return result;
}

/* Whether the function has this request already; says so if it has another one of the kind. */
static bool repeated(gw_unit *u, const gw_cursors *decls, CXCursor decl, const gw_request *wanted) {
    for (uint32_t i = 0; i < decls->count; i++) {
        const gw_request *r = &u->session->requests.at[i];
        if (r->kind != wanted->kind || !clang_equalCursors(decls->at[i], decl)) continue;
        if (r->text == wanted->text) return true;
        gw_str name = gw_front_qualified(u, decl);
        gw_diag(u->session, GW_DIAG_CONFLICTING_REQUEST, wanted->loc, gw_cstr(u->session, name),
                gw_request_rows[r->kind].made);
        return true;
    }
    return false;
}

static bool supported(gw_unit *u, CXCursor decl, gw_loc loc) {
    enum CXCursorKind kind = clang_getCursorKind(decl);
    const char *what = kind == CXCursor_FunctionTemplate ? "a function template"
                       : kind == CXCursor_CXXMethod      ? "a member function"
                                                         : NULL;
    if (what) gw_diag(u->session, GW_DIAG_UNSUPPORTED, loc, what, "request a plain function that calls it");
    return !what;
}

static void add_annotated(gw_unit *u, gw_cursors *decls) {
    gw_session *session = u->session;
    search s = {.u = u};
    visit_unit(&s);
    for (uint32_t i = 0; i < s.annotated.count; i++) {
        found f = s.annotated.at[i];
        gw_request r = {.kind = f.kind, .text = f.text, .loc = f.loc, .from_source = true};
        if (!supported(u, f.decl, f.loc) || repeated(u, decls, f.decl, &r)) continue;
        r.function = gw_front_qualified(u, f.decl);
        gw_push(&session->requests, r);
        gw_push(decls, f.decl);
    }
    gw_vec_free(&s.annotated);
}

void gw_front_request_stubs(gw_unit *u, gw_stubs *out) {
    search s = {.u = u};
    visit_unit(&s);
    for (uint32_t i = 0; i < s.annotated.count; i++) {
        CXCursor decl = s.annotated.at[i].decl;
        gw_stub stub = {.kind = gw_front_function_kind(u, decl)};
        const char *name = gw_cstr(u->session, gw_front_qualified(u, decl)), *colon = strrchr(name, ':');
        stub.name = gw_intern(u->session, colon ? colon + 1 : name);
        stub.space = gw_intern_n(u->session, name, colon ? (size_t)(colon - 1 - name) : 0);
        gw_front_stub_add(out, stub);
    }
    gw_vec_free(&s.annotated);
}

/* Requests of the command line first: they are bound, and repetitions of them dropped. */
static void bind_given(gw_unit *u, gw_cursors *decls) {
    gw_session *session = u->session;
    uint32_t given = session->requests.count;
    session->requests.count = 0;
    for (uint32_t i = 0; i < given; i++) {
        gw_request r = session->requests.at[i];
        CXCursor decl = find_by_name(u, &r);
        bool keep =
            !clang_Cursor_isNull(decl) && supported(u, decl, r.loc) && !repeated(u, decls, decl, &r);
        if (keep) {
            r.function = gw_front_qualified(u, decl);
            session->requests.at[session->requests.count++] = r;
            gw_push(decls, decl);
        } else {
            gw_vec_free(&r.dependents);
            gw_vec_free(&r.independents);
        }
    }
}

bool gw_front_request_bind(gw_unit *u, gw_cursors *definitions) {
    gw_session *s = u->session;
    gw_cursors decls = {0};
    bind_given(u, &decls);
    add_annotated(u, &decls);
    for (uint32_t i = 0; i < decls.count; i++) {
        gw_request *r = &s->requests.at[i];
        CXCursor definition = clang_getCursorDefinition(decls.at[i]);
        const char *wrong = gw_front_request_parse(s, r);
        if (wrong) gw_diag(s, GW_DIAG_BAD_REQUEST, r->loc, gw_cstr(s, r->text), wrong);
        if (clang_Cursor_isNull(definition)) gw_diag(s, GW_DIAG_NO_BODY, r->loc, gw_cstr(s, r->function));
        gw_push(definitions, definition);
    }
    if (!decls.count && !s->failed) gw_diag(s, GW_DIAG_NO_REQUEST, (gw_loc){0}, u->run->source);
    gw_vec_free(&decls);
    return !s->failed;
}

/* ---- names ---- */
/* What a name stands for: the cells of arrays and behind pointers. */
static gw_shape cell_shape(gw_unit *u, gw_shape s) {
    enum { DEEPEST = 16 };
    for (int depth = 0; depth < DEEPEST; depth++) {
        gw_shape_kind kind = gw_front_shape_kind(u, s);
        if (kind != GW_SHAPE_POINTER && kind != GW_SHAPE_ARRAY) break;
        s = kind == GW_SHAPE_POINTER ? gw_front_pointee(u, s) : gw_front_shape_at(u, s)->element;
    }
    return s;
}

/* A floating-point cell in it or behind its pointers. */
static bool reaches_float(gw_unit *u, gw_shape s, int depth) {
    gw_shape_data d = *gw_front_shape_at(u, s = cell_shape(u, s));
    if (d.kind == GW_SHAPE_SCALAR) return gw_type_is_float(d.type);
    for (uint32_t i = 0; d.kind == GW_SHAPE_STRUCT && depth && i < d.count; i++)
        if (reaches_float(u, u->fields.at[d.first + i].shape, depth - 1)) return true;
    return false;
}

static bool member_exists(gw_unit *u, gw_shape *shape, const char *path) {
    while (*path == '.') {
        size_t n = strcspn(path + 1, ".");
        gw_shape_data d = *gw_front_shape_at(u, *shape = cell_shape(u, *shape));
        gw_str name = gw_intern_n(u->session, path + 1, n);
        bool there = false;
        for (uint32_t i = 0; d.kind == GW_SHAPE_STRUCT && i < d.count; i++)
            if (u->fields.at[d.first + i].name == name) *shape = u->fields.at[d.first + i].shape, there = true;
        if (!there) return false;
        path += 1 + n;
    }
    return true;
}

static bool check_name(gw_unit *u, const gw_request *r, CXCursor definition, gw_str name) {
    gw_session *s = u->session;
    const char *text = gw_cstr(s, name);
    size_t n = strcspn(text, ".");
    gw_str base = gw_intern_n(s, text, n);
    CXType function = clang_getCursorType(definition);
    for (int i = 0; i < clang_Cursor_getNumArguments(definition); i++) {
        CXCursor p = clang_Cursor_getArgument(definition, (unsigned)i);
        if (gw_front_intern(u, clang_getCursorSpelling(p)) != base) continue;
        CXType type = clang_getArgType(function, (unsigned)i);
        gw_shape shape = gw_front_shape(u, type);
        if (gw_front_shape_kind(u, shape) == GW_SHAPE_POINTER) shape = gw_front_pointee(u, shape);
        if (!member_exists(u, &shape, text + n)) break;
        if (reaches_float(u, shape, 8)) return true;
        gw_str spelled = gw_front_intern(u, clang_getTypeSpelling(type));
        gw_diag(s, GW_DIAG_NOT_ACTIVE, r->loc, text, gw_cstr(s, r->function), gw_cstr(s, spelled));
        return false;
    }
    gw_diag(s, GW_DIAG_UNKNOWN_NAME, r->loc, text, gw_cstr(s, r->function));
    return false;
}

bool gw_front_request_check(gw_unit *u, gw_request *r, CXCursor definition) {
    bool good = true;
    for (uint32_t i = 0; i < r->dependents.count; i++)
        good &= check_name(u, r, definition, r->dependents.at[i]);
    for (uint32_t i = 0; i < r->independents.count; i++)
        good &= check_name(u, r, definition, r->independents.at[i]);
    gw_shape result = gw_front_shape(u, clang_getCursorResultType(definition));
    if (!r->dependents.count && !gw_type_is_float(result)) {
        gw_diag(u->session, GW_DIAG_BAD_REQUEST, r->loc, gw_cstr(u->session, r->text),
                "the function returns no floating-point number");
        good = false;
    }
    return good;
}

/* Whether a store to the object reaches the member ("" = any). */
static bool written(const gw_func *f, gw_object object, const char *member) {
    for (uint32_t i = 1; i < f->ops.count; i++) {
        const gw_op_data *o = &f->ops.at[i];
        if (o->code != GW_OP_STORE || o->dead || o->object != object) continue;
        if (gw_path_in_member(gw_cstr(f->session, o->path), member)) return true;
    }
    return false;
}

bool gw_front_request_check_written(gw_unit *u, gw_request *r) {
    gw_session *s = u->session;
    const gw_func *f = r->func;
    bool good = true;
    for (uint32_t i = 0; i < r->dependents.count; i++) {
        const char *text = gw_cstr(s, r->dependents.at[i]);
        size_t n = strcspn(text, ".");
        gw_str base = gw_intern_n(s, text, n);
        bool is_written = false;
        for (uint32_t k = 0; k < f->params.count; k++)
            if (f->params.at[k].name == base && f->params.at[k].object)
                is_written |= written(f, f->params.at[k].object, text + n);
        if (!is_written) gw_diag(s, GW_DIAG_OUTPUT_NOT_WRITTEN, r->loc, text, gw_cstr(s, r->function));
        good &= is_written;
    }
    return good;
}
