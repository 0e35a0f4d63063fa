/*
 * frontend/unit/find.c - the functions that requests name: those that carry an annotation, and those that a
 * request from outside of the source spells.
 */
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/requests.h"
#include "plugin/frontend/unit/unit.h"
#include "plugin/request/request.h"

#include <string.h>

static const char prefix[] = "gradwright:";

typedef struct search {
    gw_unit *u;
    gw_annotations *annotated; /* if both are NULL, the wanted ones are looked for */
    gw_marks *marks;
    CXCursor function; /* whose attributes are visited */
    const gw_request_target *wanted;
    bool everywhere; /* in the library's headers too */
    bool lists;      /* all of them go to the unit's list */
    bool nearest;    /* names like it are looked for */
    gw_str near;
    gw_cursors matches; /* canonical */
} search;

/* ---- annotations ---- */
/* The text of the request in an annotation, and its kind; NULL if it is no request. */
static const char *kind_of(const char *annotation, gw_request_kind *kind) {
    if (strncmp(annotation, prefix, sizeof prefix - 1) != 0) return NULL;
    const char *word = annotation + sizeof prefix - 1;
    for (unsigned k = 0; k < GW_REQUEST_COUNT; k++) {
        size_t n = strlen(gw_request_rows[k].word);
        if (strncmp(word, gw_request_rows[k].word, n) != 0 || word[n] != ':') continue;
        *kind = (gw_request_kind)k;
        return word + n + 1;
    }
    return NULL;
}

static const char none[] = "gradwright:nondifferentiable", managed[] = "gradwright:managed",
                  draws[] = "gradwright:draws", ordered[] = "gradwright:ordered";

bool gw_front_is_nondifferentiable(gw_unit *u, CXCursor variable) {
    return gw_front_is_annotated(u, variable, none);
}
bool gw_front_is_managed(gw_unit *u, CXCursor variable) { return gw_front_is_annotated(u, variable, managed); }
bool gw_front_draws(gw_unit *u, CXCursor function) { return gw_front_is_annotated(u, function, draws); }
bool gw_front_is_ordered(gw_unit *u, CXCursor function) { return gw_front_is_annotated(u, function, ordered); }

/* What stands behind it; NULL: it does not begin so. */
static const char *behind(const char *annotation, const char *start) {
    const size_t n = strlen(start);
    return strncmp(annotation, start, n) == 0 ? annotation + n : NULL;
}

static void note_mark(search *s, const char *annotation, CXCursor attribute) {
    gw_mark m = {.decl = clang_getCanonicalCursor(s->function), .spelled = s->function};
    const char *rule = behind(annotation, "gradwright:rule:"),
               *numeric = behind(annotation, "gradwright:numeric:"), *text = rule ? rule : numeric;
    m.is_rule = rule != NULL, m.is_numeric = numeric != NULL, m.is_ordered = strcmp(annotation, ordered) == 0;
    if (!text && !m.is_ordered && strcmp(annotation, none) != 0) return;
    if (text) m.text = gw_intern(s->u->session, text);
    m.loc = gw_front_loc(s->u, clang_getCursorLocation(attribute));
    gw_push(s->marks, m);
}

static enum CXChildVisitResult visit_attribute(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    search *s = data;
    if (clang_getCursorKind(c) != CXCursor_AnnotateAttr) return CXChildVisit_Continue;
    gw_str text = gw_front_intern(s->u, clang_getCursorSpelling(c));
    gw_annotation a = {.decl = clang_getCanonicalCursor(s->function)};
    if (s->marks) {
        note_mark(s, gw_cstr(s->u->session, text), c);
        return CXChildVisit_Continue;
    }
    const char *request = kind_of(gw_cstr(s->u->session, text), &a.kind);
    if (!request) return CXChildVisit_Continue;
    a.text = gw_intern(s->u->session, request + strspn(request, " \t\n"));
    a.loc = gw_front_loc(s->u, clang_getCursorLocation(c));
    gw_push(s->annotated, a);
    return CXChildVisit_Continue;
}

/* ---- names ---- */
/* What stands in angle brackets: of "ns::S<3>::T<int>", "<3><int>". */
static gw_str class_arguments(gw_unit *u, const char *text) {
    gw_text out = {0};
    int depth = 0;
    gw_text_add(&out, "");
    for (; *text; text++) {
        depth += *text == '<';
        if (depth) gw_text_add_char(&out, *text);
        depth -= *text == '>';
    }
    gw_str made = gw_request_tight(u->session, out.at, out.at + out.count);
    gw_text_free(&out);
    return made;
}

