/*
 * frontend/parse/stub.c - declarations of gradients that are not there yet.
 *
 * A source may include its own gradient and launch it. While Gradwright parses, every #include "*.grad.*" of
 * the main file is replaced by declarations of the requested functions' derivatives that take any arguments
 * (frontend/parse/stub_text.c). Which functions those are is read off the text without a parser; a function
 * that this misses costs a second parse.
 */
#include "plugin/frontend/parse/parse.h"
#include "plugin/frontend/type/type.h"

#include "analysis/ir/requests.h"

#include <ctype.h>
#include <string.h>

/* ---- a lexer that knows comments, literals and words ---- */
typedef struct lexer {
    const char *p;
    const char *word; /* of the last token */
    size_t length;    /* > 0: a word; 0: one character, *word */
} lexer;

static const char *skip_quoted(const char *p) {
    char quote = *p++;
    while (*p && *p != quote && *p != '\n')
        p += p[0] == '\\' && p[1] ? 2 : 1;
    return *p ? p + 1 : p;
}

static const char *skip_blank(const char *p) {
    for (;;) {
        if (isspace((unsigned char)*p))
            p++;
        else if (p[0] == '/' && p[1] == '/')
            p += strcspn(p, "\n");
        else if (p[0] == '/' && p[1] == '*')
            p = strstr(p + 2, "*/") ? strstr(p + 2, "*/") + 2 : p + strlen(p);
        else
            return p;
    }
}

static bool next(lexer *x) {
    x->p = skip_blank(x->p);
    if (!*x->p) return false;
    x->word = x->p;
    x->length = 0;
    if (*x->p == '"' || *x->p == '\'') {
        x->p = skip_quoted(x->p);
        return true;
    }
    while (isalnum((unsigned char)*x->p) || *x->p == '_')
        x->p++;
    x->length = (size_t)(x->p - x->word);
    if (!x->length) x->p++;
    return true;
}

static bool is_word(const lexer *x, const char *word) {
    return x->length == strlen(word) && strncmp(x->word, word, x->length) == 0;
}
static bool is_char(const lexer *x, char c) { return !x->length && *x->word == c; }

/* Behind the bracket that the lexer stands before. */
static void skip_parentheses(lexer *x) {
    int depth = 0;
    while (next(x)) {
        if (is_char(x, '(')) depth++;
        if (is_char(x, ')') && --depth <= 0) return;
    }
}

/* ---- scan ---- */
/* The place of a declaration: the namespace, and the classes around it as "S_T_". */
typedef struct place {
    gw_str space, classes;
    bool inside; /* a body */
} place;
typedef struct scan {
    gw_unit *u;
    lexer x;
    GW_VEC(place) places; /* [i] is that of brace depth i */
    gw_str head;          /* of the template that is declared next */
    bool is_inline;       /* the last word was "inline" */
    gw_stubs *out;
    gw_explicits *explicits;
    bool all; /* functions without annotation too */
} scan;

static place here(const scan *s) { return s->places.count ? s->places.at[s->places.count - 1] : (place){0}; }
static void open_brace(scan *s) {
    place p = here(s);
    p.inside = true;
    gw_push(&s->places, p);
}

static gw_str append(scan *s, gw_str before, const char *between, const char *text, size_t n) {
    char *full = gw_format("%s%s%.*s", gw_cstr(s->u->session, before), before ? between : "", (int)n, text);
    gw_str result = gw_intern(s->u->session, full);
    free(full);
    return result;
}

/* An inline namespace is not spelled. */
static void open_namespace(scan *s, bool is_inline) {
    place p = here(s);
    while (next(&s->x) && !is_char(&s->x, '{') && !is_char(&s->x, ';') && !is_char(&s->x, '=')) {
        if (!s->x.length || is_inline || is_word(&s->x, "inline")) continue;
        p.space = append(s, p.space, "::", s->x.word, s->x.length);
    }
    if (is_char(&s->x, '{')) gw_push(&s->places, p);
}

