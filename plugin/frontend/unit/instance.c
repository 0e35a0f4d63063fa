/*
 * frontend/unit/instance.c - instantiations of templates: which there are, and how the source spells them.
 *
 * libclang shows no list of them, but a call or a name that uses one leads to it. Every body of the unit is
 * walked once, and the bodies of the instantiations that this finds; so all that the unit uses are found, in
 * the order of their first use.
 */
#include "plugin/frontend/unit/unit.h"

#include <ctype.h>
#include <string.h>

/* ---- all of them ---- */
static bool is_known(const gw_unit *u, CXCursor instance) {
    for (uint32_t i = 0; i < u->instances.count; i++)
        if (clang_equalCursors(u->instances.at[i].decl, instance)) return true;
    return false;
}

static enum CXChildVisitResult visit_use(CXCursor c, CXCursor parent, CXClientData data) {
    gw_unit *u = data;
    CXCursor used = clang_getCursorReferenced(c);
    bool top = clang_getCursorKind(parent) == CXCursor_TranslationUnit;
    if (top && clang_Location_isInSystemHeader(clang_getCursorLocation(c))) return CXChildVisit_Continue;
    enum CXCursorKind kind = clang_getCursorKind(used);
    if (kind != CXCursor_FunctionDecl && !gw_front_is_method(used)) return CXChildVisit_Recurse;
    CXCursor pattern = clang_getSpecializedCursorTemplate(used), instance = clang_getCanonicalCursor(used);
    bool system = clang_Location_isInSystemHeader(clang_getCursorLocation(used));
    if (clang_Cursor_isNull(pattern) || system || is_known(u, instance)) return CXChildVisit_Recurse;
    gw_push(&u->instances, ((gw_instance){instance, clang_getCanonicalCursor(pattern)}));
    CXCursor definition = clang_getCursorDefinition(used);
    if (!clang_Cursor_isNull(definition)) clang_visitChildren(definition, visit_use, u);
    return CXChildVisit_Recurse;
}

void gw_front_instances(gw_unit *u, CXCursor pattern, gw_cursors *out) {
    if (!u->instances_found) clang_visitChildren(clang_getTranslationUnitCursor(u->clang), visit_use, u);
    u->instances_found = true;
    for (uint32_t i = 0; i < u->instances.count; i++)
        if (clang_equalCursors(u->instances.at[i].pattern, pattern)) gw_push(out, u->instances.at[i].decl);
}

CXCursor gw_front_pattern(CXCursor function) {
    CXCursor pattern = clang_getSpecializedCursorTemplate(function);
    return clang_Cursor_isNull(pattern) ? pattern : clang_getCanonicalCursor(pattern);
}

/* ---- their arguments ---- */
typedef struct parameters {
    gw_cursors of_template, of_function;
} parameters;

static enum CXChildVisitResult visit_parameter(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    parameters *p = data;
    switch (clang_getCursorKind(c)) {
    case CXCursor_TemplateTypeParameter:
    case CXCursor_NonTypeTemplateParameter:
    case CXCursor_TemplateTemplateParameter:
        gw_push(&p->of_template, c);
        break;
    case CXCursor_ParmDecl:
        gw_push(&p->of_function, c);
        break;
    default:
        break;
    }
    return CXChildVisit_Continue;
}

static parameters parameters_of(CXCursor pattern) {
    parameters p = {0};
    clang_visitChildren(pattern, visit_parameter, &p);
    return p;
}

static void free_parameters(parameters *p) {
    gw_vec_free(&p->of_template);
    gw_vec_free(&p->of_function);
}

/* A value of the parameter's type; libclang gives `true` as -1. */
static void add_value(gw_unit *u, CXCursor parameter, long long value, gw_text *out) {
    CXType type = clang_getCanonicalType(clang_getCursorType(parameter));
    if (type.kind == CXType_Bool)
        gw_text_add(out, value ? "true" : "false");
    else if (type.kind == CXType_Enum)
        gw_text_addf(out, "(%s)%lld", gw_cstr(u->session, gw_front_type_text(u, type)), value);
    else
        gw_text_addf(out, "%lld", value);
}

