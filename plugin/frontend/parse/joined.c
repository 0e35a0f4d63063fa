/*
 * frontend/parse/joined.c - other sources of the program, read behind the main one as if it included them.
 *
 * Requires that the run's own source and each other parse by themselves. Guarantees that what is read means
 * what it means alone. Why: Clang says where names of two files cannot stand together; an internal name that
 * an earlier file has, too, is a name of its own (GW_RENAMED), as main is; macros of the files before are
 * gone; and what is left (overloads, macros of headers, names that are seen now) would change a meaning,
 * which is asked of every declaration of every file (meaning.c). The text of a gradient stands behind the
 * main source alone, so it is parsed once more with nothing else (gw_pass_alone).
 */
#define _GNU_SOURCE
#include "plugin/frontend/parse/parse.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/passes.h"
#include "plugin/frontend/type/type.h"
#include "plugin/request/request.h"

#include <string.h>

char *gw_front_joined_path(const gw_unit *u, uint32_t other) {
    const char *path = u->run->others[other], *source = u->run->source, *slash = strrchr(source, '/');
    if (*path == '/') return gw_strdup(path);
    if (!slash) return gw_format("./%s", path);
    if (*source == '/' || strstr(source, "..")) {
        char *real = realpath(path, NULL);
        return real ? real : gw_strdup(path);
    }
    gw_text up = {0};
    gw_text_addf(&up, "%.*s", (int)(slash + 1 - source), source);
    for (const char *c = source; c <= slash; c++)
        if (*c == '/') gw_text_add(&up, "../");
    gw_text_add(&up, path);
    return up.at;
}

/* ---- one source by itself ---- */
static void start_alone(const gw_unit *u, const char *path, gw_unit *out) {
    gw_run *run = gw_alloc(sizeof *run);
    *run = *u->run;
    run->source = path;
    run->session = gw_session_new();
    run->session->options = u->session->options;
    run->session->source_file = gw_intern(run->session, path);
    const char *name = gw_cstr(u->session, u->session->include_mode_name);
    run->session->include_mode_name = gw_intern(run->session, name);
    run->session->is_cuda = u->session->is_cuda, run->session->is_c = u->session->is_c;
    *out = (gw_unit){.run = run, .session = run->session};
    gw_front_shapes_start(out);
}

/* Its callers may stand in the source, so its gradient is declared for it alone, too. */
static void take_requests(const gw_unit *u, gw_session *to) {
    for (uint32_t i = 0; i < u->session->requests.count; i++) {
        const gw_request *r = &u->session->requests.at[i];
        const gw_str function = gw_intern(to, gw_cstr(u->session, r->function));
        const gw_str text = gw_intern(to, gw_cstr(u->session, r->text));
        gw_push(&to->requests, ((gw_request){.kind = r->kind, .function = function, .text = text}));
    }
}

bool gw_front_read_alone(gw_unit *u, const char *path, gw_unit *out) {
    start_alone(u, path, out);
    if (path == u->run->source) take_requests(u, out->session);
    const bool good = gw_front_parse(out);
    if (!good) gw_diag_take_errors(u->session, out->session);
    return good;
}

void gw_front_alone_free(gw_unit *alone) {
    gw_vec_free(&alone->captures);
    gw_vec_free(&alone->instances);
    gw_front_shapes_end(alone);
    gw_front_parse_end(alone);
    gw_session_free(alone->session);
    free(alone->run);
}

/* ---- names ---- */
typedef struct names {
    gw_unit *in;     /* whose session has the names */
    GW_VEC(gw_str) all, internal, macros;
} names;

