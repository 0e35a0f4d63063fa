/*
 * request.c - requests as text (contract: request.h).
 */
#include "plugin/request/request.h"

#include "analysis/ir/requests.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_space(const char *p) {
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

static bool name_start(char c) { return isalpha((unsigned char)c) || c == '_'; }
/* ---- "both = C wrt A, B" ---- */
/* name(.name)*; NULL if there is none at p. */
static const char *skip_name(const char *p) {
    while (name_start(*p)) {
        while (gw_is_word(*p))
            p++;
        if (*p != '.') return p;
        p++;
    }
    return NULL;
}

static bool is_word(const char *p, const char *word) {
    size_t n = strlen(word);
    return strncmp(p, word, n) == 0 && !gw_is_word(p[n]) && p[n] != '.';
}

static bool is_clause(const char *p) { return is_word(p, "via") || is_word(p, "with") || is_word(p, "by"); }

/* What is wrong with the text behind a name, where neither a comma nor a clause stands. */
static const char *between_names(gw_session *s, const char *p) {
    const char *end = p;
    while (gw_is_word(*end))
        end++;
    if (end == p) return "names are separated by commas";
    gw_str word = gw_intern_n(s, p, (size_t)(end - p));
    const char *meant = gw_nearer(gw_cstr(s, word), NULL, "wrt");
    meant = gw_nearer(gw_cstr(s, word), gw_nearer(gw_cstr(s, word), meant, "via"), "with");
    meant = gw_nearer(gw_cstr(s, word), gw_nearer(gw_cstr(s, word), meant, "by"), "fresh");
    char *text = meant
                     ? gw_format("behind a name stands '%s'; did you mean '%s'?", gw_cstr(s, word), meant)
                     : gw_format("behind a name stands '%s': names are separated by commas", gw_cstr(s, word));
    const char *wrong = gw_cstr(s, gw_intern(s, text));
    free(text);
    return wrong;
}

/* The bracket that closes the one at p; NULL if there is none. */
static const char *closing(const char *p) {
    int depth = 0;
    for (; *p; p++) {
        depth += *p == '<' || *p == '(' || *p == '[' || *p == '{';
        depth -= *p == '>' || *p == ')' || *p == ']' || *p == '}';
        if (!depth) return p;
    }
    return NULL;
}

/* "[0:n]" behind a name, of which n is taken as it is written; a message or NULL. */
static const char *read_extent(gw_session *s, const char **text, gw_names *extents) {
    const char *p = skip_space(*text);
    gw_str extent = 0;
    if (*p == '[') {
        const char *end = closing(p), *from = skip_space(p + 1);
        if (!end || *from != '0' || *skip_space(from + 1) != ':') return "an extent is written '[0:n]'";
        from = skip_space(skip_space(from + 1) + 1);
        const char *to = end;
        while (to > from && isspace((unsigned char)to[-1])) to--;
        if (to == from) return "an extent is written '[0:n]'";
        extent = gw_intern_n(s, from, (size_t)(to - from));
        *text = end + 1;
    }
    gw_push(extents, extent);
    return NULL;
}

/* "fresh" behind a name and its extent; NULL or what is wrong with that. */
static const char *read_fresh(const char **text, gw_str name, gw_names *fresh) {
    const char *p = skip_space(*text);
    if (!is_word(p, "fresh")) return NULL;
    if (!fresh) return "'fresh' stands behind names that follow 'wrt'";
    gw_push(fresh, name);
    *text = p + strlen("fresh");
    return NULL;
}

/* Reads names up to "wrt", "via" or "with" behind a name, or the end, and adds them; a message or NULL.
 * `fresh`: those of them that are; NULL: none can be. */
