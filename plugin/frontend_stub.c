/*
 * frontend_stub.c - declarations of gradients that are not there yet.
 *
 * A source may include its own gradient and launch it. While Gradwright parses, every #include "*.grad.*" of
 * the main file is replaced by declarations of the requested functions' derivatives that take any arguments.
 * Which functions those are is read off the text without a parser; a function that this misses costs a second
 * parse.
 */
#include "frontend_unit.h"

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
typedef struct scan {
    gw_unit *u;
    lexer x;
    GW_VEC(gw_str) spaces; /* open namespaces, joined: [i] is that of brace depth i */
    gw_stubs *out;
    bool all; /* kernels and device functions without annotation too */
} scan;

static gw_str space_of(const scan *s) { return s->spaces.count ? s->spaces.at[s->spaces.count - 1] : 0; }

static void open_namespace(scan *s) {
    gw_text name = {0};
    gw_text_add(&name, gw_cstr(s->u->session, space_of(s)));
    while (next(&s->x) && !is_char(&s->x, '{') && !is_char(&s->x, ';') && !is_char(&s->x, '=')) {
        if (!s->x.length || is_word(&s->x, "inline")) continue;
        if (name.count) gw_text_add(&name, "::");
        gw_text_addf(&name, "%.*s", (int)s->x.length, s->x.word);
    }
    if (is_char(&s->x, '{')) gw_push(&s->spaces, gw_intern(s->u->session, name.at ? name.at : ""));
    gw_text_free(&name);
}

static bool is_request(const lexer *x) {
    for (unsigned k = 0; k < GW_REQUEST_COUNT; k++)
        if (is_word(x, gw_request_rows[k].macro)) return true;
    return false;
}

static bool takes_arguments(const lexer *x) {
    static const char *const words[] = {"__launch_bounds__", "__attribute__",    "__declspec",       "alignas",
                                        "decltype",          "noexcept",      "__cluster_dims__", "__maxnreg__"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(x, words[i])) return true;
    return is_request(x);
}

/* From an attribute to the name of the function that it belongs to. */
static void read_declaration(scan *s, bool annotated) {
    bool global = false, device = false, host = false;
    do {
        lexer *x = &s->x;
        global |= is_word(x, "__global__"), device |= is_word(x, "__device__"), host |= is_word(x, "__host__");
        annotated |= is_request(x);
        if (is_char(x, ';') || is_char(x, '{') || is_char(x, '}') || is_char(x, '=')) {
            if (is_char(x, '{')) gw_push(&s->spaces, space_of(s));
            if (is_char(x, '}') && s->spaces.count) s->spaces.count--;
            return;
        }
        if (takes_arguments(x)) {
            skip_parentheses(x);
        } else if (x->length && *skip_blank(x->p) == '(') {
            gw_stub stub = {.name = gw_intern_n(s->u->session, x->word, x->length), .space = space_of(s)};
            stub.kind = global   ? GW_FUNC_KERNEL
                        : device ? (host ? GW_FUNC_HOST_DEVICE : GW_FUNC_DEVICE)
                                 : GW_FUNC_HOST;
            if (annotated || s->all) gw_push(s->out, stub);
            return;
        }
    } while (next(&s->x));
}

static void skip_directive(scan *s) {
    while (*s->x.p && *s->x.p != '\n')
        s->x.p += s->x.p[0] == '\\' && s->x.p[1] ? 2 : 1;
}

static void scan_text(gw_unit *u, const char *text, bool all, gw_stubs *out) {
    scan s = {.u = u, .x = {.p = text}, .out = out, .all = all};
    while (next(&s.x)) {
        if (is_char(&s.x, '#'))
            skip_directive(&s);
        else if (is_char(&s.x, '{'))
            gw_push(&s.spaces, space_of(&s));
        else if (is_char(&s.x, '}'))
            s.spaces.count -= s.spaces.count > 0;
        else if (is_word(&s.x, "namespace"))
            open_namespace(&s);
        else if (is_request(&s.x))
            read_declaration(&s, true);
        else if (is_word(&s.x, "__global__") || is_word(&s.x, "__device__") || is_word(&s.x, "__host__"))
            read_declaration(&s, false);
    }
    gw_vec_free(&s.spaces);
}

