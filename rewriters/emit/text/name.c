/*
 * emit/text/name.c - names in the emitted text: the user's where there is one, else a word for what the value
 * is.
 *
 * Guarantees that a name declared in a scope differs from every name visible there, from keywords, from the
 * functions and globals that the text may mention and from the parameters, so nothing is shadowed or
 * captured. Scopes that have ended give their names back: two loops in a row may both count with `i`.
 */
#include "analysis/ir/question.h"
#include "rewriters/emit/text/text_private.h"
#include "rewriters/formula/formula.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Keywords of C, C++ and CUDA, and names that the text itself mentions. */
static const char *const reserved_words[] = {
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "warpSize",
    "dim3",
    "min",
    "max",
    "llmin",
    "llmax",
    "ullmin",
    "ullmax",
    "isnan",
    "isinf",
    "isfinite",
    "signbit",
    "INFINITY",
    "NAN",
    "NULL",
    "errno",
    "assert",
    "memset",
    "linux",
    "unix",
    "main",
#define GW_INTRIN(spelling, OP, type, fast) spelling,
#include "analysis/ir/intrin.def"
#undef GW_INTRIN
};

/* What a value is called that the user gave no name. */
static const struct {
    gw_opcode code;
    const char *noun;
} nouns[] = {
    {GW_OP_ADD, "sum"},        {GW_OP_SUB, "difference"}, {GW_OP_MUL, "product"}, {GW_OP_DIV, "quotient"},
    {GW_OP_REM, "remainder"},  {GW_OP_NEG, "negative"},   {GW_OP_AND, "both"},    {GW_OP_OR, "either"},
    {GW_OP_SHL, "shifted"},    {GW_OP_SHR, "shifted"},    {GW_OP_EQ, "equal"},    {GW_OP_NE, "differs"},
    {GW_OP_LT, "less"},        {GW_OP_LE, "at_most"},     {GW_OP_GT, "greater"},  {GW_OP_GE, "at_least"},
    {GW_OP_SELECT, "choice"},  {GW_OP_IF, "choice"},      {GW_OP_FOR, "carried"}, {GW_OP_WHILE, "carried"},
    {GW_OP_CAST, "converted"},
};

void gw_emit_reserve(gw_emitter *e, gw_str name) {
    while (e->reserved.count <= name) gw_push(&e->reserved, 0u);
    e->reserved.at[name]++;
    gw_push(&e->names, ((gw_emit_name){.name = name, .depth = e->depth}));
}

void gw_emit_release(gw_emitter *e, uint32_t count) {
    while (e->names.count > count) e->reserved.at[e->names.at[--e->names.count].name]--;
}

void gw_emit_reserve_globals(gw_emitter *e) {
    gw_session *s = e->session;
    for (size_t i = 0; i < sizeof reserved_words / sizeof reserved_words[0]; i++)
        gw_emit_reserve(e, gw_intern(s, reserved_words[i]));
    for (uint32_t i = 0; i < s->macros.count; i++) gw_emit_reserve(e, s->macros.at[i]);
    for (uint32_t i = 0; i < s->funcs.count; i++) {
        const gw_func *f = s->funcs.at[i];
        gw_emit_reserve(e, f->name);
        gw_emit_reserve(e, gw_intern_n(s, gw_cstr(s, f->qualified), strcspn(gw_cstr(s, f->qualified), ":")));
    }
}

void gw_emit_reserve_used(gw_emitter *e, const gw_func *f) {
    gw_name_list list = {0};
    gw_names_used(f, &list);
    for (uint32_t i = 0; i < list.count; i++) gw_emit_reserve(e, list.at[i]);
    gw_vec_free(&list);
}

void gw_emit_scope_open(gw_emitter *e) { e->depth++; }

void gw_emit_scope_close(gw_emitter *e) {
    uint32_t count = e->names.count;
    while (count && e->names.at[count - 1].depth == e->depth)
        count--;
    gw_emit_release(e, count);
    e->depth--;
}

static bool is_in_use(const gw_emitter *e, gw_str name) {
    return name < e->reserved.count && e->reserved.at[name];
}