/* Whether c is a member of the instantiated class that the scope names; outer classes may be left out. */
static bool has_class(gw_unit *u, const char *scope, CXCursor c) {
    CXType type = clang_getCursorType(clang_getCursorSemanticParent(c));
    const char *have =
        gw_cstr(u->session, class_arguments(u, gw_cstr(u->session, gw_front_type_text(u, type))));
    const char *wanted = gw_cstr(u->session, class_arguments(u, scope));
    size_t n = strlen(have), m = strlen(wanted);
    return n >= m && strcmp(have + n - m, wanted) == 0;
}

/* The start of the last name in "ns::S<A::B>", the end of what stands before it. */
static const char *last_segment(const char *from, const char *end, const char **before) {
    int depth = 0;
    for (const char *p = end; p > from; p--) {
        depth += (p[-1] == '>') - (p[-1] == '<');
        if (depth || p - from < 2 || p[-1] != ':' || p[-2] != ':') continue;
        *before = p - 2;
        return p;
    }
    return *before = from;
}

/* Whether `scope` names what stands around c, from the inside; the arguments of a class are not looked at. An
 * inline or unnamed namespace may be left out. *whole: it names all of it. */
static bool in_scope(gw_unit *u, CXCursor c, const char *scope, bool *whole) {
    const char *end = scope + strlen(scope);
    CXCursor parent = clang_getCursorSemanticParent(c);
    *whole = true;
    for (; !clang_Cursor_isNull(parent) && !clang_isTranslationUnit(clang_getCursorKind(parent));
         parent = clang_getCursorSemanticParent(parent)) {
        if (clang_getCursorKind(parent) == CXCursor_LinkageSpec || clang_isInvalid(clang_getCursorKind(parent)))
            continue;
        const char *before, *segment = last_segment(scope, end, &before);
        const char *name = gw_cstr(u->session, gw_front_intern(u, clang_getCursorSpelling(parent)));
        size_t n = strlen(name);
        bool named =
            end > segment && n && strncmp(segment, name, n) == 0 && (segment + n == end || segment[n] == '<');
        if (named) end = before;
        if (named || clang_Cursor_isInlineNamespace(parent) || clang_Cursor_isAnonymous(parent)) continue;
        if (end > scope) return false;
        *whole = false;
    }
    return end == scope;
}

static gw_str tight_name(gw_unit *u, CXCursor c) {
    gw_str name = gw_front_intern(u, clang_getCursorSpelling(c));
    const char *text = gw_cstr(u->session, name);
    return strncmp(text, "operator", strlen("operator")) == 0
               ? gw_request_tight(u->session, text, text + strlen(text))
               : name;
}

/* Whether the name is c's, but for the arguments of a class template. */
static bool has_name(gw_unit *u, const gw_request_target *t, CXCursor c) {
    bool whole;
    return tight_name(u, c) == t->name && in_scope(u, c, gw_cstr(u->session, t->scope), &whole) &&
           (whole || !t->is_whole);
}

static gw_str tight_type(gw_unit *u, gw_str spelled) {
    const char *text = gw_cstr(u->session, spelled);
    return gw_request_tight(u->session, text, text + strlen(text));
}

/* Whether `text` at *at goes on with the type, as it is spelled or as it is; then *at is behind it. */
static bool accept_type(gw_unit *u, const char **at, CXType type) {
    gw_str spellings[] = {tight_type(u, gw_front_spelled_type(u, type)),
                          tight_type(u, gw_front_type_text(u, type))};
    for (size_t i = 0; i < 2; i++) {
        const char *text = gw_cstr(u->session, spellings[i]);
        size_t n = strlen(text);
        if (strncmp(*at, text, n) != 0 || ((*at)[n] && (*at)[n] != ',')) continue;
        *at += n;
        return true;
    }
    return false;
}

static bool has_parameters(gw_unit *u, const gw_request_target *t, CXCursor c) {
    if (!t->has_parameters) return true;
    const char *at = gw_cstr(u->session, t->parameters);
    CXType type = clang_getCursorType(c);
    int count = clang_getNumArgTypes(type);
    for (int i = 0; i < count; i++) {
        if (i && *at++ != ',') return false;
        if (!accept_type(u, &at, clang_getArgType(type, (unsigned)i))) return false;
    }
    return !*at && (!t->is_const || clang_CXXMethod_isConst(c));
}

/* What a match is worth: a member of the instantiated class that was named, the instantiation that was
 * named. */
static bool is_instance(gw_unit *u, const gw_request_target *t, CXCursor c) {
    const char *scope = gw_cstr(u->session, t->scope);
    if (strchr(scope, '<') && !has_class(u, scope, c)) return false;
    if (t->arguments && tight_type(u, gw_front_template_arguments(u, c)) != t->arguments) return false;
    return has_parameters(u, t, c);
}

