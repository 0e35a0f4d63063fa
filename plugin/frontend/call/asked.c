/*
 * frontend/call/asked.c - what text, tables and sets are asked, that a parameter leads to and nobody changes:
 * `mode == "cube"`, `options.name.size()`, `where.find(k) != where.end()`, `where.at(k)`.
 *
 * Such an object has no cells. What it says is read from it like a cell, by a step of the path that is the
 * expression itself (ir/question.h), as often as it is needed: const functions of std's classes (asked_classes
 * .def) have no other effect, and the object is the same from the first statement to the last. That
 * holds of a reference to const, and of a copy that the function does not change; what a run changes by another
 * name is undefined as it is for all memory (docs/guide/requests.md). All else stays unknown (place/unknown.c),
 * and is refused where the result depends on it.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/question.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_OPERANDS = 4 };

typedef struct question {
    gw_lowering *L;
    bool has_root;
    gw_place root; /* the object, without a question */
    gw_text text;
    uint32_t count;
    gw_value operand[MOST_OPERANDS];
} question;

static bool add(question *q, CXCursor e);

static const char *spelling(gw_lowering *L, CXCursor c) {
    return GW_FRONT_TEXT(L, gw_front_intern(L->u, clang_getCursorSpelling(c)));
}

/* ---- expressions ---- */
static bool is_root(const question *q, const gw_place *p) {
    return !q->has_root || (p->object == q->root.object && p->path == q->root.path &&
                            memcmp(p->index, q->root.index, p->count * sizeof *p->index) == 0);
}

/* How a question to another object names this one, a parameter that is a reference or a variable at file scope;
 * NULL: it cannot. */
static char *name_of(gw_lowering *L, const gw_place *p) {
    const gw_object_data *o = gw_object_at(L->f, p->object);
    if (o->kind == GW_OBJECT_GLOBAL)
        return p->count || o->hidden ? NULL : gw_format("::%s", GW_FRONT_TEXT(L, o->name));
    const bool is_parameter = o->kind == GW_OBJECT_POINTER && o->is_reference && p->count == 1;
    if (!is_parameter || strcmp(GW_FRONT_TEXT(L, p->path), "[]") != 0) return NULL;
    return gw_format("$o%s;", GW_FRONT_TEXT(L, o->name));
}

static bool add_place(question *q, gw_place p) {
    gw_value operands[GW_PLACE_INDICES];
    uint32_t count;
    gw_place root;
    if (!gw_front_can_be_asked(q->L, &p)) return false;
    char *of = gw_front_question_of(q->L, p, &root, operands, &count);
    char *name = is_root(q, &root) ? gw_strdup("$0") : name_of(q->L, &root);
    const bool good = name && q->count + count <= MOST_OPERANDS;
    for (const char *at = of; *at && good; at++) {
        if (*at != '$') gw_text_addf(&q->text, "%c", *at);
        else if (*++at == '0') gw_text_add(&q->text, name);
        else if (*at >= '1' && *at <= '9') gw_text_addf(&q->text, "$%u", (unsigned)(*at - '0') + q->count);
        else gw_text_addf(&q->text, "$%c", *at);
    }
    for (uint32_t i = 0; i < count && good; i++) q->operand[q->count + i] = operands[i];
    if (good) q->root = q->has_root ? q->root : root, q->has_root = true, q->count += count;
    free(name), free(of);
    return good;
}

/* "$" of the user's is "$$" in a question. */
static bool add_literal(question *q, CXCursor e) {
    gw_text tokens = {0};
    const bool good = gw_front_add_literal(q->L, e, &tokens);
    for (const char *at = good ? tokens.at : ""; *at; at++)
        gw_text_addf(&q->text, *at == '$' ? "$%c" : "%c", *at);
    gw_text_free(&tokens);
    return good;
}

/* A conversion may hide it. */
static bool is_enumerated(CXCursor e) {
    while (gw_front_is_cast(clang_getCursorKind(e)) || clang_getCursorKind(e) == CXCursor_ParenExpr) {
        const CXCursor inner = gw_front_expression(e);
        if (clang_Cursor_isNull(inner)) return false;
        e = inner;
        if (clang_getCanonicalType(clang_getCursorType(e)).kind == CXType_Enum) return true;
    }
    return false;
}