static const char *read_names(gw_session *s, const char **text, gw_names *list, gw_names *extents,
                              gw_names *fresh) {
    const char *p = skip_space(*text), *wrong = NULL;
    bool more = false, any = false;
    while (!wrong) {
        const char *end = skip_name(p);
        bool stop = is_word(p, "wrt") || (any && !more && is_clause(p));
        if ((!*p || stop) && !more) break;
        if (!end || stop) {
            wrong = "a name is missing";
            break;
        }
        gw_str name = gw_intern_n(s, p, (size_t)(end - p));
        for (uint32_t i = 0; i < list->count; i++)
            if (list->at[i] == name) wrong = "a name is given twice";
        gw_push(list, name);
        any = true;
        const char *bad = read_extent(s, &end, extents);
        if (!bad) bad = read_fresh(&end, name, fresh);
        if (bad) wrong = bad;
        p = skip_space(end);
        more = *p == ',';
        if (more)
            p = skip_space(p + 1);
        else if (!wrong && *p && !is_word(p, "wrt") && !is_clause(p))
            wrong = between_names(s, p);
    }
    *text = p;
    return wrong;
}

/* "both =" before the rest. */
static const char *read_own_name(gw_session *s, const char **text, gw_str *name) {
    const char *p = skip_space(*text), *end = p;
    *name = 0;
    while (gw_is_word(*end))
        end++;
    if (*skip_space(end) != '=') return NULL;
    if (!name_start(*p)) return "the name before '=' is no identifier";
    if (strncmp(p, "gw_", 3) == 0) return "names that begin with 'gw_' are Gradwright's own";
    *name = gw_intern_n(s, p, (size_t)(end - p));
    *text = skip_space(end) + 1;
    return NULL;
}

/* "4:" before the rest, the number of directions. */
static const char *read_directions(const char **text, uint32_t *directions) {
    const char *p = skip_space(*text);
    uint32_t n = 0;
    for (; isdigit((unsigned char)*p) && n <= GW_MOST_DIRECTIONS; p++) n = 10 * n + (uint32_t)(*p - '0');
    p = skip_space(p);
    if (*p != ':' || !n || n > GW_MOST_DIRECTIONS)
        return "the number of directions, from 1 to 16, stands before it: 'f: 4: y wrt x'";
    *directions = n;
    *text = p + 1;
    return NULL;
}

void gw_request_free(gw_request *request) {
    gw_vec_free(&request->dependents);
    gw_vec_free(&request->independents);
    gw_vec_free(&request->kept);
    gw_vec_free(&request->dependent_extents);
    gw_vec_free(&request->independent_extents);
    gw_vec_free(&request->fresh);
}

static bool has_extent(const gw_names *extents) {
    for (uint32_t i = 0; i < extents->count; i++)
        if (extents->at[i]) return true;
    return false;
}

static bool is_fresh(const gw_request *r, gw_str name) {
    for (uint32_t i = 0; i < r->fresh.count; i++)
        if (r->fresh.at[i] == name) return true;
    return false;
}

/* Without a matrix, an extent says how much of an adjoint is new. */
static const char *check_new(const gw_session *s, const gw_request *r) {
    const bool can = r->kind == GW_REQUEST_GRADIENT || r->kind == GW_REQUEST_SPLIT;
    if (r->fresh.count && !can) return "only a gradient has adjoints that are new, 'fresh'";
    bool any = has_extent(&r->dependent_extents);
    for (uint32_t i = 0; i < r->independents.count; i++)
        any |=
            r->independent_extents.at[i] && !is_fresh(r, r->independents.at[i]) && !(can && s->options.fresh);
    return any ? "only a Hessian, a Jacobian and what is 'fresh' have extents" : NULL;
}

static const char *check_extents(const gw_session *s, const gw_request *r) {
    if (!r->part_of && !gw_request_is_matrix(r)) return check_new(s, r);
    if (r->is_sparse && !r->dependents.count)
        return "a sparse Jacobian has several rows: 'sparse y[0:m] wrt x[0:n]'";
    if (r->kind == GW_REQUEST_HESSIAN && r->dependents.count)
        return "a Hessian is that of the number that a function returns: 'wrt x[0:n]'";
    return NULL;
}

/* "by model" */
static const char *read_model(gw_session *s, const char **text, gw_request *request) {
    const char *from = skip_space(*text + strlen("by")), *end = from;
    if (request->kind != GW_REQUEST_ERROR) return "only a rounding error has a model, 'by'";
    while (gw_is_word(*end)) end++;
    if (!name_start(*from)) return "no name follows 'by'";
    request->model = gw_intern_n(s, from, (size_t)(end - from));
    *text = skip_space(end);
    return NULL;
}