/* "struct S : B {" opens a class; "struct S f(...)" does not. */
static void open_class(scan *s) {
    lexer ahead = s->x;
    const char *name = NULL;
    size_t length = 0;
    bool bases = false;
    while (next(&ahead) && !is_char(&ahead, '{')) {
        bases |= is_char(&ahead, ':');
        bool other = is_char(&ahead, ';') || is_char(&ahead, '(') || is_char(&ahead, ')') ||
                     is_char(&ahead, '=') || is_char(&ahead, '*') || is_char(&ahead, '&') ||
                     is_char(&ahead, '}');
        if (other || (!bases && (is_char(&ahead, ',') || is_char(&ahead, '>')))) return;
        if (ahead.length && !bases && !is_word(&ahead, "final")) name = ahead.word, length = ahead.length;
    }
    if (!*ahead.p) return;
    place p = here(s);
    if (name) p.classes = append(s, append(s, p.classes, "", name, length), "", "_", 1);
    gw_push(&s->places, p);
    s->x = ahead;
    s->head = 0;
}

/* Behind "template": what stands between its angle brackets. */
static void read_head(scan *s) {
    lexer *x = &s->x;
    if (*skip_blank(x->p) != '<') return;
    int depth = 0, round = 0;
    const char *from = skip_blank(x->p) + 1;
    while (next(x)) {
        round += is_char(x, '(') - is_char(x, ')');
        depth += !round && is_char(x, '<');
        depth -= !round && is_char(x, '>');
        if (!depth) break;
    }
    char *head = gw_format("%.*s", *x->p ? (int)(x->word - from) : 0, from);
    for (char *c = head; *c; c++)
        if (isspace((unsigned char)*c)) *c = ' '; /* as gw_front_template_head has it */
    s->head = gw_intern(s->u->session, head);
    free(head);
}

/* "template ...;" of a namespace */
static void read_explicit(scan *s) {
    const char *from = s->x.p;
    while (next(&s->x) && !is_char(&s->x, ';'))
        continue;
    if (!*s->x.p) return;
    gw_push(s->explicits,
            ((gw_explicit){here(s).space, gw_intern_n(s->u->session, from, (size_t)(s->x.word - from))}));
}

/* The kind that the macro asks for; GW_REQUEST_COUNT: none. */
static gw_request_kind kind_of(const lexer *x) {
    unsigned k = 0;
    while (k < GW_REQUEST_COUNT && !is_word(x, gw_request_rows[k].macro)) k++;
    return (gw_request_kind)k;
}

static bool is_request(const lexer *x) { return kind_of(x) != GW_REQUEST_COUNT; }

/* Gradwright's own macros are no functions; those that take nothing have no '(' behind them. */
static bool takes_arguments(const lexer *x) {
    if (x->length > 3 && strncmp(x->word, "GW_", 3) == 0 && *skip_blank(x->p) == '(') return true;
    static const char *const words[] = {"__launch_bounds__", "__attribute__", "__declspec",
                                        "alignas",           "decltype",      "noexcept",
                                        "__cluster_dims__",  "__maxnreg__"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(x, words[i])) return true;
    return is_request(x);
}

/* The name in GW_GRADIENT("name = ..."), 0 if there is none. */
static gw_str request_name(gw_unit *u, lexer x) {
    while (next(&x) && !is_char(&x, ')'))
        if (is_char(&x, '"')) {
            gw_request r = {.text = gw_intern_n(u->session, x.word + 1, (size_t)(x.p - x.word) - 2)};
            gw_request_read(u->session, &r);
            gw_request_free(&r);
            return r.name;
        }
    return 0;
}

/* What stands between the round brackets that come next. */
static gw_str params_of(gw_unit *u, lexer x) {
    const char *from = skip_blank(x.p) + 1;
    skip_parentheses(&x);
    return *x.word == ')' && x.word > from ? gw_intern_n(u->session, from, (size_t)(x.word - from)) : 0;
}

typedef struct declaration {
    bool global, device, host;
    GW_VEC(gw_request) requests; /* their kinds and names */
} declaration;

static void add_stubs(scan *s, const declaration *d) {
    const lexer *x = &s->x;
    place p = here(s);
    gw_stub stub = {.space = p.space, .head = p.classes ? 0 : s->head}; /* members give overloads */
    stub.name = append(s, p.classes, "", x->word, x->length);
    stub.function = gw_intern_n(s->u->session, x->word, x->length);
    stub.kind = GW_FUNC_HOST;
    stub.params = params_of(s->u, *x);
    if (d->device) stub.kind = d->host ? GW_FUNC_HOST_DEVICE : GW_FUNC_DEVICE;
    if (d->global) stub.kind = GW_FUNC_KERNEL;
    if (s->all) gw_push(s->out, stub);
    for (uint32_t i = 0; i < d->requests.count; i++) {
        gw_request r = d->requests.at[i];
        gw_request_name(s->u->session, &r, stub.name);
        stub.request = r.name;
        stub.asks = r.kind;
        gw_push(s->out, stub);
    }
}