static bool add_number(question *q, CXCursor e) {
    const gw_shape_data d = *gw_front_shape_at(q->L->u, gw_front_shape_of(q->L, e));
    int64_t n;
    double real;
    bool is_real;
    if (d.kind != GW_SHAPE_SCALAR || gw_type_is_float(d.type) || gw_front_acts(e)) return false;
    const CXType type = clang_getCanonicalType(clang_getCursorType(e));
    if (type.kind == CXType_Enum || is_enumerated(e)) return false;
    if (clang_getCursorKind(e) == CXCursor_CharacterLiteral && add_literal(q, e)) return true;
    const gw_str spelled = gw_front_intern(q->L->u, clang_getTypeSpelling(clang_getUnqualifiedType(type)));
    if (type.kind != CXType_Int) gw_text_addf(&q->text, "(%s)", GW_FRONT_TEXT(q->L, spelled));
    if (gw_front_evaluate(e, &n, &real, &is_real) && !is_real && n == (int32_t)n) {
        gw_text_addf(&q->text, n < 0 ? "(%lld)" : "%lld", (long long)n);
        return true;
    }
    if (q->count == MOST_OPERANDS) return false;
    q->operand[q->count++] = gw_front_scalar(q->L, e);
    gw_text_addf(&q->text, type.kind != CXType_Int ? "($%u)" : "$%u", q->count);
    return !q->L->failed;
}

/* a of a.f(x); null: it is another call. */
static CXCursor object_of(CXCursor call) {
    gw_cursors parts = {0};
    gw_front_expressions(call, &parts);
    const CXCursor first = parts.count ? gw_front_strip(parts.at[0]) : clang_getNullCursor();
    gw_vec_free(&parts);
    const bool is_member = !clang_Cursor_isNull(first) && gw_front_is_member_name(first);
    return is_member ? gw_front_expression(first) : clang_getNullCursor();
}

static bool add_arguments(question *q, CXCursor call, uint32_t from) {
    const int count = clang_Cursor_getNumArguments(call);
    for (int i = (int)from; i < count; i++) {
        const CXCursor argument = clang_Cursor_getArgument(call, (unsigned)i);
        if (gw_front_is_default_argument(argument)) break;
        gw_text_add(&q->text, i > (int)from ? ", " : "");
        if (!add(q, argument)) return false;
    }
    return true;
}

/* `++it` of a comparison, which steps once, and is then asked where it stands. */
static bool add_side(question *q, CXCursor e) {
    const CXCursor called = gw_front_behind_casts(q->L, e), callee = gw_front_named_function(called);
    const bool is_call = clang_getCursorKind(called) == CXCursor_CallExpr && gw_front_is_method(callee);
    const gw_str name = is_call ? gw_front_intern(q->L->u, clang_getCursorSpelling(callee)) : 0;
    const bool up = name == gw_intern(q->L->session, "operator++");
    if (!up && name != gw_intern(q->L->session, "operator--")) return add(q, e);
    if (!gw_front_is_asked_class(q->L->u, clang_getCursorType(clang_getCursorSemanticParent(callee))))
        return add(q, e);
    const gw_place p = gw_front_place(q->L, called);
    return !q->L->failed && add_place(q, p);
}

static bool add_operator(question *q, CXCursor call, const char *sign) {
    static const char *const infix[] = {"==", "!=", "<", ">", "<=", ">="};
    const int count = clang_Cursor_getNumArguments(call);
    const CXCursor first = clang_Cursor_getArgument(call, 0);
    if (count == 1 && (strcmp(sign, "*") == 0 || strcmp(sign, "->") == 0)) {
        gw_text_add(&q->text, "(*");
        if (!add(q, first)) return false;
        gw_text_add(&q->text, ")");
        return true;
    }
    if (count != 2) return false;
    if (strcmp(sign, "[]") == 0) {
        if (!add(q, first)) return false;
        gw_text_add(&q->text, "[");
        if (!add(q, clang_Cursor_getArgument(call, 1))) return false;
        gw_text_add(&q->text, "]");
        return true;
    }
    for (size_t i = 0; i < sizeof infix / sizeof *infix; i++) {
        if (strcmp(sign, infix[i]) != 0) continue;
        if (!add_side(q, first)) return false;
        gw_text_addf(&q->text, "$c %s ", sign);
        return add_side(q, clang_Cursor_getArgument(call, 1));
    }
    return false;
}

