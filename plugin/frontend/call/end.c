/*
 * frontend/call/end.c - where a function of the host does not come back: exit, abort, throw.
 *
 * A STOP ends the derivative there as the source ends: nothing flows back through it, and what is behind it in
 * its branch is not reached. Its text is a statement for any place of the file: names in full, and of what is
 * thrown only literals.
 */
#include "plugin/frontend/call/call.h"
#include "plugin/frontend/lower.h"
#include "plugin/frontend/place/place.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/diagnostics.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *text; /* without brackets: it takes an argument */
} ends[] = {
    {"abort", "abort()"},
    {"exit", "exit"},
    {"_exit", "_exit"},
    {"_Exit", "_Exit"},
    {"quick_exit", "quick_exit"},
    {"terminate", "std::terminate()"},
    {"__builtin_trap", "__builtin_trap()"},
    {"__builtin_abort", "abort()"},
};

/* A parameter of the emitted function may have the name of what is called or thrown. */
static char *from_outside(const gw_lowering *L, CXCursor decl, const char *name) {
    return gw_format("%s%s", L->session->is_c || !gw_front_in_namespace(decl, "") ? "" : "::", name);
}

static void stop(gw_lowering *L, gw_stop how, const char *text, const gw_value *operand) {
    gw_op op = gw_emit(&L->b, GW_OP_STOP, GW_T_VOID, 0, operand, operand ? 1 : 0);
    gw_op_at(L->f, op)->attr = how;
    gw_op_at(L->f, op)->path = gw_intern(L->session, text);
    L->dead = L->stopped = true;
}

/* The text of what ends the process; NULL: it is another function. */
static const char *end_of(gw_unit *u, CXCursor callee) {
    if (clang_getCursorKind(callee) != CXCursor_FunctionDecl || !gw_front_is_library(u, callee)) return NULL;
    const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(callee)));
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(ends[i].name, name) == 0) return ends[i].text;
    return NULL;
}

bool gw_front_end(gw_lowering *L, CXCursor callee, const gw_cursors *arguments) {
    const bool here = L->f->kind == GW_FUNC_HOST && !L->is_program;
    const char *end = here ? end_of(L->u, callee) : NULL;
    if (!end) return false;
    const gw_value code = arguments->count ? gw_front_scalar(L, arguments->at[0]) : 0;
    char *text = from_outside(L, callee, end);
    if (!L->failed) stop(L, GW_STOP_ENDS, text, code ? &code : NULL);
    free(text);
    return true;
}

/* "file:line does that", quoted, to be freed. */
static char *place_of(gw_lowering *L, CXCursor e, const char *does) {
    const gw_loc at = gw_front_users_place(L, e);
    const char *file = GW_FRONT_TEXT(L, at.file), *slash = strrchr(file, '/');
    return gw_format("\"%s:%u %s\"", slash ? slash + 1 : file, at.line, does);
}

static void end_there(gw_lowering *L, CXCursor e, const char *does) {
    char *place = place_of(L, e, does), *text = gw_format("gw_end_unknown(%s)", place);
    stop(L, GW_STOP_ENDS, text, NULL);
    free(text), free(place);
}

void gw_front_end_unknown(gw_lowering *L, CXCursor call, const char *what) {
    char *refused = gw_format("a call of a %s that only a run knows, in code of the device,", what);
    if (L->f->kind != GW_FUNC_HOST || L->is_program)
        gw_front_refuse(L, call, refused, "call the functions by their names in the branches of an if");
    free(refused);
    char *does = gw_format("calls a %s", what);
    if (!L->failed) end_there(L, call, does);
    free(does);
}

bool gw_front_end_recursion(gw_lowering *L, CXCursor call, CXCursor function, gw_call_result *r) {
    const bool here = L->f->kind == GW_FUNC_HOST && !L->is_program;
    const gw_shape shape = gw_front_shape(L->u, clang_getCursorResultType(function));
    const CXCursor class = clang_getCursorSemanticParent(function);
    if (!here || gw_front_shape_kind(L->u, shape) != GW_SHAPE_SCALAR) return false;
    if (!gw_front_is_open_class(L->u, class)) return false;
    r->value = gw_int(&L->b, gw_front_shape_at(L->u, shape)->type, 0); /* nobody sees it */
    end_there(L, call, "draws integers from more than its engine gives at once,");
    return true;
}

/* ---- throw ---- */
/* The text literal behind conversions, such as that to std::string; null: there is none. */
static CXCursor text_of(CXCursor e) {
    while (clang_getCursorKind(e) != CXCursor_StringLiteral) {
        const bool converts = gw_front_is_cast(clang_getCursorKind(e)) ||
                              clang_getCursorKind(e) == CXCursor_ParenExpr ||
                              (clang_getCursorKind(e) == CXCursor_CallExpr &&
                               clang_getCursorKind(clang_getCursorReferenced(e)) == CXCursor_Constructor);
        const CXCursor inner = converts ? gw_front_expression(e) : clang_getNullCursor();
        if (clang_Cursor_isNull(inner)) return inner;
        e = inner;
    }
    return e;
}