/* From an attribute to the name of the function that it belongs to. */
static void read_declaration(scan *s) {
    declaration d = {0};
    do {
        lexer *x = &s->x;
        d.global |= is_word(x, "__global__"), d.device |= is_word(x, "__device__"),
            d.host |= is_word(x, "__host__");
        if (is_char(x, ';') || is_char(x, '{') || is_char(x, '}') || is_char(x, '=')) {
            if (is_char(x, '{')) open_brace(s);
            if (is_char(x, '}') && s->places.count) s->places.count--;
            break;
        }
        if (is_request(x))
            gw_push(&d.requests, ((gw_request){.kind = kind_of(x), .name = request_name(s->u, *x)}));
        if (takes_arguments(x)) {
            skip_parentheses(x);
        } else if (x->length && *skip_blank(x->p) == '(') {
            add_stubs(s, &d);
            break;
        }
    } while (next(&s->x));
    gw_vec_free(&d.requests);
    s->head = 0;
}

static void skip_directive(scan *s) {
    while (*s->x.p && *s->x.p != '\n')
        s->x.p += s->x.p[0] == '\\' && s->x.p[1] ? 2 : 1;
}

static void scan_token(scan *s) {
    lexer *x = &s->x;
    bool is_inline = s->is_inline;
    s->is_inline = is_word(x, "inline");
    if (is_char(x, '#')) {
        skip_directive(s);
    } else if (is_char(x, '{')) {
        open_brace(s);
        s->head = 0;
    } else if (is_char(x, '}')) {
        s->places.count -= s->places.count > 0;
    } else if (is_char(x, ';')) {
        s->head = 0;
    } else if (is_word(x, "namespace")) {
        open_namespace(s, is_inline);
    } else if (is_word(x, "template")) {
        bool head = *skip_blank(x->p) == '<';
        if (!head && s->explicits && !here(s).inside && !here(s).classes) read_explicit(s);
        read_head(s);
    } else if (is_word(x, "struct") || is_word(x, "class") || is_word(x, "union")) {
        open_class(s);
    } else if (is_request(x) || is_word(x, "__global__") || is_word(x, "__device__") ||
               is_word(x, "__host__")) {
        read_declaration(s);
    }
}

static void scan_text(scan s, const char *text) {
    s.x.p = text;
    while (next(&s.x))
        scan_token(&s);
    gw_vec_free(&s.places);
}

void gw_front_explicit_scan(gw_unit *u, const char *text, gw_explicits *out) {
    gw_stubs unused = {0};
    scan_text((scan){.u = u, .out = &unused, .explicits = out}, text);
    gw_vec_free(&unused);
}

/* ---- requests from outside of the source ---- */
/* As the text declares it, or else a plain function of that name. */
static void add_given(gw_unit *u, gw_request r, const gw_stubs *declared, gw_stubs *out) {
    gw_session *session = u->session;
    gw_request_target target;
    if (gw_request_read_target(session, r.function, &target) || gw_request_read(session, &r)) return;
    size_t n = strlen(gw_cstr(session, target.qualified)), m = strlen(gw_cstr(session, target.name));
    gw_stub stub = {.name = target.name, .function = target.name, .kind = GW_FUNC_HOST, .is_guess = true};
    stub.space = gw_intern_n(session, gw_cstr(session, target.qualified), n > m ? n - m - 2 : 0);
    const gw_str own = r.name;
    gw_request_name(session, &r, stub.name);
    stub.request = r.name;
    stub.asks = r.kind;
    bool found = false;
    for (uint32_t i = 0; i < declared->count; i++) {
        gw_stub d = declared->at[i];
        if (d.function != target.name) continue;
        r.name = own;
        gw_request_name(session, &r, d.name);
        d.request = r.name;
        d.asks = stub.asks;
        gw_front_stub_add(out, d);
        found = true;
    }
    if (!found) gw_front_stub_add(out, stub);
    gw_request_free(&r);
}