static bool is_const_function(CXCursor callee) {
    const enum CXCursorKind kind = clang_getCursorKind(callee);
    if (kind == CXCursor_CXXMethod) return clang_CXXMethod_isConst(callee) != 0;
    return kind == CXCursor_FunctionDecl;
}

/* What the object says to that, by itself. */
static gw_value ask_object(question *q, CXCursor object, const char *what, CXCursor argument) {
    question asked = {.L = q->L};
    gw_value answer = 0;
    gw_text_add(&asked.text, "");
    bool good = add(&asked, object);
    gw_text_addf(&asked.text, ".%s(", what);
    good = good && (clang_Cursor_isNull(argument) || add(&asked, argument));
    gw_text_add(&asked.text, ")");
    if (good && asked.has_root) {
        const gw_place p =
            gw_front_question(q->L, asked.root, GW_T_U64, asked.text.at, asked.operand, asked.count);
        answer = gw_front_load(q->L, p);
    }
    gw_text_free(&asked.text);
    return answer;
}

/* Functions that may be asked: those that may throw after the question whether they do; the derivative throws
 * there, too. False: it is another one, or nobody can say. */
static bool never_throws(question *q, CXCursor call, const char *name) {
    static const char *const quiet[] = {
        "size", "length", "empty", "count", "contains", "find", "rfind", "begin", "end", "cbegin", "cend",
        "front", "back", "starts_with", "ends_with", "find_first_of", "find_last_of", "find_first_not_of",
        "find_last_not_of", "lower_bound", "upper_bound"};
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++)
        if (strcmp(name, quiet[i]) == 0) return true;
    const bool at = strcmp(name, "at") == 0, part = strcmp(name, "substr") == 0;
    const CXCursor object = object_of(call), argument = clang_Cursor_getArgument(call, 0);
    if (strcmp(name, "compare") == 0) return clang_Cursor_getNumArguments(call) == 1;
    if (!at && !part) return false;
    const CXCursor class = clang_getCursorSemanticParent(gw_front_named_function(call));
    const bool is_text = gw_front_is_asked_by_index(q->L->u, clang_getCursorType(class));
    const CXCursor none = clang_getNullCursor();
    const gw_value has = ask_object(q, object, is_text ? "size" : "count", is_text ? none : argument);
    if (!has) return false;
    gw_value index = gw_int(&q->L->b, GW_T_U64, 0);
    if (is_text && !gw_front_is_default_argument(argument)) {
        if (gw_front_kind_of(q->L, argument) != GW_SHAPE_SCALAR || gw_front_acts(argument)) return false;
        index = gw_cast(&q->L->b, GW_T_U64, gw_front_scalar(q->L, argument));
    }
    const gw_value one = gw_int(&q->L->b, GW_T_U64, 1);
    gw_front_throw_outside(q->L, call, index, part ? gw_binary(&q->L->b, GW_OP_ADD, has, one) : has);
    return !q->L->failed;
}

static bool add_call(question *q, CXCursor call) {
    const CXCursor callee = gw_front_named_function(call);
    if (clang_Cursor_isNull(callee) || !gw_front_is_in_std(callee) || !is_const_function(callee)) return false;
    const char *name = spelling(q->L, callee);
    if (strncmp(name, "operator", 8) == 0) return add_operator(q, call, name + 8);
    if (gw_front_steps_aside(q->L->u, callee)) {
        gw_text_addf(&q->text, "std::%s(", name);
        if (!add_arguments(q, call, 0)) return false;
        gw_text_add(&q->text, ")");
        return true;
    }
    const CXCursor object = object_of(call);
    if (clang_Cursor_isNull(object) || !never_throws(q, call, name) || !add(q, object)) return false;
    gw_text_addf(&q->text, ".%s(", name);
    if (!add_arguments(q, call, 0)) return false;
    gw_text_add(&q->text, ")");
    return true;
}

