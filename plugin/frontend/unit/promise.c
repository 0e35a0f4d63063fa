/*
 * frontend/unit/promise.c - what the source and the outside state of a function's lists (contract:
 * unit.h): the attributes of GW_INJECTIVE and its like, and the session's promises about that function.
 *
 * A promise that speaks of nothing is an error, since a proof that silently does without it would be worse: of
 * a name under which the function reads no integers, of a list that it writes, or of a function that is not
 * there.
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/promises.h"
#include "plugin/frontend/unit/unit.h"
#include "plugin/request/request.h"

#include <string.h>

/* ---- whether it speaks of something ---- */
static bool is_integer_read(const gw_func *f, const gw_op_data *o) {
    return o->code == GW_OP_LOAD && gw_type_is_integer(gw_typeof(f, o->first_result));
}

/* Looks at accesses of the cells that promise i names: whether integers are read there, and whether one is
 * written. */
static void look(const gw_func *f, uint32_t i, bool *reads, bool *writes) {
    static const char *const fields[] = {"", ".x", ".y"};
    bool ranges = f->promises.at[i].kind == GW_PROMISE_DISJOINT_RANGES, part[2] = {false, false};
    for (gw_op op = 1; op < f->ops.count; op++) {
        const gw_op_data *o = gw_op_at(f, op);
        bool access = o->code == GW_OP_LOAD || o->code == GW_OP_STORE || o->code == GW_OP_ATOMIC ||
                      o->code == GW_OP_ADDRESS;
        for (int field = ranges; access && !o->dead && field <= 2 * ranges; field++) {
            if (!gw_promise_names(f, &f->promises.at[i], o->object, o->path, fields[field])) continue;
            *writes |= o->code != GW_OP_LOAD;
            part[field == 2] |= is_integer_read(f, o);
        }
    }
    *reads = part[0] && (!ranges || part[1]);
}

static bool check(gw_func *f) {
    bool good = true;
    gw_session *s = f->session;
    for (uint32_t i = 0; i < f->promises.count; i++) {
        const gw_promise *p = &f->promises.at[i];
        bool reads = false, writes = false;
        look(f, i, &reads, &writes);
        if (reads && !writes) continue;
        gw_diag(s, writes ? GW_DIAG_BROKEN_PROMISE : GW_DIAG_EMPTY_PROMISE, p->loc,
                gw_promise_rows[p->kind].macro, gw_cstr(s, p->name), gw_cstr(s, f->name));
        good = false;
    }
    return good;
}

/* ---- the source's own, and those from outside ---- */
typedef struct search {
    gw_unit *u;
    gw_func *f;
} search;

static void add(gw_func *f, const gw_promise *p) {
    for (uint32_t i = 0; i < f->promises.count; i++)
        if (f->promises.at[i].kind == p->kind && f->promises.at[i].name == p->name) return;
    gw_push(&f->promises, *p);
}

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data) {
    static const char prefix[] = "gradwright:promise:";
    search *found = data;
    gw_session *s = found->u->session;
    (void)parent;
    if (clang_getCursorKind(c) != CXCursor_AnnotateAttr) return CXChildVisit_Continue;
    const char *text = gw_cstr(s, gw_front_intern(found->u, clang_getCursorSpelling(c)));
    gw_promise p;
    if (strncmp(text, prefix, sizeof prefix - 1) != 0) return CXChildVisit_Continue;
    text += sizeof prefix - 1;
    if (!gw_promise_read(s, text, text + strlen(text), &p)) return CXChildVisit_Continue;
    p.loc = gw_front_loc(found->u, clang_getCursorLocation(c));
    add(found->f, &p);
    return CXChildVisit_Continue;
}

bool gw_front_promises(gw_unit *u, CXCursor definition, gw_func *f) {
    gw_session *s = u->session;
    search found = {u, f};
    CXCursor pattern = gw_front_pattern(definition);
    clang_visitChildren(definition, visit, &found);
    clang_visitChildren(clang_getCanonicalCursor(definition), visit, &found);
    if (!clang_Cursor_isNull(pattern)) clang_visitChildren(pattern, visit, &found);
    for (uint32_t i = 0; i < s->promises.count; i++) {
        gw_given_promise *g = &s->promises.at[i];
        if (!gw_front_is_meant(u, g->function, definition)) continue;
        g->is_used = true;
        add(f, &g->promise);
    }
    return check(f);
}

bool gw_promises_all_used(gw_session *s) {
    bool good = true;
    for (uint32_t i = 0; i < s->promises.count; i++) {
        const gw_given_promise *g = &s->promises.at[i];
        if (g->is_used) continue;
        gw_diag(s, GW_DIAG_UNUSED_PROMISE, g->loc, gw_promise_rows[g->promise.kind].word,
                gw_cstr(s, g->promise.name), gw_cstr(s, g->function));
        good = false;
    }
    return good;
}
