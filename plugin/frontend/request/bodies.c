/*
 * frontend/request/bodies.c - functions that the requested ones call, without a body here: which of the run's
 * other sources have them.
 *
 * Followed are the calls that the source shows, constructors among them, and the special members and
 * overriding functions of classes of which variables are made. A source that has such a body is read behind
 * this one in the next run (session->to_join). A function that is found in no source stays without a body,
 * and is refused or passed over where it is called.
 */
#include "analysis/ir/diagnostics.h"
#include "plugin/frontend/parse/parse.h"
#include "plugin/frontend/request/request.h"
#include "plugin/frontend/type/type.h"
#include "plugin/request/request.h"

#include <string.h>

typedef struct missing {
    gw_str usr, name;
    gw_loc loc;
    uint32_t other; /* which has the body, from 1; 0: none */
} missing;

typedef struct search {
    gw_unit *u, *in; /* in: the source that is looked through, an other one as number `other` */
    uint32_t other;
    gw_cursors found; /* its definitions that are sought */
    bool failed;
    GW_VEC(missing) all;
} search;

/* Instances are told by their template, of which the other source has the body. */
static gw_str told_by(gw_unit *u, gw_session *to, CXCursor function) {
    CXCursor pattern = clang_getSpecializedCursorTemplate(function);
    if (clang_Cursor_isNull(pattern)) pattern = function;
    const gw_str usr = gw_front_intern(u, clang_getCursorUSR(pattern));
    return gw_intern(to, gw_cstr(u->session, usr));
}

static bool is_function(CXCursor c) {
    const enum CXCursorKind kind = clang_getCursorKind(c);
    return kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate || kind == CXCursor_Constructor ||
           kind == CXCursor_Destructor || gw_front_is_method(c);
}

static void note(search *s, CXCursor function, CXCursor at) {
    gw_unit *u = s->in;
    gw_session *to = s->u->session;
    if (!is_function(function) || !clang_Cursor_isNull(clang_getCursorDefinition(function)) ||
        clang_Location_isInSystemHeader(clang_getCursorLocation(function)) || gw_front_has_rule(u, function) ||
        clang_getCursorLinkage(function) != CXLinkage_External || clang_CXXMethod_isDefaulted(function))
        return;
    missing m = {.usr = told_by(u, to, function), .loc = gw_front_loc(u, clang_getCursorLocation(at))};
    for (uint32_t i = 0; i < s->all.count; i++)
        if (s->all.at[i].usr == m.usr) return;
    m.name = gw_intern(to, gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(function))));
    m.loc.file = gw_intern(to, gw_cstr(u->session, m.loc.file));
    gw_push(&s->all, m);
}

static void note_class(search *s, CXCursor at) {
    const CXType type = gw_front_bare(clang_getCursorType(at));
    gw_cursors methods = {0};
    if (type.kind != CXType_Record) return;
    gw_front_methods(type, &methods);
    for (uint32_t i = 0; i < methods.count; i++) {
        const bool is_special = clang_getCursorKind(methods.at[i]) != CXCursor_CXXMethod ||
                                clang_CXXMethod_isVirtual(methods.at[i]) ||
                                clang_CXXMethod_isCopyAssignmentOperator(methods.at[i]) ||
                                clang_CXXMethod_isMoveAssignmentOperator(methods.at[i]);
        if (is_special) note(s, methods.at[i], at);
    }
    gw_vec_free(&methods);
}

static bool look_at(gw_unit *u, CXCursor c, const void *what) {
    (void)u;
    search *s = *(search *const *)what;
    const enum CXCursorKind kind = clang_getCursorKind(c);
    if (kind == CXCursor_CallExpr || kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr)
        note(s, clang_getCursorReferenced(c), c);
    if (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl || kind == CXCursor_CallExpr) note_class(s, c);
    return false;
}