/* "sparse" before the names, and no name itself: rows have extents. */
static bool read_sparse(const char **text, gw_request_kind kind) {
    const char *p = skip_space(*text);
    if (!is_word(p, "sparse")) return false;
    p = skip_space(p + strlen("sparse"));
    if (!name_start(*p) || (is_word(p, "wrt") && kind != GW_REQUEST_JACOBIAN)) return false;
    *text = p;
    return true;
}

const char *gw_request_read(gw_session *s, gw_request *request) {
    const char *p = gw_cstr(s, request->text);
    gw_request_free(request);
    const char *wrong =
        request->kind == GW_REQUEST_DERIVATIVES ? read_directions(&p, &request->directions) : NULL;
    if (!wrong) wrong = read_own_name(s, &p, &request->name);
    if (wrong) return wrong;
    request->is_sparse = read_sparse(&p, request->kind);
    if (request->is_sparse && request->kind != GW_REQUEST_JACOBIAN && !request->part_of)
        return "only a Jacobian can be sparse";
    wrong = read_names(s, &p, &request->dependents, &request->dependent_extents, NULL);
    if (wrong) return wrong;
    if (!is_word(p, "wrt")) return "it has no 'wrt'";
    p += strlen("wrt");
    wrong = read_names(s, &p, &request->independents, &request->independent_extents, &request->fresh);
    if (!wrong && !request->independents.count) return "no name follows 'wrt'";
    uint32_t inputs = request->independents.count;
    bool via = !wrong && is_word(p, "via");
    if (via) { /* what is written and read on the way is an output and an input: named as one, it is both */
        p += strlen("via");
        wrong = read_names(s, &p, &request->independents, &request->independent_extents, NULL);
    }
    if (wrong) return wrong;
    if (via && request->independents.count == inputs) return "no name follows 'via'";
    bool with = is_word(p, "with");
    if (with && request->kind != GW_REQUEST_SPLIT)
        return "only a split gradient has outputs that stand for its tape, 'with'";
    if (with) {
        p += strlen("with");
        gw_names none = {0};
        wrong = read_names(s, &p, &request->kept, &none, NULL);
        gw_vec_free(&none);
    }
    if (wrong) return wrong;
    if (is_word(p, "by") && (wrong = read_model(s, &p, request))) return wrong;
    if (with && !request->kept.count) return "no name follows 'with'";
    if (!wrong && *p) wrong = "there is more than one 'wrt'";
    return wrong ? wrong : check_extents(s, request);
}

void gw_request_name(gw_session *s, gw_request *request, gw_str function) {
    const char *suffix = gw_request_rows[request->kind].suffix;
    if (request->name || !*suffix) return;
    char *text = gw_format("%s%s", gw_cstr(s, function), suffix);
    request->name = gw_intern(s, text);
    free(text);
}

static bool same_names(const gw_str *a, uint32_t n, const gw_str *b, uint32_t m) {
    for (uint32_t i = 0; i < n; i++) {
        bool there = false;
        for (uint32_t k = 0; k < m; k++)
            there |= a[i] == b[k];
        if (!there) return false;
    }
    return n == m;
}

bool gw_request_equal(const gw_request *a, const gw_request *b) {
    return a->kind == b->kind && a->name == b->name && a->directions == b->directions && a->model == b->model &&
           same_names(a->dependents.at, a->dependents.count, b->dependents.at, b->dependents.count) &&
           same_names(a->independents.at, a->independents.count, b->independents.at, b->independents.count) &&
           same_names(a->kept.at, a->kept.count, b->kept.at, b->kept.count) &&
           same_names(a->fresh.at, a->fresh.count, b->fresh.at, b->fresh.count);
}

/* ---- "ns::f<3>(float): " ---- */
const char *gw_request_split(const char *text) {
    for (const char *c = text; *c; c++) {
        if (*c != ':') continue;
        if (c[1] == ':')
            c++;
        else
            return c[strspn(c, ": \t")] && c != text ? c : NULL;
    }
    return NULL;
}

