/*
 * frontend/request/suggest.c - what is said of a name in a request that names nothing: the nearest name, and
 * those that there are.
 */
#include "analysis/ir/diagnostics.h"
#include "plugin/frontend/request/request.h"
#include "plugin/frontend/statement/statement.h"
#include "plugin/frontend/type/type.h"
#include "plugin/request/request.h"

#include <string.h>

/* Names that could have been meant. */
typedef struct choice {
    gw_unit *u;
    const char *text, *best;
    gw_text list; /* "'y', 'x'" */
} choice;

static void add(choice *c, gw_str name) {
    if (!name) return;
    const char *text = gw_cstr(c->u->session, name);
    gw_text_addf(&c->list, "%s'%s'", c->list.count ? ", " : "", text);
    c->best = gw_nearer(c->text, c->best, text);
}

static void add_members(choice *c, gw_shape shape) {
    gw_shape_data d = *gw_front_shape_at(c->u, shape);
    for (uint32_t i = 0; d.kind == GW_SHAPE_STRUCT && i < d.count; i++) {
        gw_shape_field f = c->u->fields.at[d.first + i];
        if (!gw_front_holds(&d, i)) continue;
        if (f.is_base)
            add_members(c, f.shape);
        else
            add(c, f.name);
    }
}

/* Parameters, and of a member function what its object has; variables of its file are near, but not listed. */
static void add_parameters(choice *c, CXCursor definition, const gw_func *f) {
    gw_str self = gw_front_self_name(c->u, definition);
    for (int i = 0; i < clang_Cursor_getNumArguments(definition); i++)
        add(c,
            gw_front_intern(c->u, clang_getCursorSpelling(clang_Cursor_getArgument(definition, (unsigned)i))));
    if (self)
        add_members(c, gw_front_shape(c->u, clang_getCursorType(clang_getCursorSemanticParent(definition))));
    add(c, self);
    for (gw_object o = 1; f && o < f->objects.count; o++)
        if (gw_object_at(f, o)->kind == GW_OBJECT_GLOBAL)
            c->best = gw_nearer(c->text, c->best, gw_cstr(c->u->session, gw_object_at(f, o)->name));
}

/* `before` stands before the name that is suggested: "d." */
static void say(choice *c, const gw_request *r, const char *name, const char *what, const char *of,
                size_t before) {
    char *meant = c->best ? gw_format("; did you mean '%.*s%s'?", (int)before, name, c->best) : gw_strdup("");
    char *way_out = c->list.count ? gw_format("name one of %s", c->list.at) : gw_format("it has no %ss", what);
    gw_diag(c->u->session, GW_DIAG_UNKNOWN_NAME, r->loc, name, what, of, meant, way_out);
    free(meant);
    free(way_out);
    gw_text_free(&c->list);
}

void gw_front_say_no_parameter(gw_unit *u, const gw_request *r, CXCursor definition, gw_str name) {
    gw_session *s = u->session;
    const char *text = gw_cstr(s, name);
    choice c = {.u = u, .text = gw_cstr(s, gw_intern_n(s, text, strcspn(text, ".")))};
    add_parameters(&c, definition, r->func);
    say(&c, r, text, "parameter", gw_cstr(s, r->function), 0);
}

void gw_front_say_no_member(gw_unit *u, const gw_request *r, gw_str name, size_t before, gw_shape shape) {
    gw_session *s = u->session;
    const char *text = gw_cstr(s, name), *segment = text + before;
    choice c = {.u = u, .text = gw_cstr(s, gw_intern_n(s, segment, strcspn(segment, ".")))};
    add_members(&c, shape);
    say(&c, r, text, "member", gw_cstr(s, gw_intern_n(s, text, before - 1)), before);
}