/* A copy, or an object made of a literal, which the function that is asked makes again. */
static bool add_made(question *q, CXCursor e) {
    const CXCursor argument = clang_Cursor_getArgument(e, 0);
    const bool is_more = clang_Cursor_getNumArguments(e) > 1 &&
                         !gw_front_is_default_argument(clang_Cursor_getArgument(e, 1));
    return !is_more && !clang_Cursor_isNull(argument) && add(q, argument);
}

/* ---- functions of the user's that only say where text is ---- */
static bool is_getter(gw_lowering *L, CXCursor call);

typedef struct effects {
    gw_lowering *L;
    bool any;
} effects;

static bool is_loud(gw_lowering *L, CXCursor e) {
    const bool is_call = clang_getCursorKind(e) == CXCursor_CallExpr;
    return is_call ? !is_getter(L, e) && !gw_front_asks(L, e) : gw_front_acts_itself(e);
}

static enum CXChildVisitResult visit_effect(CXCursor c, CXCursor parent, CXClientData data) {
    effects *found = data;
    (void)parent;
    found->any |= is_loud(found->L, c);
    return found->any ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* A question may name it as often as it likes. */
static bool is_quiet(gw_lowering *L, CXCursor e) {
    effects found = {.L = L};
    if (is_loud(L, e)) return false;
    clang_visitChildren(e, visit_effect, &found);
    return !found.any;
}

/* What the function gives, if that is all it does; else null. */
static CXCursor only_result(CXCursor definition) {
    const CXCursor body = gw_front_body(definition);
    gw_cursors parts = {0};
    if (!clang_Cursor_isNull(body)) gw_front_children(body, &parts);
    const bool returns = parts.count == 1 && clang_getCursorKind(parts.at[0]) == CXCursor_ReturnStmt;
    const CXCursor result = returns ? gw_front_expression(parts.at[0]) : clang_getNullCursor();
    gw_vec_free(&parts);
    return result;
}

/* `const std::string &name() const { return name_; }`; what its arguments do its caller looks at. */
static bool is_getter(gw_lowering *L, CXCursor call) {
    const CXCursor callee = gw_front_named_function(call);
    if (clang_Cursor_isNull(callee) || gw_front_is_in_std(callee)) return false;
    const enum CXCursorKind kind = clang_getCursorKind(callee);
    const bool is_known = kind == CXCursor_FunctionDecl ||
                          (kind == CXCursor_CXXMethod && !clang_CXXMethod_isVirtual(callee));
    const CXCursor definition = clang_getCursorDefinition(callee);
    if (!is_known || clang_Cursor_isNull(definition)) return false;
    if (!gw_front_is_reference(clang_getCursorResultType(callee))) return false;
    const CXCursor result = only_result(definition);
    return !clang_Cursor_isNull(result) && is_quiet(L, result);
}

/* ---- constants ---- */
/* The literal that the text is made of, which nobody changes afterwards; else null. */
static CXCursor literal_of(gw_lowering *L, CXCursor variable) {
    if (clang_getCursorKind(variable) != CXCursor_VarDecl) return clang_getNullCursor();
    const CXType type = clang_getCanonicalType(clang_getCursorType(variable));
    const bool leads = type.kind == CXType_Pointer;
    const CXType letter = leads ? clang_getPointeeType(type) : clang_getArrayElementType(type);
    const enum CXTypeKind of = clang_getCanonicalType(letter).kind;
    const bool is_letters = of == CXType_Char_S || of == CXType_Char_U;
    const bool is_const = clang_isConstQualifiedType(type) || (!leads && clang_isConstQualifiedType(letter));
    const bool is_text = strncmp(spelling(L, clang_getTypeDeclaration(type)), "basic_string", 12) == 0;
    if (!is_const || !(is_letters || is_text)) return clang_getNullCursor();
    CXCursor e = clang_Cursor_getVarDeclInitializer(variable);
    for (;;) {
        if (!clang_Cursor_isNull(e)) e = gw_front_strip(e);
        if (clang_Cursor_isNull(e) || clang_getCursorKind(e) == CXCursor_StringLiteral) return e;
        const bool is_made = clang_getCursorKind(e) == CXCursor_CallExpr &&
                             clang_getCursorKind(clang_getCursorReferenced(e)) == CXCursor_Constructor;
        const CXCursor more = is_made ? clang_Cursor_getArgument(e, 1) : clang_getNullCursor();
        if (!clang_Cursor_isNull(more) && !gw_front_is_default_argument(more)) return clang_getNullCursor();
        if (is_made) e = clang_Cursor_getArgument(e, 0);
        else e = gw_front_is_cast(clang_getCursorKind(e)) ? gw_front_expression(e) : clang_getNullCursor();
    }
}

/* The view of a text, which the other side of a comparison makes by itself. */
static bool is_conversion(gw_lowering *L, CXCursor call) {
    const CXCursor callee = gw_front_named_function(call);
    if (clang_getCursorKind(callee) != CXCursor_ConversionFunction || !gw_front_is_in_std(callee)) return false;
    return gw_front_is_asked_owner(L->u, clang_getCursorResultType(callee)) &&
           !clang_Cursor_isNull(object_of(call));
}

static bool add_variable(question *q, CXCursor variable) {
    const CXCursor literal = literal_of(q->L, variable);
    if (clang_Cursor_isNull(literal)) return false;
    const CXType type = clang_getUnqualifiedType(clang_getCanonicalType(clang_getCursorType(variable)));
    const bool is_class = type.kind == CXType_Record;
    const gw_str spelled = gw_front_intern(q->L->u, clang_getTypeSpelling(type));
    if (is_class) gw_text_addf(&q->text, "%s(", GW_FRONT_TEXT(q->L, spelled));
    if (!add_literal(q, literal)) return false;
    if (is_class) gw_text_add(&q->text, ")");
    return true;
}

static bool add(question *q, CXCursor e) {
    e = gw_front_strip(e);
    const enum CXCursorKind kind = clang_getCursorKind(e);
    const CXCursor named = clang_getCursorReferenced(e);
    if (q->L->failed) return false;
    if (kind == CXCursor_StringLiteral) return add_literal(q, e);
    if (kind == CXCursor_CallExpr && clang_getCursorKind(named) == CXCursor_Constructor) return add_made(q, e);
    if (kind == CXCursor_CallExpr && gw_front_asks(q->L, e)) return add_call(q, e);
    if (kind == CXCursor_CallExpr && is_conversion(q->L, e)) return add(q, object_of(e));
    if (gw_front_kind_of(q->L, e) == GW_SHAPE_SCALAR) return add_number(q, e);
    if (kind == CXCursor_DeclRefExpr && add_variable(q, named)) return true;
    const bool is_named = kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr;
    if (is_named || kind == CXCursor_CallExpr) {
        if (!is_quiet(q->L, e)) return false;
        const gw_place p = gw_front_place(q->L, e);
        return !q->L->failed && add_place(q, p);
    }
    const CXCursor inner = gw_front_is_cast(kind) ? gw_front_expression(e) : clang_getNullCursor();
    return !clang_Cursor_isNull(inner) && add(q, inner);
}

/* It names what a table holds. */
static bool is_inside(gw_lowering *L, CXCursor e) {
    e = gw_front_strip(e);
    while (gw_front_is_cast(clang_getCursorKind(e)) && !clang_Cursor_isNull(gw_front_expression(e)))
        e = gw_front_strip(gw_front_expression(e));
    const CXCursor named = clang_getCursorReferenced(e);
    if (clang_getCursorKind(e) == CXCursor_CallExpr) return gw_front_asks(L, e);
    if (clang_getCursorKind(e) == CXCursor_MemberRefExpr) {
        const CXCursor of = gw_front_expression(e);
        return !clang_Cursor_isNull(of) && is_inside(L, of);
    }
    for (uint32_t i = L->bindings.count; i-- > 0 && clang_getCursorKind(e) == CXCursor_DeclRefExpr;)
        if (clang_equalCursors(L->bindings.at[i].decl, named))
            return gw_front_can_be_asked(L, &L->bindings.at[i].place);
    return false;
}

/* A const function of a sequence of numbers that a table holds. */
static bool asks_inside(gw_lowering *L, CXCursor call, CXCursor callee) {
    const CXType class = clang_getCursorType(clang_getCursorSemanticParent(callee));
    if (!gw_front_is_asked_inside(L->u, class)) return false;
    const CXCursor object =
        gw_front_is_operator_call(call, callee) ? clang_Cursor_getArgument(call, 0) : object_of(call);
    return !clang_Cursor_isNull(object) && is_inside(L, object);
}

/* Whether it is a call of a const function of a class that can be asked, or a comparison of such. */
bool gw_front_asks(gw_lowering *L, CXCursor call) {
    const CXCursor callee = gw_front_named_function(call);
    if (clang_Cursor_isNull(callee) || !gw_front_is_in_std(callee) || !is_const_function(callee)) return false;
    if (L->f->kind != GW_FUNC_HOST || L->is_program) return false;
    if (gw_front_is_method(callee))
        return gw_front_is_asked_class(L->u, clang_getCursorType(clang_getCursorSemanticParent(callee))) ||
               asks_inside(L, call, callee);
    if (clang_Cursor_getNumArguments(callee) < 1) return false;
    if (gw_front_steps_aside(L->u, callee)) return true;
    if (strncmp(spelling(L, callee), "operator", 8) != 0) return false;
    return gw_front_is_asked_class(L->u, clang_getArgType(clang_getCursorType(callee), 0)) ||
           gw_front_is_asked_class(L->u, clang_getArgType(clang_getCursorType(callee), 1));
}

/* ---- strcmp and its like ---- */
/* Text that a parameter leads to, and that nobody writes to. */
static bool add_text(question *q, CXCursor e) {
    gw_lowering *L = q->L;
    int64_t first;
    const CXCursor literal = gw_front_behind_casts(L, e);
    if (clang_getCursorKind(literal) == CXCursor_StringLiteral)
        return add_literal(q, literal);
    if (gw_front_kind_of(L, e) != GW_SHAPE_POINTER) return add_number(q, e);
    if (q->has_root || gw_front_acts(e)) return false;
    const gw_place p = gw_front_pointer(L, e);
    if (L->failed || p.kind != GW_PLACE_MEMORY || gw_front_is_unknown(L, &p) || !p.count) return false;
    const gw_object_kind kind = gw_object_at(L->f, p.object)->kind;
    const bool stays = kind == GW_OBJECT_POINTER && gw_cell_is_const(L->f, p.object, p.path);
    if (!stays || !gw_const_int(L->f, p.index[p.count - 1], &first) || first) return false;
    q->has_root = true, q->root = p;
    gw_text_add(&q->text, "$p");
    return true;
}

/* A function of C that makes a number of text alone. */
static bool asks_text(gw_lowering *L, CXCursor callee) {
    static const char *const names[] = {"strlen", "strcmp", "strncmp", "strcasecmp", "strncasecmp", "strnlen",
                                        "strspn", "strcspn", "atoi", "atol", "atoll", "atof"};
    if (clang_Cursor_isNull(callee) || clang_getCursorKind(callee) != CXCursor_FunctionDecl) return false;
    const bool is_library = gw_front_is_library(L->u, callee) && gw_front_is_known(L->u, callee);
    for (size_t i = 0; is_library && i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], spelling(L, callee)) == 0) return true;
    return false;
}