/* `wish` as an identifier; never empty, never one that the language or this tool keeps for itself. */
static char *identifier(const char *wish) {
    bool kept = strncmp(wish, "gw_", 3) == 0 || strncmp(wish, "__", 2) == 0 || isdigit((unsigned char)wish[0]);
    char *text = gw_format("%s%s", kept ? "v" : "", wish[0] ? wish : "value");
    for (char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_') *c = '_';
    return text;
}

static bool is_taken(const void *e, gw_str name) { return is_in_use(e, name); }

gw_str gw_emit_unique(gw_emitter *e, const char *wish) {
    char *base = identifier(wish);
    gw_str name = gw_free_name(e->session, base, is_taken, e);
    free(base);
    gw_emit_reserve(e, name);
    return name;
}

static const char *noun_of(gw_opcode code) {
    for (size_t i = 0; i < sizeof nouns / sizeof nouns[0]; i++)
        if (nouns[i].code == code) return nouns[i].noun;
    return NULL;
}

/* p[i].pos.x -> "p_x", p[i] -> "p_value" */
static char *name_of_cell(const gw_emitter *e, const gw_op_data *o) {
    const char *path = gw_cstr(e->session, o->path), *dot = strrchr(path, '.');
    const char *object = gw_cstr(e->session, gw_object_at(e->f, o->object)->name);
    const bool is_size = dot && dot[1] == GW_PATH_SIZE[1];
    const char *colon = strrchr(path, ':');
    if (dot && (dot[1] == GW_PATH_IS[1] || dot[1] == GW_PATH_OF[1]))
        return gw_format("is_%s", colon ? colon + 1 : dot + 2);
    const char *asked = gw_question_in(path);
    if (asked) return gw_emit_answer_name(object, asked);
    if (gw_path_asks(path)) return gw_format(is_size ? "%s_size" : "has_%s", object);
    return gw_format("%s_%s", object, dot && !strchr(dot, '[') ? dot + 1 : "value");
}

/* Does the text of the op read v but in the index of a cell? */
static bool reads_otherwise(const gw_emitter *e, gw_op op, gw_value v) {
    const gw_func *f = e->f;
    const uint16_t code = gw_op_at(f, op)->code;
    const bool memory = code == GW_OP_LOAD || code == GW_OP_STORE || code == GW_OP_ACCUM ||
                        code == GW_OP_ATOMIC || code == GW_OP_SETTLE;
    for (uint32_t i = memory ? gw_index_count(f, op) : 0; i < gw_op_at(f, op)->operands; i++) {
        gw_value x = gw_operand(f, op, i);
        gw_op made = gw_value_at(f, x)->op;
        if (!gw_emit_is_inline(&e->plan, x) || !made || gw_op_at(f, made)->regions) {
            if (gw_emit_reads(&e->plan, x, v)) return true;
        } else if (reads_otherwise(e, made, v)) {
            return true;
        }
    }
    return false;
}

/* Is v read in the index of a cell, or in what is one, and nowhere else? A cell that is read has its own name
 * unless it is all of an index. */
static bool is_index(const gw_emitter *e, gw_value v) {
    const gw_func *f = e->f;
    const gw_emit_plan *p = &e->plan;
    gw_op made = gw_value_at(f, v)->op;
    bool all = gw_type_is_integer(gw_typeof(f, v)) && p->values[v].first_use && made;
    for (uint32_t u = p->values[v].first_use; u && all; u = p->uses.at[u].next) {
        gw_op at = p->uses.at[u].at;
        const bool defines = gw_op_at(f, at)->results == 1 && !gw_op_at(f, at)->regions &&
                             gw_op_at(f, made)->code != GW_OP_LOAD;
        all = !reads_otherwise(e, at, v) ||
              (defines && gw_result(f, at, 0) != v && is_index(e, gw_result(f, at, 0)));
    }
    return all;
}

/* "d_p_x_term" of what branches or iterations make for d_p[i].x +=; NULL where v is no such thing. */
static char *name_of_term(const gw_emitter *e, gw_value v, uint16_t code) {
    gw_op user = e->plan.values[v].user;
    const gw_op_data *o = user ? gw_op_at(e->f, user) : NULL;
    if (!o || o->code != GW_OP_ACCUM || e->plan.values[v].user_index != gw_index_count(e->f, user)) return NULL;
    if (code != GW_OP_IF && code != GW_OP_SELECT && code != GW_OP_FOR && code != GW_OP_WHILE) return NULL;
    const char *dot = strrchr(gw_cstr(e->session, o->path), '.');
    bool member = dot && !strchr(dot, '[');
    return gw_format("%s%s%s_term", gw_cstr(e->session, gw_object_at(e->f, o->object)->name), member ? "_" : "",
                     member ? dot + 1 : "");
}

/* ---- what a value is made of ---- */
enum { LONGEST_NAME = 28 };

/* The name that the user gave the value, or that of the cell it is read from; NULL: neither. */
static char *given_name(const gw_emitter *e, gw_value v) {
    const gw_func *f = e->f;
    gw_op op = gw_value_at(f, v)->op;
    while (op && gw_op_at(f, op)->code == GW_OP_CAST) {
        v = gw_operand(f, op, 0);
        op = gw_value_at(f, v)->op;
    }
    const gw_value root = gw_emit_is_inline(&e->plan, v) ? v : gw_emit_variable(&e->plan, v);
    gw_str name = e->plan.values[root].name ? e->plan.values[root].name : gw_value_at(f, v)->name;
    if (name) return gw_strdup(gw_cstr(e->session, name));
    if (!op || gw_op_at(f, op)->code != GW_OP_LOAD) return NULL;
    const char *dot = strrchr(gw_cstr(e->session, gw_op_at(f, op)->path), '.');
    if (dot && !strchr(dot, '[')) return name_of_cell(e, gw_op_at(f, op));
    return gw_strdup(gw_cstr(e->session, gw_object_at(f, gw_op_at(f, op)->object)->name));
}

/* What stands between the names of both operands. */
static const char *word_between(const gw_emitter *e, gw_value v, uint16_t code) {
    const bool is_truth = gw_typeof(e->f, v) == GW_T_BOOL;
    switch (code) {
    case GW_OP_ADD: return "_plus_";
    case GW_OP_SUB: return "_minus_";
    case GW_OP_MUL: return "_";
    case GW_OP_DIV: return "_over_";
    case GW_OP_AND: return is_truth ? "_and_" : NULL;
    case GW_OP_OR: return is_truth ? "_or_" : NULL;
    default: return NULL;
    }
}

/* "alpha_T" for alpha * T, "u_squared" for u * u, where both have names and these are short; else NULL. */
static char *name_of_parts(const gw_emitter *e, gw_value v, const gw_op_data *o) {
    const char *between = word_between(e, v, o->code);
    if (!between) return NULL;
    gw_op op = gw_value_at(e->f, v)->op;
    const gw_value a = gw_operand(e->f, op, 0), b = gw_operand(e->f, op, 1);
    char *left = given_name(e, a), *right = given_name(e, b), *name = NULL;
    if (left && right && o->code == GW_OP_MUL && a == b) name = gw_format("%s_squared", left);
    else if (left && right) name = gw_format("%s%s%s", left, between, right);
    free(left), free(right);
    if (name && strlen(name) <= LONGEST_NAME) return name;
    free(name);
    return NULL;
}

static char *wish_for(const gw_emitter *e, gw_value v) {
    gw_op op = gw_value_at(e->f, v)->op;
    if (!op) return gw_strdup("carried");
    const gw_op_data *o = gw_op_at(e->f, op);
    char *term = name_of_term(e, v, o->code);
    if (term) return term;
    if (is_index(e, v) && !o->regions) return gw_strdup("index");
    char *parts = name_of_parts(e, v, o);
    if (parts) return parts;
    const char *noun = noun_of((gw_opcode)o->code);
    if (noun && (o->code == GW_OP_AND || o->code == GW_OP_OR) && gw_typeof(e->f, v) != GW_T_BOOL) noun = "bits";
    if (noun) return gw_strdup(noun);
    switch (o->code) {
    case GW_OP_LOAD:
        return name_of_cell(e, o);
    case GW_OP_POP:
        return gw_strdup(gw_cstr(e->session, gw_object_at(e->f, o->object)->name));
    case GW_OP_CALL:
        return gw_format("%s_value", gw_cstr(e->session, gw_callee_local_name(e->session, "", o->callee)));
    default:
        return gw_format("%s_value", gw_op_rows[o->code].text);
    }
}

gw_str gw_emit_name_value(gw_emitter *e, gw_value root) {
    gw_str name = e->plan.values[root].name;
    char *wish = name ? gw_strdup(gw_cstr(e->session, name)) : wish_for(e, root);
    e->variable_name[root] = gw_emit_unique(e, wish);
    free(wish);
    return e->variable_name[root];
}

/* ---- names of others ---- */
const char *gw_emit_file_name(const gw_session *s, gw_str path) {
    const char *text = gw_cstr(s, path), *slash = strrchr(text, '/');
    return slash ? slash + 1 : text;
}

gw_str gw_emit_namespace(gw_session *s, const gw_func *f) {
    return gw_emit_namespace_of(s, f->primal ? f->primal->qualified : f->qualified);
}

gw_str gw_emit_namespace_of(gw_session *s, gw_str name) {
    const char *qualified = gw_cstr(s, name), *last = NULL;
    for (const char *c = strstr(qualified, "::"); c; c = strstr(c + 2, "::"))
        last = c;
    return last ? gw_intern_n(s, qualified, (size_t)(last - qualified)) : 0;
}

char *gw_emit_rounding_table_name(const gw_session *s, uint32_t part) {
    const gw_request *whole = &s->requests.at[s->requests.at[part].part_of - 1];
    return gw_format("%s_table", gw_cstr(s, whole->name));
}