/* What the template's parameter T is where a type of the template has become another: of const T * and
 * const double *, double; invalid: it is not in it. */
static CXType deduced_of(gw_unit *u, gw_str parameter, CXType pattern, CXType type) {
    for (;;) {
        if (gw_front_intern(u, clang_getTypeSpelling(clang_getUnqualifiedType(pattern))) == parameter)
            return clang_isConstQualifiedType(pattern) ? clang_getUnqualifiedType(type) : type;
        const CXType element = clang_getArrayElementType(pattern);
        const bool is_array = element.kind != CXType_Invalid;
        pattern = is_array ? element : clang_getPointeeType(pattern);
        type = is_array ? clang_getArrayElementType(type) : clang_getPointeeType(type);
        if (pattern.kind == CXType_Invalid || type.kind == CXType_Invalid) return pattern;
    }
}

/* "double" of operator()<double>, by the types of its parameters: libclang does not tell the arguments of a
 * member template. 0: they do not tell either. */
static gw_str deduced_arguments(gw_unit *u, CXCursor instance, const parameters *p) {
    const CXType type = clang_getCursorType(instance);
    gw_text text = {0};
    bool known = p->of_template.count && (uint32_t)clang_getNumArgTypes(type) == p->of_function.count;
    for (uint32_t i = 0; known && i < p->of_template.count; i++) {
        const gw_str name = gw_front_intern(u, clang_getCursorSpelling(p->of_template.at[i]));
        CXType found = {0};
        known = clang_getCursorKind(p->of_template.at[i]) == CXCursor_TemplateTypeParameter && name;
        for (uint32_t k = 0; known && found.kind == CXType_Invalid && k < p->of_function.count; k++)
            found = deduced_of(u, name, clang_getCursorType(p->of_function.at[k]), clang_getArgType(type, k));
        known &= found.kind != CXType_Invalid;
        if (!known) break;
        gw_text_addf(&text, "%s%s", i ? ", " : "", gw_cstr(u->session, gw_front_type_text(u, found)));
    }
    gw_str result = known ? gw_intern(u->session, text.at) : 0;
    gw_text_free(&text);
    return result;
}

/* How a USR writes the builtin types of arguments: "c:@two>#f#VI3" is of two<float, 3>. */
static const char *builtin_type(char code) {
    static const struct {
        char code;
        const char *type;
    } rows[] = {{'b', "bool"},          {'C', "char"},         {'s', "unsigned short"},
                {'S', "short"},         {'i', "unsigned int"}, {'I', "int"},
                {'l', "unsigned long"}, {'L', "long"},         {'k', "unsigned long long"},
                {'K', "long long"},     {'f', "float"},        {'d', "double"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].code == code) return rows[i].type;
    return NULL;
}

/* Adds the argument at `*at` and moves on behind it; false: none of builtin types. */
static bool add_argument(const char **at, gw_text *out) {
    if (*(*at)++ != '#') return false;
    const bool is_value = **at == 'V';
    const char *type = builtin_type(*(*at += is_value));
    if (out->count) gw_text_add(out, ", ");
    if (!type) return false;
    if (!is_value) {
        gw_text_add(out, type);
        ++*at;
        return true;
    }
    const size_t digits = strspn(*at + 1, "-0123456789");
    gw_text_addf(out, "%.*s", (int)digits, *at + 1);
    *at += 1 + digits;
    return digits != 0;
}

static gw_str arguments_of_variable(gw_unit *u, const char *usr) {
    gw_text text = {0};
    bool known = true;
    while (known && *usr)
        known = add_argument(&usr, &text);
    const gw_str made = known && text.count ? gw_intern(u->session, text.at) : 0;
    gw_text_free(&text);
    return made;
}