void gw_front_stub_scan(gw_unit *u, const char *text, gw_stubs *out) {
    gw_session *s = u->session;
    gw_stubs found = {0};
    scan_text((scan){.u = u, .out = &found}, text);
    for (uint32_t i = 0; i < found.count; i++)
        gw_front_stub_add(out, found.at[i]);
    found.count = 0;
    if (s->requests.count) scan_text((scan){.u = u, .out = &found, .all = true}, text);
    for (uint32_t i = 0; i < s->requests.count; i++)
        add_given(u,
                  (gw_request){.kind = s->requests.at[i].kind,
                               .function = s->requests.at[i].function,
                               .text = s->requests.at[i].text},
                  &found, out);
    gw_vec_free(&found);
}

/* ---- uses without an include ---- */
static bool begins_with(const lexer *x, const char *name) {
    return x->length >= strlen(name) && strncmp(x->word, name, strlen(name)) == 0;
}

static bool is_derived(const gw_unit *u, const lexer *x, const gw_stub *stub) {
    static const gw_form forms[] = {GW_FORM_GRAD, GW_FORM_PULLBACK, GW_FORM_JVP, GW_FORM_FWD, GW_FORM_BWD};
    static const gw_derived_part parts[] = {GW_DERIVED_LAUNCH,     GW_DERIVED_WORKSPACE_BYTES,
                                            GW_DERIVED_TAPE_BYTES, GW_DERIVED_SHARED_BYTES,
                                            GW_DERIVED_PACK_BYTES, GW_DERIVED_ON, GW_DERIVED_IN,
                                            GW_DERIVED_MEASURE_LAUNCH, GW_DERIVED_MEASURE_HALF_LAUNCH,
                                            GW_DERIVED_MEASURED_BYTES,
                                            GW_DERIVED_MEASURED_TAPE, GW_DERIVED_ALLOC};
    const char *name = gw_cstr(u->session, stub->name),
               *request = stub->request ? gw_cstr(u->session, stub->request) : NULL;
    bool found = false;
    if (!begins_with(x, request ? request : name)) return false;
    for (size_t form = 0; form < sizeof forms / sizeof *forms && !found; form++) {
        char *whole = gw_derived_text(name, request, forms[form]);
        found = is_word(x, whole);
        free(whole);
        for (size_t part = 0; part < sizeof parts / sizeof *parts && !found; part++) {
            char *text = gw_derived_part_text(name, request, forms[form], parts[part]);
            found = is_word(x, text);
            free(text);
        }
    }
    return found;
}

gw_str gw_front_stub_use(gw_unit *u, const char *text, gw_loc *at) {
    gw_stubs stubs = {0};
    gw_str used = 0;
    gw_front_stub_scan(u, text, &stubs);
    for (lexer x = {.p = text}; !used && next(&x);) {
        bool found = false;
        for (uint32_t i = 0; x.length && i < stubs.count && !found; i++)
            found = is_derived(u, &x, &stubs.at[i]);
        if (!found) continue;
        used = gw_intern_n(u->session, x.word, x.length);
        *at = (gw_loc){.file = gw_intern(u->session, u->run->source), .line = 1, .column = 1};
        for (const char *p = text; p < x.word; p++, at->column++)
            if (*p == '\n') at->line++, at->column = 0;
    }
    gw_vec_free(&stubs);
    return used;
}

/* ---- functions that the parser knows ---- */
/* What stands for a returned struct: its name, or, of a template or without a name, what converts to
 * anything. */
static gw_str struct_result(gw_unit *u, CXCursor decl) {
    CXType type = clang_getCanonicalType(clang_getCursorResultType(decl));
    const char *text =
        gw_cstr(u->session, gw_front_intern(u, clang_getTypeSpelling(clang_getUnqualifiedType(type))));
    bool is_template = clang_getCursorKind(decl) == CXCursor_FunctionTemplate;
    if (type.kind != CXType_Record && !(is_template && strchr(text, '<'))) return 0;
    return gw_intern(u->session, is_template || strchr(text, '(') ? "gw_either" : text);
}

