/*
 * frontend/unit/asked.c - GW_ACCUMULATE(x, rung), for one gradient GW_ACCUMULATE(x, rung, NAME), and GW_PACK(x,
 * y) before a function (contract: unit.h).
 *
 * A mark that cannot be meant is an error at its line: a rung that there is not, a name that the function does
 * not have, two rungs for one cell. Whether the rung is sound, or the arrays have records, is known when the
 * additions are (rewriters/accumulate/asked.c, pack.c).
 */
#include "analysis/facts/facts.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/rungs.h"
#include "plugin/frontend/unit/unit.h"

#include <stdlib.h>
#include <string.h>

typedef struct search {
    gw_unit *u;
    gw_func *f;
    bool good;
} search;

/* The name is that of a parameter or a shared array, "x", or of a member that the function touches, "d.grid".
 */
static bool is_known(const gw_func *f, gw_str name) {
    const gw_session *s = f->session;
    for (uint32_t i = 0; i < f->params.count; i++)
        if (f->params.at[i].name == name) return true;
    for (gw_object o = 1; o < f->objects.count; o++)
        if (gw_object_at(f, o)->kind != GW_OBJECT_LOCAL && gw_object_at(f, o)->name == name) return true;
    for (gw_op op = 1; op < f->ops.count && strchr(gw_cstr(s, name), '.'); op++) {
        const gw_op_data *o = gw_op_at(f, op);
        if (!o->dead && o->object && o->path && gw_asked_is_name(f, name, o->object, o->path)) return true;
    }
    return false;
}

/* The mark of before that speaks of the same cells of the same gradients. */
static const gw_asked_rung *other_for(const gw_func *f, const gw_asked_rung *a) {
    const gw_session *s = f->session;
    for (uint32_t i = 0; i < f->asked.count; i++)
        if (f->asked.at[i].request == a->request &&
            gw_asked_overlap(gw_cstr(s, f->asked.at[i].name), gw_cstr(s, a->name)))
            return &f->asked.at[i];
    return NULL;
}

static bool is_request(const gw_session *s, gw_str name) {
    for (uint32_t i = 0; i < s->requests.count; i++)
        if (s->requests.at[i].name == name) return true;
    return false;
}

static void say_unknown(gw_session *s, const gw_asked_rung *a, const char *spelling) {
    gw_text all = {0};
    for (unsigned i = 0; i < GW_RUNG_COUNT; i++) {
        if (i) gw_text_add(&all, i + 1 < GW_RUNG_COUNT ? ", " : " or ");
        gw_text_add(&all, gw_rung_rows[i].spelling);
    }
    gw_diag(s, GW_DIAG_UNKNOWN_RUNG, a->loc, gw_cstr(s, a->name), spelling, all.at);
    gw_text_free(&all);
}

static void add(search *found, gw_asked_rung a, const char *spelling) {
    gw_session *s = found->u->session;
    gw_func *f = found->f;
    const gw_asked_rung *other = other_for(f, &a);
    const char *name = gw_cstr(s, a.name), *function = gw_cstr(s, f->name);
    if (a.rung == GW_RUNG_COUNT) {
        say_unknown(s, &a, spelling);
    } else if (f->kind != GW_FUNC_KERNEL) {
        gw_diag(s, GW_DIAG_RUNG_OF_NO_ADDITION, a.loc, name, spelling,
                "only a kernel has threads that it knows of");
    } else if (!is_known(f, a.name)) {
        gw_diag(s, GW_DIAG_RUNG_OF_NOTHING, a.loc, name, spelling, function);
    } else if (a.request && !is_request(s, a.request)) {
        gw_diag(s, GW_DIAG_RUNG_OF_NO_ADDITION, a.loc, name, spelling,
                "there is no gradient of the name behind the rung");
    } else if (other && other->rung != a.rung) {
        gw_diag(s, GW_DIAG_TWO_RUNGS, a.loc, name, spelling, gw_cstr(s, other->name),
                gw_rung_rows[other->rung].spelling);
    } else {
        if (!other || other->name != a.name) gw_push(&f->asked, a);
        return;
    }
    found->good = false;
}