static void add_match(search *s, CXCursor c) {
    CXCursor canonical = clang_getCanonicalCursor(c);
    for (uint32_t i = 0; i < s->matches.count; i++)
        if (clang_equalCursors(s->matches.at[i], canonical)) return;
    gw_push(&s->matches, canonical);
}

bool gw_front_is_pattern(CXCursor c) {
    for (; !clang_Cursor_isNull(c); c = clang_getCursorSemanticParent(c)) {
        enum CXCursorKind kind = clang_getCursorKind(c);
        if (kind == CXCursor_FunctionTemplate || kind == CXCursor_ClassTemplate ||
            kind == CXCursor_ClassTemplatePartialSpecialization)
            return true;
        if (clang_isTranslationUnit(kind) || clang_isInvalid(kind)) return false;
    }
    return false;
}

/* ---- the walk ---- */
static void visit_function(search *s, CXCursor c) {
    if (s->lists) {
        gw_push(&s->u->named, ((gw_unit_named){tight_name(s->u, c), c}));
    } else if (s->annotated || s->marks) {
        s->function = c;
        clang_visitChildren(c, visit_attribute, s);
    } else if (s->nearest) {
        gw_session *session = s->u->session;
        gw_str name = gw_front_intern(s->u, clang_getCursorSpelling(c));
        const char *old = s->near ? gw_cstr(session, s->near) : NULL,
                   *best = gw_nearer(gw_cstr(session, s->wanted->name), old, gw_cstr(session, name));
        if (best != old) s->near = name;
    } else if (has_name(s->u, s->wanted, c)) {
        bool pattern = gw_front_is_pattern(c);
        const char *scope = gw_cstr(s->u->session, s->wanted->scope);
        bool plain = !s->wanted->arguments && (!strchr(scope, '<') || has_class(s->u, scope, c));
        if (pattern || (plain && has_parameters(s->u, s->wanted, c))) add_match(s, c);
    }
}

static enum CXChildVisitResult visit_decl(CXCursor c, CXCursor parent, CXClientData data) {
    (void)parent;
    search *s = data;
    if (!s->everywhere && clang_Location_isInSystemHeader(clang_getCursorLocation(c)))
        return CXChildVisit_Continue;
    if (!s->everywhere && !s->marks && gw_front_is_joined(s->u, clang_getCursorLocation(c)))
        return CXChildVisit_Continue; /* its requests are for a run of its own */
    switch (clang_getCursorKind(c)) {
    case CXCursor_Namespace:
    case CXCursor_LinkageSpec:
    case CXCursor_StructDecl:
    case CXCursor_ClassDecl:
    case CXCursor_ClassTemplate:
    case CXCursor_ClassTemplatePartialSpecialization:
        return CXChildVisit_Recurse;
    case CXCursor_FunctionDecl:
    case CXCursor_FunctionTemplate:
    case CXCursor_CXXMethod:
    case CXCursor_ConversionFunction:
        visit_function(s, c);
        return CXChildVisit_Continue;
    default:
        return CXChildVisit_Continue;
    }
}

void gw_front_find_annotated(gw_unit *u, gw_annotations *out) {
    search s = {.u = u, .annotated = out};
    clang_visitChildren(clang_getTranslationUnitCursor(u->clang), visit_decl, &s);
}

void gw_front_find_marks(gw_unit *u, gw_marks *out) {
    search s = {.u = u, .marks = out};
    clang_visitChildren(clang_getTranslationUnitCursor(u->clang), visit_decl, &s);
}

void gw_front_find_named(gw_unit *u, const gw_request_target *target, gw_cursors *out) {
    search s = {.u = u, .wanted = target};
    clang_visitChildren(clang_getTranslationUnitCursor(u->clang), visit_decl, &s);
    *out = s.matches;
}

gw_str gw_front_signatures(gw_unit *u, const gw_cursors *functions) {
    gw_text text = {0};
    gw_text_add(&text, "");
    for (uint32_t i = 0; i < functions->count; i++)
        gw_text_addf(&text, "%s'%s'", i ? ", " : "",
                     gw_cstr(u->session, gw_front_signature(u, functions->at[i])));
    gw_str made = gw_intern(u->session, text.at);
    gw_text_free(&text);
    return made;
}