/* ---- the other sources ---- */
static enum CXChildVisitResult visit_other(CXCursor c, CXCursor parent, CXClientData data) {
    search *s = data;
    (void)parent;
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(c))) return CXChildVisit_Continue;
    const enum CXCursorKind kind = clang_getCursorKind(c);
    if (kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec) return CXChildVisit_Recurse;
    if (!is_function(c) || !clang_isCursorDefinition(c)) return CXChildVisit_Continue;
    const gw_str usr = told_by(s->in, s->u->session, c);
    for (uint32_t i = 0; i < s->all.count; i++) {
        missing *m = &s->all.at[i];
        if (m->usr != usr) continue;
        if (m->other && m->other != s->other + 1) {
            const char *const *others = s->u->run->others;
            gw_diag(s->u->session, GW_DIAG_TWO_BODIES, m->loc, others[m->other - 1], others[s->other],
                    gw_cstr(s->u->session, m->name));
            s->failed = true;
        }
        if (!m->other) gw_push(&s->found, c);
        m->other = s->other + 1;
    }
    return CXChildVisit_Continue;
}

/* Whether its text has the name of a function that is sought, from the first on: others need not be parsed. */
static bool may_have(search *s, uint32_t first, const char *path) {
    const char *why;
    size_t count;
    char *text = gw_file_text(path, &count, &why);
    bool has = false;
    for (uint32_t i = first; text && i < s->all.count && !has; i++) {
        const char *name = gw_cstr(s->u->session, s->all.at[i].name);
        has = strstr(text, *name == '~' ? name + 1 : name) != NULL;
    }
    if (!text) {
        gw_diag(s->u->session, GW_DIAG_CANNOT_READ, (gw_loc){0}, path, why);
        s->failed = true;
    }
    free(text);
    return has;
}

static bool is_read(const gw_unit *u, uint32_t other) {
    for (uint32_t i = 0; i < u->session->joined.count; i++)
        if (u->session->joined.at[i] == other) return true;
    return false;
}

static void look_through(search *s, uint32_t other) {
    gw_unit alone = {0};
    char *path = gw_front_joined_path(s->u, other);
    const search *const at = s;
    s->other = other, s->in = &alone, s->found.count = 0;
    if (gw_front_read_alone(s->u, path, &alone))
        clang_visitChildren(clang_getTranslationUnitCursor(alone.clang), visit_other, s);
    else
        s->failed = true;
    for (uint32_t i = 0; i < s->found.count && !s->failed; i++)
        gw_front_reaches(&alone, s->found.at[i], look_at, &at);
    gw_front_alone_free(&alone);
    free(path);
}

bool gw_front_find_bodies(gw_unit *u, const gw_cursors *definitions) {
    search s = {.u = u, .in = u};
    const search *const at = &s;
    const gw_run *run = u->run;
    const gw_language language = gw_language_of(run->source, run->args, run->args_count);
    if (!run->others_count || u->session->is_cuda) return true;
    for (uint32_t i = 0; i < definitions->count; i++)
        if (!clang_Cursor_isNull(definitions->at[i])) gw_front_reaches(u, definitions->at[i], look_at, &at);
    for (uint32_t first = 0, sought; (sought = s.all.count) > first && !s.failed; first = sought)
        for (uint32_t i = 0; i < run->others_count && !s.failed; i++) {
            const bool same = gw_language_of(run->others[i], run->args, run->args_count) == language;
            if (!is_read(u, i) && same && may_have(&s, first, run->others[i])) look_through(&s, i);
        }
    for (uint32_t i = 0; i < s.all.count && !s.failed; i++) {
        if (!s.all.at[i].other) continue;
        const uint32_t other = s.all.at[i].other - 1;
        bool known = false;
        for (uint32_t k = 0; k < u->session->to_join.count; k++) known |= u->session->to_join.at[k] == other;
        if (!known) gw_push(&u->session->to_join, other);
    }
    gw_vec_free(&s.all);
    gw_vec_free(&s.found);
    return !s.failed && !u->session->to_join.count;
}
