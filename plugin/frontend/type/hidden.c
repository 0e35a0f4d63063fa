/*
 * frontend/type/hidden.c - members that emitted text may not name: private ones, protected ones, and what lies
 * in a base class that is.
 *
 * Text opens such a member (emitted/open.h) where its address as a member can be taken, and where its class
 * has a name: not a bit-field, not a reference.
 */
#include "plugin/frontend/type/type.h"

/* The class that a member is named in: not an anonymous struct or union in it. */
static CXCursor holder_of(CXCursor field) {
    CXCursor c = clang_getCursorSemanticParent(field);
    while (clang_Cursor_isAnonymousRecordDecl(c)) c = clang_getCursorSemanticParent(c);
    return c;
}

static gw_str holder_text(gw_unit *u, CXCursor field) {
    const CXType type = clang_getCursorType(holder_of(field));
    const bool is_local = gw_front_is_of_function(clang_getTypeDeclaration(type));
    const gw_str text = type.kind == CXType_Record && !is_local ? gw_front_type_text(u, type) : 0;
    return text && gw_front_is_spelled(u, text) ? text : 0;
}

bool gw_front_can_open(gw_unit *u, CXCursor field) {
    return !clang_Cursor_isBitField(field) && !gw_front_is_reference(clang_getCursorType(field)) &&
           holder_text(u, field);
}

static uint32_t find(gw_session *s, gw_hidden h) {
    for (uint32_t i = 0; i < s->hidden.count; i++) {
        const gw_hidden *o = &s->hidden.at[i];
        if (o->holder == h.holder && o->member == h.member && o->is_closed == h.is_closed &&
            o->is_behind == h.is_behind && o->is_static == h.is_static)
            return 1 + i;
    }
    gw_push(&s->hidden, h);
    return s->hidden.count;
}

uint32_t gw_front_hidden(gw_unit *u, const gw_shape_field *f) {
    if (u->session->is_c || !gw_front_is_closed(f->decl) || !gw_front_can_open(u, f->decl)) return 0;
    const gw_hidden h = {.holder = holder_text(u, f->decl), .member = f->name, .is_closed = true};
    return find(u->session, h);
}

uint32_t gw_front_hidden_variable(gw_unit *u, CXCursor variable) {
    if (u->session->is_c || !gw_front_is_closed(variable)) return 0;
    const gw_hidden h = {.holder = holder_text(u, variable),
                         .member = gw_front_intern(u, clang_getCursorSpelling(variable)),
                         .is_closed = true,
                         .is_static = true};
    return h.holder ? find(u->session, h) : 0;
}

static CXCursor declared_in(gw_unit *u, gw_shape s, gw_str name) {
    const gw_shape_data d = *gw_front_shape_at(u, s);
    CXCursor found = clang_getNullCursor();
    for (uint32_t i = d.first; i < d.first + d.count && clang_Cursor_isNull(found); i++)
        if (u->fields.at[i].name == name)
            found = u->fields.at[i].decl;
        else if (u->fields.at[i].is_base)
            found = declared_in(u, u->fields.at[i].shape, name);
    return found;
}

uint32_t gw_front_hidden_behind(gw_unit *u, const gw_shape_field *base, const gw_field *member) {
    gw_session *s = u->session;
    if (s->is_c || !gw_front_is_closed(base->decl)) return member->hidden;
    gw_hidden h = {.member = member->name};
    if (member->hidden) h = s->hidden.at[member->hidden - 1];
    const CXCursor decl = declared_in(u, base->shape, member->name);
    if (base->is_anonymous) {
        h.is_closed = true;
        if (!gw_front_can_open(u, decl)) return 0;
    } else {
        h.is_behind = true;
    }
    if (!h.holder) h.holder = holder_text(u, decl);
    return h.holder ? find(s, h) : 0;
}