/* One of the names in GW_PACK(x, y). */
static void pack(search *found, gw_str name, gw_loc loc) {
    gw_func *f = found->f;
    const gw_session *s = found->u->session;
    const char *why = NULL;
    bool is_param = false;
    for (uint32_t i = 0; i < f->params.count; i++)
        is_param |= f->params.at[i].name == name;
    if (!is_param) why = "it is no parameter";
    if (f->kind != GW_FUNC_KERNEL) why = "the function is no kernel";
    for (uint32_t i = 0; i < f->packed.count && !why; i++) {
        const gw_packed *p = &f->packed.at[i];
        if (p->name != name) continue;
        if (p->loc.line == loc.line && p->loc.column == loc.column) return; /* the same mark, seen again */
        why = "it is named twice";
    }
    if (!why) {
        gw_push(&f->packed, ((gw_packed){.name = name, .loc = loc}));
        return;
    }
    gw_diag(found->u->session, GW_DIAG_CANNOT_PACK, loc, gw_cstr(s, name), why);
    found->good = false;
}

static void pack_all(search *found, const char *names, gw_loc loc) {
    for (const char *at = names; *at && found->good;) {
        size_t n = strcspn(at, ", ");
        if (n) pack(found, gw_intern_n(found->u->session, at, n), loc);
        at += n + strspn(at + n, ", ");
    }
}

/* A word of the list, "( warp" and "one" of "( warp ), one"; 0: there is none. */
static gw_str word_of(gw_session *s, const char *from, const char *end, unsigned which) {
    for (; which && from < end; which--) {
        from += strcspn(from, ",");
        from += from < end;
    }
    from += strspn(from, "( \t");
    const size_t n = from < end ? strcspn(from, "|,() \t") : 0;
    return n ? gw_intern_n(s, from, n) : 0;
}

/* "rung, NAME|rung, NAME x": as they stand, and what the preprocessor makes of them. A rung's word is one
 * though it be a macro's name, too, and so is the name of a gradient, which stands in its request as it is. */
static bool read(search *found, const char *text, gw_asked_rung *a, const char **spelling) {
    gw_session *s = found->u->session;
    const char *made = strchr(text, '|'), *name = strrchr(text, ' ');
    if (!made || !name) return false;
    gw_str rung = word_of(s, text, made, 0), request = word_of(s, text, made, 1);
    const bool stands = gw_rung_by_spelling(gw_cstr(s, rung)) != GW_RUNG_COUNT;
    if (!stands) rung = word_of(s, made + 1, name, 0);
    if (!request || !is_request(s, request)) request = word_of(s, made + 1, name, 1);
    *spelling = gw_cstr(s, rung);
    a->name = gw_intern(s, name + 1);
    a->request = request;
    a->rung = gw_rung_by_spelling(*spelling);
    return true;
}

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data) {
    static const char prefix[] = "gradwright:accumulate:", packs[] = "gradwright:pack:";
    search *found = data;
    (void)parent;
    if (clang_getCursorKind(c) != CXCursor_AnnotateAttr || !found->good) return CXChildVisit_Continue;
    const char *text = gw_cstr(found->u->session, gw_front_intern(found->u, clang_getCursorSpelling(c))),
               *spelling;
    gw_asked_rung a = {.loc = gw_front_loc(found->u, clang_getCursorLocation(c))};
    if (strncmp(text, packs, sizeof packs - 1) == 0)
        pack_all(found, text + sizeof packs - 1, a.loc);
    else if (strncmp(text, prefix, sizeof prefix - 1) == 0 &&
             read(found, text + sizeof prefix - 1, &a, &spelling))
        add(found, a, spelling);
    return CXChildVisit_Continue;
}

bool gw_front_asked(gw_unit *u, CXCursor definition, gw_func *f) {
    search found = {u, f, true};
    CXCursor pattern = gw_front_pattern(definition);
    clang_visitChildren(definition, visit, &found);
    clang_visitChildren(clang_getCanonicalCursor(definition), visit, &found);
    if (!clang_Cursor_isNull(pattern)) clang_visitChildren(pattern, visit, &found);
    for (uint32_t i = 0; i < u->session->packs.count && found.good; i++) {
        gw_given_launch *g = &u->session->packs.at[i];
        if (!gw_front_is_meant(u, g->function, definition)) continue;
        g->is_used = true;
        pack_all(&found, gw_cstr(u->session, g->text), g->loc);
    }
    return found.good;
}

bool gw_packs_all_used(gw_session *s) {
    bool good = true;
    for (uint32_t i = 0; i < s->packs.count; i++) {
        const gw_given_launch *g = &s->packs.at[i];
        if (g->is_used) continue;
        char *why = gw_format("no derivative of '%s' is asked", gw_cstr(s, g->function));
        gw_diag(s, GW_DIAG_CANNOT_PACK, g->loc, gw_cstr(s, g->text), why);
        free(why);
        good = false;
    }
    return good;
}