/* A declaration of it is no other file's. */
static bool is_internal(CXCursor c) {
    const enum CXLinkageKind linkage = clang_getCursorLinkage(c);
    switch (clang_getCursorKind(c)) {
    case CXCursor_FunctionDecl:
    case CXCursor_FunctionTemplate:
    case CXCursor_VarDecl:
        return linkage == CXLinkage_Internal || linkage == CXLinkage_UniqueExternal;
    case CXCursor_StructDecl:
    case CXCursor_ClassDecl:
    case CXCursor_UnionDecl:
    case CXCursor_EnumDecl:
    case CXCursor_ClassTemplate:
        return clang_isCursorDefinition(c) != 0;
    case CXCursor_EnumConstantDecl:
    case CXCursor_TypedefDecl:
    case CXCursor_TypeAliasDecl:
    case CXCursor_TypeAliasTemplateDecl:
        return true;
    default:
        return false;
    }
}

static bool is_of_stand_in(const gw_unit *u, CXCursor c) {
    CXFile file = NULL;
    bool is = false;
    clang_getExpansionLocation(clang_getCursorLocation(c), &file, NULL, NULL, NULL);
    for (uint32_t i = 0; i < u->gradients.count && file; i++)
        is |= clang_File_isEqual(file, u->gradients.at[i]) != 0;
    return is;
}