static bool add_known(gw_stubs *out, gw_stub stub) {
    uint32_t before = out->count;
    bool changed = false;
    gw_front_stub_add(out, stub);
    for (uint32_t i = 0; stub.result && i < before; i++) {
        gw_stub *s = &out->at[i];
        if (s->name != stub.name || s->space != stub.space || s->request != stub.request || s->result) continue;
        s->result = stub.result;
        changed = true;
    }
    return changed || out->count != before;
}

static bool add_decl(gw_unit *u, CXCursor decl, gw_request_kind kind, gw_str text, gw_stubs *out) {
    gw_request r = {.kind = kind, .text = text};
    gw_request_read(u->session, &r);
    gw_stub stub = {.kind = gw_front_function_kind(u, decl), .name = gw_front_stem(u, decl)};
    gw_request_name(u->session, &r, stub.name);
    stub.request = r.name;
    stub.asks = kind;
    stub.space = gw_front_space(u, decl);
    const bool is_template = clang_getCursorKind(decl) == CXCursor_FunctionTemplate;
    const bool is_member = clang_getCXXAccessSpecifier(decl) != CX_CXXInvalidAccessSpecifier;
    if (is_template && !is_member) stub.head = gw_front_template_head(u, decl);
    if (gw_request_is_forward(&r)) stub.result = struct_result(u, decl);
    gw_request_free(&r);
    return add_known(out, stub);
}

/* The function that a request from outside means, as it is declared wherever. */
static bool add_found(gw_unit *u, const gw_request *r, gw_stubs *out) {
    gw_request_target target;
    gw_cursors matches = {0};
    bool changed = false;
    if (gw_request_read_target(u->session, r->function, &target)) return false;
    gw_front_find_named(u, &target, &matches);
    for (uint32_t i = 0; i < matches.count; i++) changed |= add_decl(u, matches.at[i], r->kind, r->text, out);
    gw_vec_free(&matches);
    return changed;
}

static bool drop_guesses(gw_stubs *stubs) {
    uint32_t kept = 0, count = stubs->count;
    for (uint32_t i = 0; i < count; i++)
        if (!stubs->at[i].is_guess) stubs->at[kept++] = stubs->at[i];
    stubs->count = kept;
    return kept != count;
}

bool gw_front_stub_known(gw_unit *u, gw_stubs *out) {
    bool changed = drop_guesses(out);
    gw_annotations found = {0};
    gw_front_find_annotated(u, &found);
    for (uint32_t i = 0; i < found.count; i++) gw_front_make_captures(u, found.at[i].decl);
    changed |= u->captures.count != 0;
    for (uint32_t i = 0; i < found.count; i++)
        changed |= add_decl(u, found.at[i].decl, found.at[i].kind, found.at[i].text, out);
    for (uint32_t i = 0; i < u->session->requests.count; i++)
        changed |= add_found(u, &u->session->requests.at[i], out);
    gw_vec_free(&found);
    return changed;
}

/* ---- includes ---- */
static bool is_gradient_name(const char *name, size_t n) {
    static const char *const endings[] = {".grad.cuh", ".grad.hpp", ".grad.h"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t m = strlen(endings[i]);
        if (n > m && strncmp(name + n - m, endings[i], m) == 0) return true;
    }
    return false;
}

/* The name that Clang looks up: that of the includer's folder ("." if it has none), and the name. */
void gw_front_stub_includes(const char *source, const char *text, gw_includes *out) {
    const char *slash = strrchr(source, '/');
    for (const char *p = text; (p = strstr(p, "#")) != NULL;) {
        const char *q = p + 1;
        while (*q == ' ' || *q == '\t')
            q++;
        const char *begin = p++;
        while (begin > text && (begin[-1] == ' ' || begin[-1] == '\t'))
            begin--;
        if (begin > text && begin[-1] != '\n') continue; /* in a comment, or a text */
        if (strncmp(q, "include", 7) != 0) continue;
        q += 7;
        while (*q == ' ' || *q == '\t')
            q++;
        if (*q != '"') continue;
        size_t n = strcspn(q + 1, "\"\n");
        if (!is_gradient_name(q + 1, n)) continue;
        if (q[1] == '/')
            gw_push(out, gw_format("%.*s", (int)n, q + 1));
        else if (slash)
            gw_push(out, gw_format("%.*s/%.*s", (int)(slash - source), source, (int)n, q + 1));
        else
            gw_push(out, gw_format("./%.*s", (int)n, q + 1));
    }
}