/* The end of "<...>" that begins there, or NULL. */
static const char *closing(const char *text) {
    int depth = 0, round = 0;
    for (const char *c = text; *c; c++) {
        round += (*c == '(') - (*c == ')');
        depth += !round && *c == '<';
        if (!round && *c == '>' && --depth == 0) return c;
    }
    return NULL;
}

/* Adds arguments without what tells the types of numbers: "3, 7UL" is "3, 7". */
static void add_plain(gw_text *out, const char *from, const char *to) {
    bool is_number = false;
    for (const char *c = from; c < to; c++) {
        const bool starts = c == from || (!isalnum((unsigned char)c[-1]) && c[-1] != '_');
        is_number = isdigit((unsigned char)*c) ? is_number || starts : is_number && isalpha((unsigned char)*c);
        if (!is_number || isdigit((unsigned char)*c)) gw_text_add_char(out, *c);
    }
}

/* "3" of at<3>, as Clang prints the declaration. 0: a pack, or it is not clear where they stand. */
static gw_str printed_arguments(gw_unit *u, CXCursor instance) {
    const gw_str name = gw_front_intern(u, clang_getCursorSpelling(instance));
    CXPrintingPolicy policy = clang_getCursorPrintingPolicy(instance);
    clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
    clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_FullyQualifiedName, 1);
    const gw_str whole = gw_front_intern(u, clang_getCursorPrettyPrinted(instance, policy));
    clang_PrintingPolicy_dispose(policy);
    char *head = gw_format("::%s<", gw_cstr(u->session, name));
    const char *at = strstr(gw_cstr(u->session, whole), head);
    const char *from = at ? at + strlen(head) : NULL, *to = at ? closing(from - 1) : NULL;
    const bool is_clear = to && to[1] == '(' && *from != '<' && *from != '>' && !strstr(to, head);
    gw_text text = {0};
    if (is_clear) add_plain(&text, from, to);
    const gw_str result = is_clear ? gw_intern(u->session, text.at) : 0;
    gw_text_free(&text);
    free(head);
    return result;
}

gw_str gw_front_template_arguments(gw_unit *u, CXCursor instance) {
    char *usr = gw_front_variable_usr(instance);
    const gw_str of_variable = usr ? arguments_of_variable(u, usr) : 0;
    const bool is_variable = usr != NULL;
    free(usr);
    if (is_variable) return of_variable;
    parameters p = parameters_of(gw_front_pattern(instance));
    if (clang_getCursorKind(instance) == CXCursor_CXXMethod) {
        gw_str found = deduced_arguments(u, instance, &p);
        free_parameters(&p);
        return found ? found : printed_arguments(u, instance);
    }
    int count = clang_Cursor_getNumTemplateArguments(instance);
    bool known = count > 0 && (uint32_t)count == p.of_template.count;
    gw_text text = {0};
    for (int i = 0; known && i < count; i++) {
        enum CXTemplateArgumentKind kind = clang_Cursor_getTemplateArgumentKind(instance, (unsigned)i);
        if (i) gw_text_add(&text, ", ");
        if (kind == CXTemplateArgumentKind_Type) {
            CXType type = clang_Cursor_getTemplateArgumentType(instance, (unsigned)i);
            gw_text_add(&text, gw_cstr(u->session, gw_front_type_text(u, type)));
        } else if (kind == CXTemplateArgumentKind_Integral) {
            add_value(u, p.of_template.at[i], clang_Cursor_getTemplateArgumentValue(instance, (unsigned)i),
                      &text);
        } else {
            known = false;
        }
    }
    gw_str result = known ? gw_intern(u->session, text.at) : 0;
    gw_text_free(&text);
    free_parameters(&p);
    return result;
}