/* What the main file itself declares at file scope and in namespaces, and what stands in for its gradients. */
static enum CXChildVisitResult note_name(CXCursor c, CXCursor parent, CXClientData data) {
    names *n = data;
    const enum CXCursorKind kind = clang_getCursorKind(c);
    (void)parent;
    const bool is_stand_in = is_of_stand_in(n->in, c);
    if (!clang_Location_isFromMainFile(clang_getCursorLocation(c)) && !is_stand_in)
        return CXChildVisit_Continue;
    if (kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec) return CXChildVisit_Recurse;
    const gw_str name = gw_front_intern(n->in, clang_getCursorSpelling(c));
    if (kind == CXCursor_MacroDefinition) gw_push(&n->macros, name);
    if (!clang_isDeclaration(kind) || !gw_cstr(n->in->session, name)[0]) return CXChildVisit_Continue;
    const bool is_member = clang_getCursorKind(clang_getCursorSemanticParent(c)) == CXCursor_StructDecl ||
                           clang_getCursorKind(clang_getCursorSemanticParent(c)) == CXCursor_ClassDecl;
    if (is_member || strncmp(gw_cstr(n->in->session, name), "operator", 8) == 0) return CXChildVisit_Continue;
    gw_push(&n->all, name);
    if (is_stand_in || is_internal(c)) gw_push(&n->internal, name);
    return kind == CXCursor_EnumDecl ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

static void names_free(names *n) {
    gw_vec_free(&n->all);
    gw_vec_free(&n->internal);
    gw_vec_free(&n->macros);
}

/* ---- the text ---- */
typedef struct joining {
    gw_unit *u;
    gw_unit *alone; /* the source, then each other */
    uint32_t count;
    GW_VEC(gw_str) taken; /* names of the files before, in u's session */
    gw_text text;
} joining;

static bool has(const gw_str *list, uint32_t count, gw_str name) {
    bool found = false;
    for (uint32_t i = 0; i < count; i++) found |= list[i] == name;
    return found;
}

/* As an include of the source names it: from the source's folder on. */
static const char *included_name(const gw_unit *u, const char *path) {
    const char *slash = strrchr(u->run->source, '/');
    const size_t folder = slash ? (size_t)(slash + 1 - u->run->source) : 2; /* "./" */
    return *path == '/' ? path : path + folder;
}

static void add_source(joining *j, gw_unit *alone, const char *path) {
    names n = {.in = alone};
    gw_text end = {0};
    gw_session *s = j->u->session;
    GW_VEC(gw_str) done = {0};
    clang_visitChildren(clang_getTranslationUnitCursor(alone->clang), note_name, &n);
    const gw_session *own = alone->session;
    for (uint32_t i = 0; i < n.internal.count; i++)
        n.internal.at[i] = gw_intern(s, gw_cstr(own, n.internal.at[i]));
    const gw_str entry = gw_intern(s, "main");
    gw_push(&n.internal, entry);
    gw_push(&j->taken, entry);
    for (uint32_t i = 0; path && i < n.internal.count; i++) {
        const gw_str name = n.internal.at[i];
        const char *word = gw_cstr(s, name);
        if (!has(j->taken.at, j->taken.count, name) || has(done.at, done.count, name)) continue;
        gw_text_addf(&j->text, "#define %s " GW_RENAMED "%u%s\n", word, j->count, word);
        gw_text_addf(&end, "#undef %s\n", word);
        gw_push(&done, name);
    }
    if (path) gw_text_addf(&j->text, "#include \"%s\"\n%s", included_name(j->u, path), end.at ? end.at : "");
    for (uint32_t i = 0; i < n.macros.count; i++)
        gw_text_addf(&j->text, "#undef %s\n", gw_cstr(own, n.macros.at[i]));
    for (uint32_t i = 0; i < n.all.count; i++) gw_push(&j->taken, gw_intern(s, gw_cstr(own, n.all.at[i])));
    for (uint32_t i = 0; path && i < alone->stand_in_files.count; i++)
        gw_push(&j->u->joined, ((gw_stand_in_file){gw_strdup(alone->stand_in_files.at[i].path),
                                                   gw_strdup(alone->stand_in_files.at[i].text)}));
    gw_vec_free(&done);
    gw_text_free(&end);
    names_free(&n);
}

static bool say_not_together(joining *j, gw_unit *of, gw_loc at, const char *file, const char *why) {
    gw_session *s = j->u->session;
    at.file = gw_intern(s, gw_cstr(of->session, at.file));
    gw_diag(s, GW_DIAG_NOT_TOGETHER, at, file, j->u->run->source, why);
    return false;
}

/* Each file means here what it means alone. */
static bool check_meanings(joining *j) {
    gw_meanings together = {0};
    bool good = true;
    gw_front_meanings(j->u->clang, &together);
    for (uint32_t i = 0; i < j->count && good; i++) {
        gw_unit *alone = &j->alone[i];
        gw_meanings own = {0};
        gw_front_meanings(alone->clang, &own);
        const CXCursor other = gw_front_other_meaning(&own, &together);
        if (!clang_Cursor_isNull(other)) {
            const char *name = gw_cstr(alone->session, gw_front_intern(alone, clang_getCursorSpelling(other)));
            char *why = gw_format("'%s' would mean something else", name);
            good = say_not_together(j, alone, gw_front_loc(alone, clang_getCursorLocation(other)),
                                    alone->run->source, why);
            free(why);
        }
        gw_vec_free(&own);
    }
    gw_vec_free(&together);
    return good;
}

/* A header of the source that the other one read again. */
static bool is_read_twice(const joining *j, gw_str file, const char *said) {
    static const char again[] = "redefinition of ";
    const gw_unit *u = j->u;
    return strncmp(said, again, sizeof again - 1) == 0 && file != u->session->source_file &&
           has(u->own_files.at, u->own_files.count, file);
}

/* Clang's first error of the joined parse. */
static bool check_errors(joining *j) {
    bool good = true;
    for (unsigned i = 0; i < clang_getNumDiagnostics(j->u->clang) && good; i++) {
        CXDiagnostic d = clang_getDiagnostic(j->u->clang, i);
        if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error) {
            const gw_loc at = gw_front_loc(j->u, clang_getDiagnosticLocation(d));
            gw_session *s = j->u->session;
            const char *said = gw_cstr(s, gw_front_intern(j->u, clang_getDiagnosticSpelling(d)));
            const char *file = gw_cstr(s, at.file);
            good = false;
            if (is_read_twice(j, at.file, said))
                gw_diag(s, GW_DIAG_NO_GUARD, at, file, j->u->run->source);
            else
                say_not_together(j, j->u, at, file, said);
        }
        clang_disposeDiagnostic(d);
    }
    return good;
}

