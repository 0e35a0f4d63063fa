/*
 * frontend/parse/use.c - text behind the source that uses instantiations of templates, one line for each.
 *
 * A request for "render<3>" makes that instantiation, as a call would; a signature picks it out of overloads.
 * An explicit instantiation, "template void f<3>(double *);", is one too: libclang has no cursor for it, so it
 * is read off the text of the main file, and a function pointer of its type is initialised with the template.
 * One of a class uses the members that are annotated. A line that Clang does not take is left out
 * (frontend/parse/parse.c), and the request then refused.
 */
#include "plugin/frontend/parse/parse.h"

#include <ctype.h>
#include <string.h>

static bool is_blank(const char *line) { return line[strspn(line, " ")] == 0; }

/* ---- requests ---- */
/* The whole name of the function template that the target names; what was given, where there is none. */
static gw_str whole_name(gw_unit *u, const gw_request_target *t) {
    gw_cursors matches = {0};
    gw_str name = t->qualified;
    gw_front_find_named(u, t, &matches);
    if (matches.count && clang_getCursorKind(matches.at[0]) == CXCursor_FunctionTemplate)
        name = gw_front_qualified(u, matches.at[0]);
    gw_vec_free(&matches);
    return name;
}

static char *use_of_request(gw_unit *u, uint32_t i, const char *target) {
    gw_session *s = u->session;
    gw_request_target t;
    gw_text out = {0};
    gw_text_add(&out, "");
    if (gw_request_read_target(s, s->requests.at[i].function, &t)) return out.at;
    bool member = strchr(gw_cstr(s, t.scope), '<') != NULL;
    if (!t.arguments && !member) return out.at;
    char *name = gw_format("&::%s%s%s%s", gw_cstr(s, member ? t.qualified : whole_name(u, &t)),
                           t.arguments ? "<" : "", gw_cstr(s, t.arguments), t.arguments ? ">" : "");
    /* without const it means a constant member, too, where there is no other */
    for (unsigned k = t.is_const; t.has_parameters && k <= member; k++)
        gw_text_addf(&out, "template <class R%s> %svoid gw_pick_%u(R (%s*)(%s)%s, %s); ",
                     member ? ", class C" : "", target, i, member ? "C::" : "", gw_cstr(s, t.parameters),
                     k ? " const" : "", k ? "long" : "int");
    gw_text_addf(&out, "%sinline void " GW_USE "%u() { ", target, i);
    if (t.has_parameters)
        gw_text_addf(&out, "gw_pick_%u(%s, 0); }", i, name);
    else
        gw_text_addf(&out, "(void)(%s); }", name);
    free(name);
    return out.at;
}

/* ---- explicit instantiations ---- */
/* "__global__ void a::f<3>(int) const" in its parts: the result, "a::", the name with its arguments, what
 * stands in the round brackets, and behind them. */
typedef struct instantiation {
    char *result, *scope, *name, *parameters, *behind;
} instantiation;

static char *part(const char *from, const char *to) {
    while (from < to && isspace((unsigned char)*from)) from++;
    while (from < to && isspace((unsigned char)to[-1])) to--;
    char *made = gw_format("%.*s", (int)(to - from), from);
    for (char *c = made; *c; c++)
        if (isspace((unsigned char)*c)) *c = ' ';
    return made;
}

/* The bracket that the one before `end` closes, or `from`. */
static const char *opening(const char *from, const char *end, char open, char close) {
    int depth = 0;
    while (end > from) {
        end--;
        depth += (*end == close) - (*end == open);
        if (!depth) return end;
    }
    return from;
}

static const char *before_blanks(const char *from, const char *end) {
    while (end > from && isspace((unsigned char)end[-1])) end--;
    return end;
}

static const char *before_word(const char *from, const char *end) {
    while (end > from && (isalnum((unsigned char)end[-1]) || end[-1] == '_')) end--;
    return end;
}

/* Leaves out words that say where a function runs or how it is compiled. */
static void blank_attributes(char *result) {
    static const char *const words[] = {"__global__",   "__device__", "__host__", "__forceinline__",
                                        "__noinline__", "inline",     "extern"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        for (char *at = result; (at = strstr(at, words[i])) != NULL; at += n) {
            bool begins = at == result || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
            if (begins && !(isalnum((unsigned char)at[n]) || at[n] == '_')) memset(at, ' ', n);
        }
    }
}

