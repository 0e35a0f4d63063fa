/*
 * frontend/type/captures.c - structs that stand for lambdas in the text of derivatives.
 *
 * A lambda's type has no spelling. Where a lambda is an argument of a template that is differentiated, its body
 * is inlined, and all that the derivative needs of it are the variables that it holds copies of. The text has
 * a struct of these, in the order in which the body names them, which a user builds by name: no layout of the
 * lambda's own is ever read. It is called after the variable that the lambda initializes, body_captures, else
 * after the function that it is passed to: a name that further lambdas do not change. The namespace around it
 * has no name, as another file may have a lambda of the same.
 */
#include "plugin/frontend/type/type.h"

#include <stdlib.h>
#include <string.h>

/* ---- its name ---- */
typedef struct search {
    CXType lambda;
    CXCursor variable;
} search;

static enum CXChildVisitResult visit_variable(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    search *s = data;
    if (clang_getCursorKind(c) != CXCursor_VarDecl) return CXChildVisit_Recurse;
    if (!clang_equalTypes(gw_front_bare(clang_getCursorType(c)), s->lambda)) return CXChildVisit_Recurse;
    s->variable = c;
    return CXChildVisit_Break;
}

static gw_str name_of(gw_unit *u, CXType lambda, CXCursor instance) {
    search s = {lambda, clang_getNullCursor()};
    clang_visitChildren(clang_getCursorSemanticParent(clang_getTypeDeclaration(lambda)), visit_variable, &s);
    gw_str base = clang_Cursor_isNull(s.variable) ? gw_front_stem(u, instance)
                                                  : gw_front_intern(u, clang_getCursorSpelling(s.variable));
    char *text = gw_format("%s_captures", gw_cstr(u->session, base));
    gw_str name = gw_intern(u->session, text);
    free(text);
    return name;
}

static bool is_taken(const gw_unit *u, gw_str name) {
    const gw_session *s = u->session;
    bool taken = false;
    for (uint32_t i = 0; i < s->declared.count; i++) taken |= s->declared.at[i] == name;
    for (uint32_t i = 0; i < s->macros.count; i++) taken |= s->macros.at[i] == name;
    for (uint32_t i = 0; i < u->captures.count; i++) taken |= u->captures.at[i].name == name;
    return taken;
}

/* Nobody else has to write the name of a lambda that a program gives to a kernel. */
static gw_str free_name(gw_unit *u, gw_str wish) {
    for (unsigned i = 2; is_taken(u, wish); i++) {
        char *text = gw_format("%s_%u", gw_cstr(u->session, wish), i);
        const gw_str next = gw_intern(u->session, text);
        free(text);
        if (!is_taken(u, next)) return next;
    }
    return wish;
}

/* ---- its members ---- */
/* "const float *x", "float w[2]": copies, whose own const says nothing to others; 0: of a type without a
 * name. */
static gw_str member(gw_unit *u, CXCursor decl) {
    gw_text out = {0}, extents = {0};
    CXType type = clang_getCanonicalType(clang_getNonReferenceType(clang_getCursorType(decl)));
    for (; type.kind == CXType_ConstantArray; type = clang_getCanonicalType(clang_getArrayElementType(type)))
        gw_text_addf(&extents, "[%lld]", clang_getArraySize(type));
    const char *text = gw_cstr(u->session, gw_front_type_text(u, clang_getUnqualifiedType(type)));
    const char end = *text ? text[strlen(text) - 1] : '*';
    const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(decl)));
    gw_text_addf(&out, "%s%s%s%s", text, end == '*' ? "" : " ", name, extents.at ? extents.at : "");
    gw_str made = gw_front_nameless(u, type) ? 0 : gw_intern(u->session, out.at);
    gw_text_free(&out);
    gw_text_free(&extents);
    return made;
}

static bool add_members(gw_unit *u, CXType lambda, bool may_be_empty, gw_names *members) {
    gw_cursors copies = {0};
    const gw_refusal *refusal = NULL;
    bool good = true;
    gw_front_captures(u, lambda, &copies, &refusal);
    for (uint32_t i = 0; i < copies.count; i++) {
        gw_str text = member(u, copies.at[i]);
        good &= text != 0;
        gw_push(members, text);
    }
    good &= !refusal && (copies.count || may_be_empty);
    gw_vec_free(&copies);
    return good;
}

