/*
 * frontend/place/asked.c - places of objects that have no cells, but can be asked (call/asked.c): a path whose
 * last step is a question (ir/question.h), of a scalar or of a part, which is an object again.
 */
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/question.h"
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include <stdlib.h>
#include <string.h>

/* A string that comes out of a macro, as Clang spells it. */
static bool add_letters(gw_lowering *L, CXCursor literal, gw_text *text) {
    if (clang_getCursorKind(literal) != CXCursor_StringLiteral) return false;
    const char *spelled = GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(literal)));
    for (const char *at = spelled; *at; at++)
        gw_text_addf(text, *at == '?' ? "\\077" : "%c", *at); /* no trigraphs */
    return *spelled != 0;
}

/* The tokens of a literal as they stand; the letters of one that comes out of a macro. */
bool gw_front_add_literal(gw_lowering *L, CXCursor literal, gw_text *text) {
    gw_text written = {0};
    CXToken *tokens = NULL;
    unsigned count = 0;
    clang_tokenize(L->u->clang, clang_getCursorExtent(literal), &tokens, &count);
    bool good = count > 0;
    for (unsigned i = 0; i < count && good; i++)
        good = clang_getTokenKind(tokens[i]) == CXToken_Literal;
    for (unsigned i = 0; i < count && good; i++) {
        CXString s = clang_getTokenSpelling(L->u->clang, tokens[i]);
        gw_text_addf(&written, "%s%s", i ? " " : "", clang_getCString(s));
        clang_disposeString(s);
    }
    clang_disposeTokens(L->u->clang, tokens, count);
    if (good) gw_text_add(text, written.at);
    gw_text_free(&written);
    return good || add_letters(L, literal, text);
}

bool gw_front_can_be_asked(gw_lowering *L, const gw_place *p) {
    if (p->kind != GW_PLACE_MEMORY || gw_front_is_unknown(L, p) || !p->path) return false;
    const gw_object_data *o = gw_object_at(L->f, p->object);
    const bool is_given = o->kind == GW_OBJECT_POINTER || o->kind == GW_OBJECT_GLOBAL;
    return ((is_given && o->is_const) || o->kind == GW_OBJECT_STRUCT) &&
           gw_question_in(GW_FRONT_TEXT(L, p->path));
}

gw_place gw_front_question(gw_lowering *L, gw_place root, gw_shape shape, const char *text,
                         const gw_value *operands, uint32_t count) {
    const gw_shape_data *d = gw_front_shape_at(L->u, shape);
    const gw_type type = d->kind == GW_SHAPE_SCALAR ? d->type : GW_T_VOID;
    gw_place p = {.kind = GW_PLACE_MEMORY, .read_only = true, .object = root.object, .shape = shape};
    p.path = gw_question_path(L->session, GW_FRONT_TEXT(L, root.path), type, text, count);
    for (uint32_t i = 0; i < root.count; i++) p.index[p.count++] = root.index[i];
    for (uint32_t i = 0; i < count; i++) p.index[p.count++] = operands[i];
    return p;
}

gw_place gw_front_asked_object(gw_lowering *L, gw_place p, gw_shape shape) {
    return gw_front_question(L, p, shape, "$0", NULL, 0);
}

char *gw_front_question_of(gw_lowering *L, gw_place p, gw_place *root, gw_value *operands, uint32_t *count) {
    const char *path = GW_FRONT_TEXT(L, p.path), *step = gw_question_in(path);
    char *before = gw_format("%.*s", (int)(step - path), path);
    *root = p, *count = 0;
    root->path = gw_intern(L->session, before);
    for (const char *at = strchr(step, '['); at; at = strchr(at + 1, '[')) ++*count;
    root->count = p.count - *count;
    for (uint32_t i = 0; i < *count; i++) operands[i] = p.index[root->count + i];
    free(before);
    return gw_question_expression(step);
}

gw_place gw_front_asked_on(gw_lowering *L, gw_place p, gw_shape shape, const char *pattern, gw_value number) {
    gw_value operands[GW_PLACE_INDICES];
    uint32_t count;
    gw_place root;
    char *of = gw_front_question_of(L, p, &root, operands, &count);
    gw_text text = {0};
    if (p.count == GW_PLACE_INDICES && !L->failed) {
        L->failed = true;
        gw_diag(L->session, GW_DIAG_UNSUPPORTED, L->b.loc, "a table behind so many indices",
                "look it up outside of the function");
    } else if (number) {
        operands[count++] = number;
    }
    for (const char *at = pattern; *at; at++) {
        if (*at != '$') gw_text_addf(&text, "%c", *at);
        else if (*++at == '0') gw_text_add(&text, of);
        else gw_text_addf(&text, "$%u", count);
    }
    const gw_place asked = gw_front_question(L, root, shape, text.at, operands, count);
    gw_text_free(&text), free(of);
    L->asks = true;
    return asked;
}

gw_place gw_front_walked(gw_lowering *L, gw_place table) {
    const gw_value at = gw_front_slot_value(L, table.walk - 1);
    return gw_front_asked_on(L, table, table.shape, "gw_marked($0, $1)", at);
}