static bool read_each(joining *j, const char *source) {
    const gw_session *s = j->u->session;
    bool good = gw_front_read_alone(j->u, source, &j->alone[0]);
    j->count = 1;
    if (good) add_source(j, &j->alone[0], NULL);
    for (uint32_t i = 0; good && i < s->joined.count; i++) {
        char *path = gw_front_joined_path(j->u, s->joined.at[i]);
        good = gw_front_read_alone(j->u, path, &j->alone[j->count]);
        if (good) add_source(j, &j->alone[j->count], path);
        j->count++;
    }
    return good;
}

bool gw_front_parse_joined(gw_unit *u) {
    joining j = {.u = u};
    if (!u->session->joined.count) return gw_front_parse(u);
    char *text = gw_front_source_text(u);
    if (!text) return false;
    gw_front_index(u);
    j.alone = gw_alloc((u->session->joined.count + 1) * sizeof *j.alone);
    gw_text_addf(&j.text, "%s\n", text);
    bool good = read_each(&j, u->run->source);
    const gw_session *own = j.alone[0].session;
    for (uint32_t i = 0; good && i < own->included.count; i++)
        gw_push(&u->own_files, gw_intern(u->session, gw_cstr(own, own->included.at[i])));
    good = good && gw_front_parse_text(u, text, j.text.at);
    good = good && check_errors(&j) && check_meanings(&j);
    for (uint32_t i = 0; i < j.count; i++) gw_front_alone_free(&j.alone[i]);
    free(j.alone);
    free(text);
    gw_vec_free(&j.taken);
    gw_text_free(&j.text);
    return good;
}

/* ---- the text of a gradient ---- */
/* The files in the places of which the source includes its gradient; it need not. */
static char *text_places(gw_unit *u, const gw_run *run, gw_includes *out) {
    char *text = gw_front_source_text(u), *end = NULL;
    if (!text) return NULL;
    gw_front_stub_includes(run->source, text, out);
    if (!out->count) {
        static const char name[] = "gw_text_of_source.hpp";
        const char *slash = strrchr(run->source, '/');
        const int folder = slash ? (int)(slash - run->source) : 1;
        gw_push(out, gw_format("%.*s/%s", folder, slash ? run->source : ".", name));
        end = gw_format("%s\n#include \"%s\"\n", text, name);
        free(text);
        text = end;
    }
    return text;
}

static bool say_unknown(gw_unit *u, const gw_run *run, const gw_includes *places) {
    for (unsigned i = 0; i < clang_getNumDiagnostics(u->clang); i++) {
        CXDiagnostic d = clang_getDiagnostic(u->clang, i);
        const bool error = clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error;
        CXFile file = NULL;
        clang_getExpansionLocation(clang_getDiagnosticLocation(d), &file, NULL, NULL, NULL);
        bool is_text = false;
        for (uint32_t k = 0; file && k < places->count; k++) {
            CXFile place = clang_getFile(u->clang, places->at[k]);
            is_text |= place && clang_File_isEqual(file, place);
        }
        const gw_str why = gw_front_intern(u, clang_getDiagnosticSpelling(d));
        clang_disposeDiagnostic(d);
        if (!error || !is_text) continue;
        gw_diag(run->session, GW_DIAG_OTHERS_ALONE, (gw_loc){0}, run->source, gw_cstr(u->session, why));
        return false;
    }
    return true;
}

bool gw_pass_alone(gw_run *run) {
    gw_unit u = {.run = run, .session = run->session}, alone = {0};
    gw_includes places = {0};
    if (!run->session->joined.count || !run->output.at || run->session->options.standalone) return true;
    start_alone(&u, run->source, &alone);
    char *text = text_places(&alone, run, &places);
    bool good = text != NULL;
    for (uint32_t i = 0; i < places.count; i++)
        gw_push(&alone.joined, ((gw_stand_in_file){gw_strdup(places.at[i]), gw_strdup(run->output.at)}));
    gw_front_index(&alone);
    good = good && gw_front_parse_text(&alone, text, text) && say_unknown(&alone, run, &places);
    for (uint32_t i = 0; i < places.count; i++) free(places.at[i]);
    gw_vec_free(&places);
    gw_front_alone_free(&alone);
    free(text);
    return good;
}