static bool has_stub(const gw_stubs *stubs, const gw_stub *stub) {
    for (uint32_t i = 0; i < stubs->count; i++)
        if (stubs->at[i].name == stub->name && stubs->at[i].space == stub->space) return true;
    return false;
}

void gw_front_stub_add(gw_stubs *stubs, gw_stub stub) {
    if (!has_stub(stubs, &stub)) gw_push(stubs, stub);
}

/* A function of the command line: as the text declares it, or else a plain function of that name. */
static void add_given(gw_unit *u, const char *name, const gw_stubs *declared, gw_stubs *out) {
    gw_session *session = u->session;
    if (strncmp(name, "::", 2) == 0) name += 2;
    const char *colon = strrchr(name, ':');
    size_t space = colon && colon > name ? (size_t)(colon - 1 - name) : 0;
    gw_stub stub = {.name = gw_intern(session, colon ? colon + 1 : name), .kind = GW_FUNC_HOST};
    stub.space = gw_intern_n(session, name, space);
    for (uint32_t i = 0; i < declared->count; i++)
        if (declared->at[i].name == stub.name && (!space || declared->at[i].space == stub.space))
            stub = declared->at[i];
    gw_front_stub_add(out, stub);
}

void gw_front_stub_scan(gw_unit *u, const char *text, gw_stubs *out) {
    gw_stubs found = {0};
    scan_text(u, text, false, &found);
    for (uint32_t i = 0; i < found.count; i++)
        gw_front_stub_add(out, found.at[i]);
    found.count = 0;
    if (u->session->requests.count) scan_text(u, text, true, &found);
    for (uint32_t i = 0; i < u->session->requests.count; i++)
        if (!u->session->requests.at[i].loc.line)
            add_given(u, gw_cstr(u->session, u->session->requests.at[i].function), &found, out);
    gw_vec_free(&found);
}

/* ---- text ---- */
static void add_kernel(gw_text *out, const char *name) {
    static const char *const forms[] = {"grad", "jvp"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        gw_text_addf(out, "template <class... gw_types> __global__ void %s_%s(gw_types &&...);\n", name, forms[i]);
        gw_text_addf(
            out, "template <class... gw_types> gw_status %s_%s_launch(dim3, dim3, size_t, cudaStream_t, gw_types &&...);\n",
            name, forms[i]);
    }
    gw_text_addf(out, "template <class... gw_types> size_t %s_workspace_bytes(dim3, dim3, gw_types &&...);\n", name);
}

/* A function of the host may return a status; nobody minds one that is not used. */
static void add_function(gw_text *out, const char *name, gw_func_kind kind, bool cuda, bool plain_c) {
    static const char *const attributes[] = {
        [GW_FUNC_HOST] = "", [GW_FUNC_DEVICE] = "__device__ ", [GW_FUNC_HOST_DEVICE] = "__host__ __device__ "};
    static const struct {
        const char *returns, *suffix;
    } rows[] = {{"gw_status", "grad"}, {"gw_status", "pullback"}, {"gw_status", "grad_on"}, {"double", "jvp"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        gw_text_addf(out, "%s%s%s %s_%s(%s);\n", plain_c ? "" : "template <class... gw_types> ",
                     cuda && !plain_c ? attributes[kind] : "", rows[i].returns, name, rows[i].suffix,
                     plain_c ? "" : "gw_types &&...");
}

char *gw_front_stub_text(const gw_unit *u, const gw_stubs *stubs, bool plain_c) {
    gw_text out = {0};
    gw_text_add(&out, "#include <gradwright/tape.h>\n");
    for (uint32_t i = 0; i < stubs->count; i++) {
        const char *name = gw_cstr(u->session, stubs->at[i].name),
                   *space = gw_cstr(u->session, stubs->at[i].space);
        if (*space) gw_text_addf(&out, "namespace %s {\n", space);
        if (stubs->at[i].kind == GW_FUNC_KERNEL && !plain_c)
            add_kernel(&out, name);
        else
            add_function(&out, name, stubs->at[i].kind, u->session->is_cuda, plain_c);
        if (*space) gw_text_add(&out, "}\n");
    }
    return out.at;
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
        p++;
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