bool gw_front_is_asked_inside(gw_unit *u, CXType type) {
    const CXType element = gw_front_sequence_element(u, type);
    if (element.kind == CXType_Invalid) return false;
    const gw_shape_data *d = gw_front_shape_at(u, gw_front_shape(u, element));
    const bool is_plain = d->kind == GW_SHAPE_STRUCT && !d->has_pointer && !d->has_array && !d->is_union;
    return d->kind == GW_SHAPE_SCALAR || is_plain || gw_front_is_asked_inside(u, element);
}

static bool is_asked(gw_lowering *L, const gw_shape_data *d) { return gw_front_is_asked_class(L->u, d->clang); }

bool gw_front_asked_member(gw_lowering *L, gw_place *p, const gw_shape_field *field) {
    gw_value operands[GW_PLACE_INDICES];
    uint32_t count;
    gw_place root;
    if (!gw_front_can_be_asked(L, p)) return false;
    if (!field->name) {
        p->shape = field->shape; /* a base's members are the class's */
        return true;
    }
    const gw_shape_data *d = gw_front_shape_at(L->u, field->shape);
    const bool is_object = d->kind == GW_SHAPE_OPAQUE && is_asked(L, d);
    const bool is_plain = d->kind == GW_SHAPE_SCALAR || is_object || gw_front_is_asked_inside(L->u, d->clang) ||
                          (d->kind == GW_SHAPE_STRUCT && !d->has_pointer && !d->has_array && !d->is_union);
    if (!is_plain || gw_front_is_closed(field->decl)) {
        *p = gw_front_unknown_place(L, field->shape, "such a member");
        return true;
    }
    char *of = gw_front_question_of(L, *p, &root, operands, &count);
    char *text = gw_format("%s.%s", of, GW_FRONT_TEXT(L, field->name));
    *p = gw_front_question(L, root, field->shape, text, operands, count);
    free(text), free(of);
    return true;
}

bool gw_front_asked_pair(gw_lowering *L, gw_place *p, CXCursor field) {
    if (gw_front_shape_kind(L->u, p->shape) != GW_SHAPE_OPAQUE) return false;
    gw_shape_field f = {.decl = field, .name = gw_front_intern(L->u, clang_getCursorSpelling(field))};
    f.shape = gw_front_shape(L->u, clang_getNonReferenceType(clang_getCursorType(field)));
    return gw_front_asked_member(L, p, &f);
}

static enum CXVisitorResult add_field(CXCursor field, CXClientData fields) {
    gw_push((gw_cursors *)fields, field);
    return CXVisit_Continue;
}

gw_place gw_front_asked_half(gw_lowering *L, gw_place p, uint32_t i) {
    gw_cursors fields = {0};
    clang_Type_visitFields(gw_front_shape_at(L->u, p.shape)->clang, add_field, &fields);
    if (i < fields.count) gw_front_asked_pair(L, &p, fields.at[i]);
    gw_vec_free(&fields);
    return p;
}

/* The class that the place's path leads to, not that of a base of it. */
static gw_str class_at(const gw_lowering *L, const gw_place *p) {
    const gw_object_data *o = gw_object_at(L->f, p->object);
    const char *path = GW_FRONT_TEXT(L, p->path);
    if (strncmp(path, "[]", 2) == 0) path += 2;
    if (!*path) return o->type_text;
    return L->session->types.at[gw_type_at_path(L->session, o->type, path)].name;
}

/* A struct by value whose text the function does not change. */
static bool stays_whole(gw_lowering *L, gw_object object, const gw_shape_field *field) {
    if (!L->frames.count) return false; /* it is copied, since the function changes it */
    const CXCursor definition = L->frames.at[0].decl;
    const uint32_t first = L->f->params.count - (uint32_t)clang_Cursor_getNumArguments(definition);
    for (uint32_t i = first; i < L->f->params.count; i++)
        if (L->f->params.at[i].object == object)
            return !clang_CXXField_isMutable(field->decl) &&
                   gw_front_text_stays(clang_Cursor_getArgument(definition, i - first));
    return false;
}

bool gw_front_asked_text(gw_lowering *L, gw_place *p, const gw_shape_field *field) {
    const CXType type = clang_getCursorType(field->decl);
    if (p->kind != GW_PLACE_MEMORY || gw_front_is_unknown(L, p)) return false;
    const gw_object_data *o = gw_object_at(L->f, p->object);
    const bool is_given = (o->kind == GW_OBJECT_POINTER && o->is_const) ||
                          (o->kind == GW_OBJECT_STRUCT && stays_whole(L, p->object, field));
    if (!is_given) return false;
    if (L->f->kind != GW_FUNC_HOST || L->is_program || !gw_front_is_asked_owner(L->u, type)) return false;
    if (gw_cell_behind_pointer(L->f, p->object, p->path)) return false;
    char *text = gw_format("$0.%s", GW_FRONT_TEXT(L, field->name));
    if (gw_front_is_closed(field->decl)) {
        const uint32_t hidden = gw_front_hidden(L->u, field);
        const gw_hidden *h = hidden ? &L->session->hidden.at[hidden - 1] : NULL;
        free(text);
        /* nor one of a base */
        if (!h || h->is_behind || h->holder != class_at(L, p)) return false;
        text = gw_format("$h%s;%s;($0)", GW_FRONT_TEXT(L, h->holder), GW_FRONT_TEXT(L, h->member));
    }
    *p = gw_front_question(L, *p, field->shape, text, NULL, 0);
    free(text);
    return true;
}