gw_str gw_request_tight(gw_session *s, const char *from, const char *to) {
    gw_text out = {0};
    gw_text_add(&out, "");
    for (const char *p = from; p < to; p++) {
        if (!isspace((unsigned char)*p)) {
            gw_text_add_char(&out, *p);
            continue;
        }
        while (p + 1 < to && isspace((unsigned char)p[1]))
            p++;
        bool needed = out.count && gw_is_word(out.at[out.count - 1]) && p + 1 < to && gw_is_word(p[1]);
        if (needed) gw_text_add(&out, " ");
    }
    gw_str text = gw_intern(s, out.at);
    gw_text_free(&out);
    return text;
}

/* Behind the symbol of "operator*", or the type of "operator double"; NULL if there is none. */
static const char *skip_operator(const char *p) {
    static const char *const symbols[] = {
        "()", "[]", "->*", "<=>", "<<=", ">>=", "->", "<<", ">>", "<=", ">=", "==", "!=",
        "&&", "||", "++",  "--",  "+=",  "-=",  "*=", "/=", "%=", "^=", "&=", "|=", "+",
        "-",  "*",  "/",   "%",   "^",   "&",   "|",  "~",  "!",  "=",  "<",  ">",  ","};
    const char *from = p = skip_space(p);
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) /* longer ones first */
        if (strncmp(p, symbols[i], strlen(symbols[i])) == 0) return p + strlen(symbols[i]);
    while (*p && *p != '(') p++;
    while (p > from && isspace((unsigned char)p[-1])) p--;
    return p > from && name_start(*from) ? p : NULL;
}

/* name(::name)*, where a class may have arguments ("S<3>::f") and the last may be an operator: the end, and the
 * start of the last name. */
static const char *skip_qualified(const char *p, const char **last) {
    for (;;) {
        if (!name_start(*p)) return NULL;
        *last = p;
        if (is_word(p, "operator")) return skip_operator(p + strlen("operator"));
        while (gw_is_word(*p))
            p++;
        const char *end = *p == '<' ? closing(p) : NULL;
        if (end && strncmp(skip_space(end + 1), "::", 2) == 0) p = end + 1;
        if (strncmp(skip_space(p), "::", 2) != 0) return p;
        p = skip_space(skip_space(p) + 2);
    }
}

/* Up to the "::" before the last name. */
static gw_str read_scope(gw_session *s, const char *from, const char *last) {
    while (last > from && (isspace((unsigned char)last[-1]) || last[-1] == ':'))
        last--;
    return gw_request_tight(s, from, last);
}

const char *gw_request_read_target(gw_session *s, gw_str function, gw_request_target *out) {
    static const char expected[] =
        "before ':' stands a function: 'f', 'ns::f', 'f<3>', 'f(float, int)' or 'S::operator*'";
    const char *p = skip_space(gw_cstr(s, function)), *last;
    *out = (gw_request_target){.is_whole = strncmp(p, "::", 2) == 0};
    if (out->is_whole) p = skip_space(p + 2);
    const char *end = skip_qualified(p, &last);
    if (!end) return expected;
    out->qualified = gw_request_tight(s, p, end);
    out->scope = read_scope(s, p, last);
    out->name = gw_request_tight(s, last, end);
    p = skip_space(end);
    if (*p == '<') {
        end = closing(p);
        if (!end) return expected;
        out->arguments = gw_request_tight(s, p + 1, end);
        p = skip_space(end + 1);
    }
    if (*p == '(') {
        end = closing(p);
        if (!end) return expected;
        out->has_parameters = true;
        out->parameters = gw_request_tight(s, p + 1, end);
        if (strcmp(gw_cstr(s, out->parameters), "void") == 0) out->parameters = 0;
        p = skip_space(end + 1);
    }
    out->is_const = strncmp(p, "const", 5) == 0 && !gw_is_word(p[5]);
    if (out->is_const) p = skip_space(p + 5);
    return *p ? expected : NULL;
}

gw_str gw_request_key(gw_session *s, const gw_request *r) {
    char *key = gw_format("%d %s: %s", (int)r->kind, gw_cstr(s, r->function), gw_cstr(s, r->text));
    const gw_str whole = gw_intern(s, key);
    free(key);
    return whole;
}