static bool split(const char *text, instantiation *out) {
    const char *last = strrchr(text, ')');
    if (!last) return false;
    const char *open = opening(text, last + 1, '(', ')'), *end = before_blanks(text, open), *name = end;
    if (name > text && name[-1] == '>') name = before_blanks(text, opening(text, name, '<', '>'));
    name = before_word(text, name);
    const char *scope = name;
    while (scope - text > 2 && strncmp(scope - 2, "::", 2) == 0) {
        scope -= 2;
        if (scope[-1] == '>') scope = opening(text, scope, '<', '>');
        scope = before_word(text, scope);
    }
    if (name == end || scope == text) return false;
    *out = (instantiation){part(text, scope), part(scope, name), part(name, end), part(open + 1, last),
                           part(last + 1, text + strlen(text))};
    blank_attributes(out->result);
    return true;
}

static void push_line(gw_uses *out, const char *target, const char *space, const char *use) {
    char *line = gw_format("%s%s%s%sinline void " GW_USE "%u() { (void)%s; }%s", *space ? "namespace " : "",
                           space,
                           *space ? " { " : "", target, out->count, use, *space ? " }" : "");
    gw_push(out, line);
}

/* What stands before the last "::" is a namespace or a class: a line for each. */
static void use_function(const instantiation *f, const char *target, const char *space, gw_uses *out) {
    for (int member = 0; member <= (f->scope[0] != 0); member++) {
        char *use = gw_format("(%s (%s*)(%s)%s)(&%s%s)", f->result, member ? f->scope : "", f->parameters,
                              f->behind, f->scope, f->name);
        push_line(out, target, space, use);
        free(use);
    }
}

/* "struct box<float>": its class's annotated members. */
static void use_class(gw_unit *u, const char *text, const char *target, const char *space, gw_uses *out) {
    static const char *const keys[] = {"struct ", "class ", "union "};
    const char *class = text, *open = strchr(text, '<');
    for (size_t i = 0; i < 3; i++)
        if (strncmp(text, keys[i], strlen(keys[i])) == 0) class = text + strlen(keys[i]);
    if (class == text || !open) return;
    gw_annotations found = {0};
    gw_front_find_annotated(u, &found);
    char *pattern = gw_format("%s%s%.*s::", space, *space ? "::" : "", (int)(open - class), class);
    for (uint32_t i = 0; i < found.count; i++) {
        const char *qualified = gw_cstr(u->session, gw_front_qualified(u, found.at[i].decl));
        bool repeated = i && clang_equalCursors(found.at[i].decl, found.at[i - 1].decl);
        if (repeated || strncmp(qualified, pattern, strlen(pattern)) != 0) continue;
        char *use = gw_format("(&%s::%s)", class, qualified + strlen(pattern));
        push_line(out, target, space, use);
        free(use);
    }
    free(pattern);
    gw_vec_free(&found);
}

static void use_explicit(gw_unit *u, const gw_explicit *e, const char *target, gw_uses *out) {
    instantiation f;
    const char *space = gw_cstr(u->session, e->space);
    if (!split(gw_cstr(u->session, e->text), &f)) {
        char *text = part(gw_cstr(u->session, e->text),
                          gw_cstr(u->session, e->text) + strlen(gw_cstr(u->session, e->text)));
        use_class(u, text, target, space, out);
        free(text);
        return;
    }
    use_function(&f, target, space, out);
    char *parts[] = {f.result, f.scope, f.name, f.parameters, f.behind};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) free(parts[i]);
}

bool gw_front_uses(gw_unit *u, const char *text, gw_uses *out) {
    const char *target = u->session->is_cuda ? "__host__ __device__ " : "";
    gw_explicits explicits = {0};
    bool any = false;
    for (uint32_t i = 0; i < u->session->requests.count; i++) gw_push(out, use_of_request(u, i, target));
    gw_front_explicit_scan(u, text, &explicits);
    for (uint32_t i = 0; i < explicits.count; i++) use_explicit(u, &explicits.at[i], target, out);
    gw_vec_free(&explicits);
    for (uint32_t i = 0; i < out->count; i++) any |= !is_blank(out->at[i]);
    return any;
}