static bool ask_text(gw_lowering *L, CXCursor callee, const gw_cursors *arguments, gw_call_result *r) {
    question q = {.L = L};
    bool good = L->f->kind == GW_FUNC_HOST && !L->is_program;
    gw_text_addf(&q.text, "%s(", spelling(L, callee));
    for (uint32_t i = 0; i < arguments->count && good; i++) {
        gw_text_add(&q.text, i ? ", " : "");
        good = add_text(&q, arguments->at[i]);
    }
    gw_text_add(&q.text, ")");
    good &= q.has_root;
    const gw_shape shape = gw_front_shape(L->u, clang_getCursorResultType(callee));
    L->asks |= good;
    if (good) r->value = gw_front_load(L, gw_front_question(L, q.root, shape, q.text.at, q.operand, q.count));
    gw_text_free(&q.text);
    return good;
}

bool gw_front_asked_copy(gw_lowering *L, CXCursor e, gw_shape shape, gw_place *copy) {
    question q = {.L = L};
    gw_text_add(&q.text, "");
    const bool good = add(&q, e) && q.has_root;
    L->asks |= good;
    if (good) *copy = gw_front_question(L, q.root, shape, q.text.at, q.operand, q.count);
    gw_text_free(&q.text);
    return good;
}

/* Text that nobody can ask is unknown; a table's functions are not looked into. */
static bool refuse_table(gw_lowering *L, CXCursor call) {
    const CXCursor callee = gw_front_named_function(call);
    CXType of = clang_getArgType(clang_getCursorType(callee), 0);
    if (gw_front_is_method(callee)) of = clang_getCursorType(clang_getCursorSemanticParent(callee));
    const bool is_table = gw_front_is_asked_class(L->u, of) || gw_front_is_asked_inside(L->u, of);
    if (L->failed || !is_table || gw_front_is_passed_type(L->u, of)) return false;
    char *what = gw_format("what %s gives here", GW_FRONT_TEXT(L, gw_front_qualified(L->u, callee)));
    gw_front_refuse(L, call, what,
                    "ask for a number, by whole numbers and literals, or outside of the function");
    free(what);
    return true;
}