/* "(type)value" of a constant; false: it is none, or of a type that the text cannot name. */
static bool add_constant(gw_lowering *L, CXCursor e, gw_text *text) {
    const CXType type = clang_getCanonicalType(clang_getCursorType(e));
    const gw_str name = gw_front_type_text(L->u, clang_getUnqualifiedType(type));
    const bool is_named = type.kind != CXType_Enum || gw_front_is_spelled(L->u, name);
    int64_t n = 0;
    double real = 0;
    bool is_real = false;
    if (gw_front_kind_of(L, e) != GW_SHAPE_SCALAR || !is_named || type.kind == CXType_NullPtr) return false;
    if (!gw_front_evaluate(e, &n, &real, &is_real) || n == INT64_MIN) return false;
    if (is_real)
        gw_text_addf(text, "(%s)%.17g", GW_FRONT_TEXT(L, name), real);
    else
        gw_text_addf(text, "(%s)%lld", GW_FRONT_TEXT(L, name), (long long)n);
    return true;
}

static bool takes_text(gw_lowering *L, CXCursor constructor) {
    const CXType t = clang_getNonReferenceType(clang_getArgType(clang_getCursorType(constructor), 0));
    const CXType to = clang_getCanonicalType(clang_getPointeeType(clang_getCanonicalType(t)));
    return to.kind == CXType_Char_S || to.kind == CXType_Char_U || gw_front_is_passed_type(L->u, t);
}

/* What is between the brackets: literals and constants, else, of one text, where it is thrown. */
static bool add_arguments(gw_lowering *L, CXCursor made, const char *place, gw_text *text) {
    const int count = clang_Cursor_getNumArguments(made);
    gw_text all = {0};
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        const CXCursor argument = clang_Cursor_getArgument(made, (unsigned)i);
        if (gw_front_is_default_argument(argument)) break;
        const CXCursor literal = text_of(argument);
        if (i) gw_text_add(&all, ", ");
        good = (!clang_Cursor_isNull(literal) && gw_front_add_literal(L, literal, &all)) ||
               add_constant(L, argument, &all);
    }
    const bool by_place = !good && count == 1 && takes_text(L, clang_getCursorReferenced(made));
    if (good && all.at) gw_text_add(text, all.at);
    if (by_place) gw_text_add(text, place);
    gw_text_free(&all);
    return good || by_place;
}

/* A class and its constructor, of which no part is private or protected. */
static bool is_open(CXCursor constructor) {
    bool open = true;
    for (CXCursor c = constructor; open && !clang_isTranslationUnit(clang_getCursorKind(c));
         c = clang_getCursorSemanticParent(c)) {
        const enum CX_CXXAccessSpecifier access = clang_getCXXAccessSpecifier(c);
        open = access != CX_CXXPrivate && access != CX_CXXProtected && !clang_Cursor_isNull(c) &&
               clang_getCursorKind(c) != CXCursor_NoDeclFound;
    }
    return open;
}

/* What is thrown is a constant, or of a class that the text can name; false: it is another thing. */
static bool spell_thrown(gw_lowering *L, CXCursor e, const char *place, gw_text *text) {
    const CXType type = clang_getCanonicalType(clang_getCursorType(e));
    const CXCursor literal = text_of(e), made = gw_front_construction(e);
    const gw_str name = gw_front_type_text(L->u, type);
    if (type.kind == CXType_Pointer)
        return !clang_Cursor_isNull(literal) && gw_front_add_literal(L, literal, text);
    if (type.kind != CXType_Record) return add_constant(L, e, text);
    if (clang_getCursorKind(made) != CXCursor_CallExpr || !gw_front_is_spelled(L->u, name)) return false;
    if (!is_open(clang_getCursorReferenced(made))) return false;
    char *full = from_outside(L, clang_getTypeDeclaration(type), GW_FRONT_TEXT(L, name));
    gw_text_addf(text, "%s(", full);
    free(full);
    const bool good = add_arguments(L, made, place, text);
    gw_text_add(text, ")");
    return good;
}

static void refuse_may_stay(gw_lowering *L, CXCursor e) {
    gw_front_refuse(L, e, "a throw in a function that says noexcept(...)",
                    "write noexcept alone, or leave it out");
}

static bool throws(gw_unit *u, CXCursor c, const void *none) {
    (void)none;
    if (clang_getCursorKind(c) == CXCursor_CXXThrowExpr) return true;
    return clang_getCursorKind(c) == CXCursor_CallExpr && gw_front_is_checked(u, clang_getCursorReferenced(c));
}

static bool stops(gw_unit *u, CXCursor c, const void *none) {
    if (throws(u, c, none)) return true;
    return clang_getCursorKind(c) == CXCursor_CallExpr && end_of(u, clang_getCursorReferenced(c));
}