/* ---- the template's own text ---- */
/* What stands between the angle brackets of "template <...>", from its tokens' places. */
gw_str gw_front_template_head(gw_unit *u, CXCursor pattern) {
    CXToken *tokens = NULL;
    unsigned count = 0, from = 0, to = 0;
    int depth = 0, round = 0;
    CXFile file = NULL;
    clang_tokenize(u->clang, clang_getCursorExtent(pattern), &tokens, &count);
    for (unsigned i = 1; i < count && !to; i++) {
        CXString spelling = clang_getTokenSpelling(u->clang, tokens[i]);
        const char *text = clang_getCString(spelling);
        unsigned offset;
        clang_getSpellingLocation(clang_getTokenLocation(u->clang, tokens[i]), &file, NULL, NULL, &offset);
        round += strcmp(text, "(") == 0;
        round -= strcmp(text, ")") == 0;
        if (!round && strcmp(text, "<") == 0 && depth++ == 0) from = offset + 1;
        for (const char *c = text; !round && strspn(text, ">") == strlen(text) && *c; c++)
            if (--depth == 0) to = offset + (unsigned)(c - text);
        clang_disposeString(spelling);
    }
    if (tokens) clang_disposeTokens(u->clang, tokens, count);
    size_t size = 0;
    const char *source = to ? clang_getFileContents(u->clang, file, &size) : NULL;
    if (!source || to > size) return 0;
    gw_text head = {0};
    for (unsigned i = from; i < to; i++)
        gw_text_add_char(&head, isspace((unsigned char)source[i]) ? ' ' : source[i]);
    gw_str result = gw_intern(u->session, head.at ? head.at : "");
    gw_text_free(&head);
    return result;
}

/* A copy's own const, which is no part of the function's type, is left out: nvcc's stubs of kernels would
 * compare it with the specialisation's, which has none. Where it comes from the template's arguments, gw_cell
 * takes it off. */
static gw_str copied_type(gw_unit *u, CXType type, CXCursor instance) {
    const bool is_const = clang_isConstQualifiedType(clang_getCanonicalType(type)),
               becomes_const =
                   clang_isConstQualifiedType(clang_getCanonicalType(clang_getCursorType(instance)));
    gw_str text = gw_front_spelled_type(u, clang_getUnqualifiedType(type));
    if (is_const || !becomes_const) return text;
    char *plain = gw_format("gw_cell<%s>", gw_cstr(u->session, text));
    text = gw_intern(u->session, plain);
    free(plain);
    return text;
}

gw_str gw_front_pattern_type(gw_unit *u, CXCursor instance, uint32_t index, bool is_copy) {
    parameters p = parameters_of(gw_front_pattern(instance));
    gw_str text = 0;
    if (index < p.of_function.count) {
        CXType type = clang_getCursorType(p.of_function.at[index]);
        text = is_copy ? copied_type(u, type, clang_Cursor_getArgument(instance, index))
                       : gw_front_spelled_type(u, type);
    }
    free_parameters(&p);
    return text;
}

/* The result's type; where the template leaves it to its body, that of a call. */
gw_str gw_front_pattern_result(gw_unit *u, CXCursor pattern) {
    gw_str spelled = gw_front_spelled_type(u, clang_getResultType(clang_getCursorType(pattern)));
    if (!strstr(gw_cstr(u->session, spelled), "auto")) return spelled;
    parameters p = parameters_of(pattern);
    gw_text text = {0};
    gw_text_addf(&text, "decltype(%s<",
                 gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(pattern))));
    for (uint32_t i = 0; i < p.of_template.count; i++) {
        gw_str name = gw_front_intern(u, clang_getCursorSpelling(p.of_template.at[i]));
        gw_text_addf(&text, "%s%s", i ? ", " : "", gw_cstr(u->session, name));
    }
    gw_text_add(&text, ">(");
    for (uint32_t i = 0; i < p.of_function.count; i++) {
        gw_str type = gw_front_spelled_type(u, clang_getCursorType(p.of_function.at[i]));
        gw_text_addf(&text, "%sgw_of<%s>()", i ? ", " : "", gw_cstr(u->session, type));
    }
    gw_text_add(&text, "))");
    gw_str result = gw_intern(u->session, text.at);
    gw_text_free(&text);
    free_parameters(&p);
    return result;
}