void gw_front_say_no_function(gw_unit *u, gw_str function, const gw_request_target *target, gw_loc loc) {
    search s = {.u = u, .wanted = target, .nearest = true};
    gw_request_target any = *target;
    gw_cursors others = {0};
    any.has_parameters = false;
    gw_front_find_named(u, &any, &others);
    if (!others.count) clang_visitChildren(clang_getTranslationUnitCursor(u->clang), visit_decl, &s);
    char *meant;
    if (others.count)
        meant = gw_format("; there is %s", gw_cstr(u->session, gw_front_signatures(u, &others)));
    else
        meant = s.near ? gw_format("; did you mean '%s'?", gw_cstr(u->session, s.near)) : gw_strdup("");
    gw_vec_free(&others);
    gw_diag(u->session, GW_DIAG_UNKNOWN_FUNCTION, loc, gw_cstr(u->session, function), meant);
    free(meant);
}

/* Those whose whole name it is come before others. */
static void prefer_whole(gw_unit *u, const gw_request_target *target, gw_cursors *matches) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < matches->count; i++) {
        bool whole = false;
        in_scope(u, matches->at[i], gw_cstr(u->session, target->scope), &whole);
        if (whole) matches->at[kept++] = matches->at[i];
    }
    if (kept) matches->count = kept;
}

void gw_front_find_everywhere(gw_unit *u, const gw_request_target *target, gw_cursors *out) {
    search list = {.u = u, .everywhere = true, .lists = true}, s = {.u = u, .wanted = target};
    if (!u->named.count) clang_visitChildren(clang_getTranslationUnitCursor(u->clang), visit_decl, &list);
    for (uint32_t i = 0; i < u->named.count; i++)
        if (u->named.at[i].name == target->name) visit_function(&s, u->named.at[i].decl);
    prefer_whole(u, target, &s.matches);
    *out = s.matches;
}

/* A signature without const means the function without it, where both are there. */
static void prefer_plain(const gw_request_target *target, gw_cursors *matches) {
    uint32_t kept = 0;
    for (uint32_t i = 0; target->has_parameters && matches->count > 1 && i < matches->count; i++)
        if (!clang_CXXMethod_isConst(matches->at[i])) matches->at[kept++] = matches->at[i];
    if (kept) matches->count = kept;
}

/* Templates that a signature or arguments may mean stand in the way of nothing else if they have no such
 * instantiation. */
static void drop_unused_patterns(gw_unit *u, const gw_request_target *target, gw_cursors *matches) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < matches->count; i++) {
        gw_cursors instances = {0};
        bool pattern = gw_front_is_pattern(matches->at[i]);
        if (pattern) gw_front_find_instances(u, target, matches->at[i], &instances);
        if (!pattern || instances.count) matches->at[kept++] = matches->at[i];
        gw_vec_free(&instances);
    }
    matches->count = kept;
}

bool gw_front_find_meant(gw_unit *u, const gw_request_target *target, gw_cursors *out) {
    gw_front_find_named(u, target, out);
    bool known = out->count != 0;
    drop_unused_patterns(u, target, out);
    prefer_whole(u, target, out);
    prefer_plain(target, out);
    return known;
}

bool gw_front_is_meant(gw_unit *u, gw_str text, CXCursor function) {
    gw_request_target target;
    gw_cursors matches = {0};
    CXCursor decl = clang_getCanonicalCursor(function), pattern = gw_front_pattern(function);
    if (gw_request_read_target(u->session, text, &target)) return false;
    gw_front_find_meant(u, &target, &matches);
    bool meant = false;
    for (uint32_t i = 0; i < matches.count && !meant; i++) {
        bool of_pattern = !clang_Cursor_isNull(pattern) && clang_equalCursors(matches.at[i], pattern);
        meant = clang_equalCursors(matches.at[i], decl) || (of_pattern && is_instance(u, &target, decl));
    }
    gw_vec_free(&matches);
    return meant;
}

void gw_front_find_instances(gw_unit *u, const gw_request_target *target, CXCursor pattern, gw_cursors *out) {
    gw_cursors all = {0};
    gw_front_instances(u, pattern, &all);
    for (uint32_t i = 0; i < all.count; i++)
        if (!target || is_instance(u, target, all.at[i])) gw_push(out, all.at[i]);
    gw_vec_free(&all);
}

gw_str gw_front_signature(gw_unit *u, CXCursor function) {
    gw_text text = {0};
    CXType type = clang_getCursorType(function);
    gw_text_addf(&text, "%s(", gw_cstr(u->session, gw_front_qualified(u, function)));
    for (int i = 0; i < clang_getNumArgTypes(type); i++) {
        gw_str spelled = gw_front_spelled_type(u, clang_getArgType(type, (unsigned)i));
        gw_text_addf(&text, "%s%s", i ? ", " : "", gw_cstr(u->session, spelled));
    }
    gw_text_addf(&text, ")%s", clang_CXXMethod_isConst(function) ? " const" : "");
    gw_str result = gw_intern(u->session, text.at);
    gw_text_free(&text);
    return result;
}