/* Nobody can say it of a function of C++ whose body is elsewhere and that does not say noexcept. */
static bool may(gw_lowering *L, CXCursor callee, gw_front_sought *sought) {
    const CXCursor definition = clang_getCursorDefinition(callee);
    if (!clang_Cursor_isNull(definition)) return gw_front_reaches(L->u, definition, sought, NULL);
    return !L->session->is_c && !gw_front_is_noexcept(callee);
}

uint16_t gw_front_ways_out(gw_lowering *L, CXCursor call, CXCursor callee) {
    const uint16_t ordered = gw_front_is_ordered(L->u, clang_getCanonicalCursor(callee)) ? GW_OP_ORDERED : 0;
    if (L->f->kind != GW_FUNC_HOST || L->is_program) return ordered;
    const bool ruled = gw_front_rule_of(L->u, clang_getCanonicalCursor(callee)) != UINT32_MAX;
    const gw_leaving how = gw_front_leaves(L, 0);
    const bool asked = how != GW_LEAVES && may(L, callee, throws);
    if (asked && how == GW_MAY_STAY) refuse_may_stay(L, call);
    if (L->tries.count && !gw_front_is_noexcept(callee) && may(L, callee, throws))
        gw_front_refuse_thrown(L, call);
    return (uint16_t)((asked ? GW_OP_STAYS : 0) | (ruled && may(L, callee, stops) ? GW_OP_MAY_STOP : 0) |
                      ordered);
}

/* False: what is thrown here leaves no function; it was said or refused. */
static bool gets_out(gw_lowering *L, CXCursor e) {
    const gw_leaving how = gw_front_leaves(L, 0);
    if (how == GW_STAYS) stop(L, GW_STOP_THROWS, "std::terminate()", NULL);
    if (how == GW_MAY_STAY) refuse_may_stay(L, e);
    return how == GW_LEAVES;
}

void gw_front_throw(gw_lowering *L, CXCursor e) {
    const CXCursor thrown = gw_front_expression(e);
    if (!clang_Cursor_isNull(thrown) && gw_front_catch(L, e, thrown)) return;
    if (clang_Cursor_isNull(thrown) && gw_front_refuse_thrown(L, e)) return;
    if (!gets_out(L, e)) return;
    if (clang_Cursor_isNull(thrown)) {
        gw_front_refuse_kind(L, e);
        return;
    }
    char *place = place_of(L, e, "throws");
    gw_text text = {0};
    const bool is_spelled = spell_thrown(L, thrown, place, &text);
    if (!is_spelled) gw_diag(L->session, GW_DIAG_OTHER_EXCEPTION, gw_front_at(L, e));
    char *statement =
        is_spelled ? gw_format("throw %s", text.at) : gw_format("throw std::runtime_error(%s)", place);
    stop(L, GW_STOP_THROWS, statement, NULL);
    free(statement), free(place);
    gw_text_free(&text);
}

/* Behind it the condition holds; else what the statement throws leaves the function, or stays in a try. */
static void throw_unless(gw_lowering *L, CXCursor e, gw_value condition, const char *statement) {
    gw_branch yes = gw_front_branch_begin(L);
    gw_front_branch_end(L, &yes);
    gw_branch no = gw_front_branch_begin(L);
    if (L->is_program)
        gw_front_stop(L);
    else if (!gw_front_catch(L, e, clang_getNullCursor()) && gets_out(L, e))
        stop(L, GW_STOP_THROWS, statement, NULL);
    gw_front_branch_end(L, &no);
    gw_front_branch_join(L, condition, &yes, &no);
    gw_front_unthrown_begin(L);
}

void gw_front_throw_outside(gw_lowering *L, CXCursor e, gw_value index, gw_value count) {
    int64_t at, most;
    const bool known = gw_const_int(L->f, index, &at) && gw_const_int(L->f, count, &most);
    if (L->failed || L->f->kind != GW_FUNC_HOST || (known && at >= 0 && at < most)) return;
    char *place = place_of(L, e, "throws"), *statement = gw_format("throw std::out_of_range(%s)", place);
    const gw_value number = gw_cast(&L->b, GW_T_U64, index);
    throw_unless(L, e, gw_binary(&L->b, GW_OP_LT, number, gw_cast(&L->b, GW_T_U64, count)), statement);
    free(statement), free(place);
}

void gw_front_throw_empty(gw_lowering *L, CXCursor e, gw_value has) {
    if (L->failed || L->f->kind != GW_FUNC_HOST) return;
    /* in a try block it is refused before: nobody sees there whether it throws */
    throw_unless(L, e, has, "throw std::bad_optional_access()");
}

void gw_front_throw_uncallable(gw_lowering *L, CXCursor e, gw_value has) {
    int64_t known;
    if (L->failed || (gw_const_int(L->f, has, &known) && known)) return;
    if (L->f->kind != GW_FUNC_HOST || L->tries.count)
        gw_front_refuse_held(L, e);
    else
        throw_unless(L, e, has, "throw std::bad_function_call()");
}