static void make(gw_unit *u, CXType lambda, CXCursor instance, bool is_launched) {
    gw_captures made = {.lambda = lambda, .spelled = gw_front_intern(u, clang_getTypeSpelling(lambda))};
    gw_names members = {0};
    bool good = !gw_front_captures_of(u, lambda) && add_members(u, lambda, is_launched, &members);
    made.name = name_of(u, lambda, instance);
    if (good && is_launched) made.name = free_name(u, made.name);
    for (uint32_t i = 0; i < u->captures.count; i++) /* of two instantiations of what is around it */
        good &= u->captures.at[i].spelled != made.spelled;
    if (good && !is_taken(u, made.name)) {
        const unsigned line = gw_front_loc(u, clang_getCursorLocation(clang_getTypeDeclaration(lambda))).line;
        gw_push(&u->captures, made);
        gw_push(&u->session->captures,
                ((gw_capture_struct){.name = made.name, .line = line, .members = members}));
        return;
    }
    gw_vec_free(&members);
}

static bool holds_lambda(const gw_unit *u, CXType type) {
    bool holds = gw_front_captures_of(u, type) != NULL;
    for (int i = 0; i < clang_Type_getNumTemplateArguments(type) && !holds; i++) {
        CXType argument = clang_Type_getTemplateArgumentAsType(type, (unsigned)i);
        holds = argument.kind != CXType_Invalid && holds_lambda(u, gw_front_bare(argument));
    }
    return holds;
}

/* Also where the lambda's type is an argument of the argument's. */
static void make_in(gw_unit *u, CXType type, CXCursor instance, bool is_launched) {
    if (gw_front_is_lambda(u, type)) make(u, type, instance, is_launched);
    for (int i = 0; i < clang_Type_getNumTemplateArguments(type); i++) {
        CXType argument = clang_Type_getTemplateArgumentAsType(type, (unsigned)i);
        if (argument.kind != CXType_Invalid) make_in(u, gw_front_bare(argument), instance, is_launched);
    }
}

static void make_for(gw_unit *u, CXCursor instance, bool is_launched) {
    for (int i = 0; i < clang_Cursor_getNumTemplateArguments(instance); i++) {
        if (clang_Cursor_getTemplateArgumentKind(instance, (unsigned)i) != CXTemplateArgumentKind_Type)
            continue;
        make_in(u, gw_front_bare(clang_Cursor_getTemplateArgumentType(instance, (unsigned)i)), instance,
                is_launched);
    }
}

bool gw_front_make_launched_captures(gw_unit *u, CXCursor kernel) {
    make_for(u, kernel, true);
    bool nameless = false;
    for (int i = 0; i < clang_Cursor_getNumTemplateArguments(kernel); i++)
        if (clang_Cursor_getTemplateArgumentKind(kernel, (unsigned)i) == CXTemplateArgumentKind_Type)
            nameless |=
                holds_lambda(u, gw_front_bare(clang_Cursor_getTemplateArgumentType(kernel, (unsigned)i)));
    return nameless;
}

void gw_front_make_captures(gw_unit *u, CXCursor pattern) {
    gw_cursors instances = {0};
    if (clang_getCursorKind(pattern) != CXCursor_FunctionTemplate) return;
    gw_front_instances(u, clang_getCanonicalCursor(pattern), &instances);
    for (uint32_t i = 0; i < instances.count; i++) make_for(u, instances.at[i], false);
    gw_vec_free(&instances);
}

/* "no name: 'body_captures' is taken" */
char *gw_front_captures_taken(gw_unit *u, CXType type, CXCursor instance) {
    gw_names members = {0};
    CXType lambda = gw_front_bare(type);
    bool good = gw_front_is_lambda(u, lambda) && !gw_front_captures_of(u, lambda) &&
                add_members(u, lambda, false, &members);
    gw_str name = good ? name_of(u, lambda, instance) : 0;
    gw_vec_free(&members);
    return name && is_taken(u, name)
               ? gw_format("'%s' stands for another: let the lambda initialize a variable with a name of its "
                           "own, and pass that; or ", gw_cstr(u->session, name))
               : gw_strdup("");
}

void gw_front_forget_captures(gw_unit *u) {
    gw_session *s = u->session;
    for (uint32_t i = 0; i < s->captures.count; i++) gw_vec_free(&s->captures.at[i].members);
    u->captures.count = s->captures.count = 0;
}