bool gw_front_ask(gw_lowering *L, CXCursor call, const gw_cursors *arguments, gw_call_result *r) {
    if (asks_text(L, gw_front_named_function(call)))
        return ask_text(L, gw_front_named_function(call), arguments, r);
    if (!gw_front_asks(L, call)) return false;
    question q = {.L = L};
    const CXCursor callee = gw_front_named_function(call);
    CXType type = clang_getResultType(clang_getCursorType(callee));
    const bool leads = clang_getCanonicalType(type).kind == CXType_Pointer;
    if (leads && strcmp(spelling(L, callee), "operator->") != 0) return refuse_table(L, call);
    type = leads ? clang_getPointeeType(clang_getCanonicalType(type)) : clang_getNonReferenceType(type);
    const gw_shape shape = gw_front_shape(L->u, type);
    const gw_shape_data d = *gw_front_shape_at(L->u, shape);
    const bool is_pair = strcmp(spelling(L, clang_getTypeDeclaration(type)), "pair") == 0; /* of text */
    const bool is_enum = clang_getCanonicalType(type).kind == CXType_Enum;
    const bool is_part =
        gw_front_is_asked_class(L->u, type) || gw_front_is_asked_inside(L->u, type) || is_pair;
    const bool has_answer = (d.kind == GW_SHAPE_SCALAR && !is_enum) || is_part ||
                            (d.kind == GW_SHAPE_STRUCT && !d.is_union && !d.has_pointer && !d.has_array);
    gw_text_add(&q.text, "");
    const bool good = has_answer && !L->failed && add_call(&q, call) && q.has_root;
    L->asks |= good;
    if (good) r->place = gw_front_question(L, q.root, shape, q.text.at, q.operand, q.count);
    const bool is_value = good && d.kind == GW_SHAPE_SCALAR &&
                          !gw_front_is_reference(clang_getResultType(clang_getCursorType(callee))) && !leads;
    if (is_value) r->value = gw_front_load(L, r->place);
    gw_text_free(&q.text);
    return good || refuse_table(L, call);
}
