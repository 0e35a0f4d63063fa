/*
 * frontend/parse/parse.c - one parse of the main file by libclang, and Clang's errors as ours.
 */
#include "plugin/frontend/parse/parse.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/requests.h"
#include "plugin/frontend/type/type.h"
#include "plugin/request/request.h"
#include "plugin/source/kept.h"
#include "plugin/source/source.h"

#include <errno.h>
#include <string.h>

char *gw_front_source_text(gw_unit *u) {
    const char *name = u->run->source;
    FILE *in = fopen(name, "rb");
    gw_text text = {0};
    char part[4096];
    size_t n = 0;
    gw_text_add(&text, "");
    while (in && (n = fread(part, 1, sizeof part - 1, in)) > 0) {
        part[n] = 0;
        gw_text_add(&text, part);
    }
    if (!in || ferror(in)) {
        gw_diag(u->session, GW_DIAG_CANNOT_READ, (gw_loc){0}, name, strerror(errno));
        gw_text_free(&text);
        text.at = NULL;
    }
    if (in) fclose(in);
    return text.at;
}

static uint32_t count_errors(const gw_unit *u) {
    uint32_t errors = 0;
    for (unsigned i = 0; i < clang_getNumDiagnostics(u->clang); i++) {
        CXDiagnostic d = clang_getDiagnostic(u->clang, i);
        errors += clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error;
        clang_disposeDiagnostic(d);
    }
    return errors;
}

/* Clang's words for a header that is not there. */
static bool is_missing_header(const char *text) {
    static const char end[] = "' file not found";
    const size_t n = strlen(text), m = sizeof end - 1;
    return *text == '\'' && n > m && strcmp(text + n - m, end) == 0;
}

static bool has_own_error(const gw_unit *u) {
    bool found = false;
    for (unsigned i = 0; i < clang_getNumDiagnostics(u->clang); i++) {
        CXDiagnostic d = clang_getDiagnostic(u->clang, i);
        found |= clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error &&
                 clang_Location_isFromMainFile(clang_getDiagnosticLocation(d));
        clang_disposeDiagnostic(d);
    }
    return found;
}

/* What Clang says of an error beside it: candidates, where something was declared. */
static void say_notes(gw_unit *u, CXDiagnostic d) {
    CXDiagnosticSet notes = clang_getChildDiagnostics(d);
    for (unsigned i = 0; i < clang_getNumDiagnosticsInSet(notes); i++) {
        CXDiagnostic note = clang_getDiagnosticInSet(notes, i);
        const gw_loc at = gw_front_loc(u, clang_getDiagnosticLocation(note));
        const char *text = gw_cstr(u->session, gw_front_intern(u, clang_getDiagnosticSpelling(note)));
        if (at.line) gw_diag(u->session, GW_DIAG_CLANG_NOTE, at, text);
    }
}

/* Says Clang's errors of headers that are not there, or all; false if there are none. That there is no toolkit
 * is said once. */
static bool report(gw_unit *u, bool only_headers) {
    const bool only_own = u->other_thrust && has_own_error(u); /* and not what follows in Thrust's headers */
    bool any = false, lacks_toolkit = false;
    for (unsigned i = 0; i < clang_getNumDiagnostics(u->clang); i++) {
        CXDiagnostic d = clang_getDiagnostic(u->clang, i);
        const bool error = clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error;
        const char *text = gw_cstr(u->session, gw_front_intern(u, clang_getDiagnosticSpelling(d)));
        const bool header = is_missing_header(text);
        const bool toolkits =
            header && u->session->is_cuda && gw_toolkit_has_header(text + 1) && !gw_toolkit_folder();
        const bool own = clang_Location_isFromMainFile(clang_getDiagnosticLocation(d)) != 0;
        if (error && (header || !only_headers) && !(toolkits && lacks_toolkit) && (own || !only_own)) {
            gw_diag(u->session, toolkits ? GW_DIAG_NO_TOOLKIT : GW_DIAG_SYNTAX,
                    gw_front_loc(u, clang_getDiagnosticLocation(d)), text);
            say_notes(u, d);
            lacks_toolkit |= toolkits;
            any = true;
        }
        clang_disposeDiagnostic(d);
    }
    return any;
}

/* What follows from a header that is not there is no error of its own. */
static void report_errors(gw_unit *u) {
    if (!report(u, true) && !gw_front_say_unknown_marks(u)) report(u, false);
}

static struct CXUnsavedFile unsaved(const char *path, const char *text) {
    return (struct CXUnsavedFile){path, text, (unsigned long)strlen(text)};
}

static bool stands_in_for(const gw_stand_in_files *files, const char *path) {
    bool found = false;
    for (uint32_t i = 0; i < files->count; i++) found |= strcmp(files->at[i].path, path) == 0;
    return found;
}

/* ---- parses of other readings ---- */
static void end_index(void *index) { clang_disposeIndex(index); }
static void end_parse(void *parse) { clang_disposeTranslationUnit(parse); }

void gw_front_index(gw_unit *u) {
    static const char key[] = "index";
    gw_kept_list *kept = u->run->kept;
    u->index = kept ? gw_kept_find(kept, key) : NULL;
    if (u->index) return;
    u->index = clang_createIndex(0, 0);
    if (kept) gw_kept_put(kept, gw_strdup(key), u->index, end_index);
}

/* The unit has no parse any more; the next reading may take it. */
static void put_away(gw_unit *u) {
    if (u->clang && u->run->kept) gw_kept_put(u->run->kept, u->parse_key, u->clang, end_parse);
    else if (u->clang) clang_disposeTranslationUnit(u->clang);
    if (!u->clang || !u->run->kept) free(u->parse_key);
    u->clang = NULL, u->parse_key = NULL;
}

void gw_front_parse_end(gw_unit *u) {
    put_away(u);
    free(u->precompiled), u->precompiled = NULL;
    if (u->index && !u->run->kept) clang_disposeIndex(u->index);
}

/* All that a parse is made of, but for files on disk. */
static char *key_of(const gw_unit *u, const gw_arguments *arguments, const struct CXUnsavedFile *files,
                    unsigned count) {
    gw_text key = {0};
    gw_text_addf(&key, "parse %s", u->run->source);
    for (uint32_t i = 0; i < arguments->count; i++) gw_text_addf(&key, "\n%s", arguments->at[i]);
    for (unsigned i = 0; i < count; i++)
        gw_text_addf(&key, "\n\n%s %lu\n%s", files[i].Filename, files[i].Length, files[i].Contents);
    return key.at;
}

/* Parses with the stubs in place of the gradients, launches as Clang spells them, and `source` in the place of
 * the main file (NULL: as it is); false if Clang gave no translation unit. */
static bool parse(gw_unit *u, const gw_arguments *arguments, const gw_includes *includes, const char *stub,
                  const char *source) {
    const gw_respelled_files *respelled = &u->respelled;
    const uint32_t others = u->joined.count;
    struct CXUnsavedFile *files = gw_alloc((includes->count + respelled->count + others + 1) * sizeof *files);
    unsigned count = 0;
    if (!source) source = u->joined_text;
    for (uint32_t i = 0; i < others; i++) files[count++] = unsaved(u->joined.at[i].path, u->joined.at[i].text);
    for (uint32_t i = 0; i < includes->count; i++)
        if (!stands_in_for(&u->joined, includes->at[i])) files[count++] = unsaved(includes->at[i], stub);
    for (size_t i = 0; i < respelled->count; i++)
        if (!source || strcmp(respelled->at[i].path, u->run->source) != 0)
            files[count++] = unsaved(respelled->at[i].path, respelled->at[i].text);
    if (source) files[count++] = unsaved(u->run->source, source);
    put_away(u);
    u->last_file = NULL;
    gw_vec_free(&u->named);
    const unsigned how = CXTranslationUnit_KeepGoing | CXTranslationUnit_DetailedPreprocessingRecord;
    u->parse_key = key_of(u, arguments, files, count);
    if (u->run->kept) u->clang = gw_kept_take(u->run->kept, u->parse_key);
    enum CXErrorCode code = CXError_Success;
    if (!u->clang)
        code = clang_parseTranslationUnit2FullArgv(u->index, u->run->source,
                                                   (const char *const *)arguments->at, (int)arguments->count,
                                                   files, count, how, &u->clang);
    free(files);
    if (code != CXError_Success || !u->clang) {
        if (u->precompiled) return false; /* without it Clang may */
        gw_diag(u->session, GW_DIAG_CANNOT_READ, (gw_loc){0}, u->run->source,
                "Clang does not take its flags (behind --), or knows no language by its name: .cu, .cpp, .c; "
                "else say -x behind --");
        return false;
    }
    return true;
}

/* Headers that stand in for a toolkit's. */
static const char own_groups[] = "/gradwright/groups/", own_algorithms[] = "/gradwright/algorithms/",
                  own_thrust[] = "/gradwright/algorithms/thrust/", /* headers; beside it, what they call: */
    own_each[] = "/gradwright/algorithms/each/",                   /* code that is read as theirs is */
    own_cub[] = "/gradwright/algorithms/cub/",
                  own_parallel[] = "/gradwright/parallel/", own_mpi[] = "/gradwright/mpi/",
                  own_library[] = "/gradwright/library/",
    own_libcuxx[] = "/gradwright/cpu/cuda/", own_groups_text[] = "/cpu/cooperative_groups.h";

static const char *behind(const char *path, const char *folder) {
    const char *found = strstr(path, folder);
    return found ? found + strlen(folder) : NULL;
}

const char *gw_front_stand_in(const char *path) {
    const char *groups = behind(path, own_groups);
    const bool algorithm = behind(path, own_thrust) || behind(path, own_cub);
    return groups || !algorithm ? groups : behind(path, own_algorithms);
}

static bool lies_in(CXSourceLocation at, const char *folder) {
    CXFile file = NULL;
    clang_getExpansionLocation(at, &file, NULL, NULL, NULL);
    if (!file) return false;
    CXString name = clang_getFileName(file);
    const bool is = behind(clang_getCString(name), folder) != NULL;
    clang_disposeString(name);
    return is;
}
static bool is_in(const gw_unit *u, CXSourceLocation at, const char *folder) {
    return u->stands_in && lies_in(at, folder);
}
static bool is_of_algorithms(CXSourceLocation at) { return lies_in(at, own_algorithms); }
bool gw_front_is_of_toolkit(CXSourceLocation at) {
    return lies_in(at, own_libcuxx) || lies_in(at, own_groups_text);
}
bool gw_front_is_stand_in(const gw_unit *u, CXSourceLocation at) {
    return is_in(u, at, own_thrust) || is_in(u, at, own_each) || is_in(u, at, own_cub) ||
           is_in(u, at, own_parallel) || is_in(u, at, own_mpi);
}
bool gw_front_is_of_mpi(CXSourceLocation at) { return lies_in(at, own_mpi); }
bool gw_front_is_primitive(const gw_unit *u, CXSourceLocation at) {
    return is_in(u, at, own_algorithms) && !gw_front_is_stand_in(u, at);
}

typedef struct inclusion_walk {
    gw_unit *u;
    const gw_includes *stubs;
    const char *text; /* of the main file */
    unsigned lines;
} inclusion_walk;

/* A directive of the main file: "<name>" as it is, a quoted one by the file that it led to. */
static void record_directive(inclusion_walk *w, gw_str file, CXSourceLocation at) {
    unsigned line = gw_front_loc(w->u, at).line;
    const char *start = w->text;
    while (line-- > 1 && (start = strchr(start, '\n')) != NULL)
        start++;
    size_t n = start ? strcspn(start, "\n") : 0;
    const char *open = n ? memchr(start, '<', n) : NULL,
               *close = open ? memchr(open, '>', n - (size_t)(open - start)) : NULL;
    const char *quote = n ? memchr(start, '"', n) : NULL;
    bool system = close && (!quote || quote > open);
    gw_session *s = w->u->session;
    const char *library = gw_front_stand_in(gw_cstr(s, file));
    if (!system && library) {
        char *name = gw_format("<%s>", library);
        file = gw_intern(s, name);
        free(name);
    }
    gw_push(&s->directives, system ? gw_intern_n(s, open, (size_t)(close - open) + 1) : file);
}

/* A stub stands for a gradient that this run may be making: nothing depends on it. */
static void record_inclusion(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data) {
    inclusion_walk *w = data;
    for (uint32_t i = 0; i < w->stubs->count; i++)
        if (clang_File_isEqual(file, clang_getFile(w->u->clang, w->stubs->at[i]))) return;
    gw_str name = gw_front_intern(w->u, clang_getFileName(file));
    gw_push(&w->u->session->included, name);
    w->u->asks_groups |= depth && behind(gw_cstr(w->u->session, name), own_groups) &&
                         !clang_Location_isInSystemHeader(stack[0]);
    const bool own = depth == 1 && clang_Location_isFromMainFile(stack[0]);
    if (own && gw_front_loc(w->u, stack[0]).line <= w->lines) record_directive(w, name, stack[0]);
}

/* Drops the uses whose lines have errors; `first` is the line before the uses. */
static void drop_uses(gw_unit *u, unsigned first, const gw_uses *uses) {
    for (unsigned i = 0; i < clang_getNumDiagnostics(u->clang); i++) {
        CXDiagnostic d = clang_getDiagnostic(u->clang, i);
        CXSourceLocation at = clang_getDiagnosticLocation(d);
        unsigned line = clang_Location_isFromMainFile(at) ? gw_front_loc(u, at).line : 0;
        bool error = clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error;
        clang_disposeDiagnostic(d);
        if (error && line > first && line - first - 1 < uses->count) *uses->at[line - first - 1] = 0;
    }
}

static char *with_uses(const char *text, const gw_uses *uses) {
    gw_text all = {0};
    gw_text_add(&all, text);
    for (uint32_t i = 0; i < uses->count; i++)
        gw_text_addf(&all, "\n%s", uses->at[i]);
    return all.at;
}

static unsigned lines_of(const char *text) {
    unsigned lines = 1;
    for (const char *c = text; *c; c++) lines += *c == '\n';
    return lines;
}

/* Again with uses of the instantiations that are asked for, if there are any; those that cannot be used as they
 * are spelled are left out, for the request to be refused. */
static bool parse_with_uses(gw_unit *u, const gw_arguments *arguments, const gw_includes *includes,
                            const char *stub, const char *text) {
    const char *whole = u->joined_text ? u->joined_text : text;
    const unsigned lines = lines_of(whole);
    gw_uses uses = {0};
    bool good = true, again = gw_front_uses(u, text, &uses);
    for (int round = 0; good && again && round < 3; round++) {
        char *source = round < 2 ? with_uses(whole, &uses) : gw_strdup(whole);
        good = parse(u, arguments, includes, stub, source);
        again = good && count_errors(u);
        if (again) drop_uses(u, lines, &uses);
        free(source);
    }
    for (uint32_t i = 0; i < uses.count; i++)
        free(uses.at[i]);
    gw_vec_free(&uses);
    return good;
}

/* For a source behind which this one is read. */
static void keep_stand_ins(gw_unit *u, const gw_includes *includes, const char *stub) {
    gw_front_forget_stand_ins(&u->stand_in_files);
    for (uint32_t i = 0; i < includes->count; i++)
        gw_push(&u->stand_in_files,
                ((gw_stand_in_file){gw_strdup(includes->at[i]), gw_strdup(stub ? stub : "")}));
}

static bool parse_with_stubs(gw_unit *u, const gw_arguments *arguments, const char *text) {
    gw_includes includes = {0};
    gw_stubs stubs = {0};
    bool plain_c = gw_language_of(u->run->source, u->run->args, u->run->args_count) == GW_LANGUAGE_C;
    gw_front_stub_includes(u->run->source, text, &includes);
    if (includes.count) gw_front_stub_scan(u, text, &stubs);
    char *stub = gw_front_stub_text(u, &stubs, plain_c);
    bool good = parse(u, arguments, &includes, stub, NULL);
    if (good && includes.count && count_errors(u)) {
        if (gw_front_stub_known(u, &stubs)) {
            free(stub);
            stub = gw_front_stub_text(u, &stubs, plain_c);
            gw_front_forget_captures(u);
            u->instances.count = u->instances_found = 0;
            good = parse(u, arguments, &includes, stub, NULL);
        }
    }
    if (good && !count_errors(u)) good = parse_with_uses(u, arguments, &includes, stub, text);
    keep_stand_ins(u, &includes, stub);
    free(stub);
    u->gradients.count = 0;
    for (uint32_t i = 0; good && i < includes.count; i++) {
        CXFile file = clang_getFile(u->clang, includes.at[i]);
        if (file) gw_push(&u->gradients, file);
    }
    CXFile output =
        good && u->session->options.output ? clang_getFile(u->clang, u->session->options.output) : NULL;
    if (output) gw_push(&u->gradients, output);
    inclusion_walk walk = {u, &includes, text, lines_of(text)};
    if (good) clang_getInclusions(u->clang, record_inclusion, &walk);
    if (good) gw_front_precompiled_included(u);
    for (uint32_t i = 0; i < includes.count; i++)
        free(includes.at[i]);
    gw_vec_free(&includes);
    gw_vec_free(&stubs);
    return good;
}

/* What an earlier run made says nothing about what this one may: it stands in a file for which a stand-in was
 * parsed, in that of the name under which sources include the gradient, or in the output. */
static bool is_of_gradient(gw_unit *u, CXSourceLocation at) {
    CXFile file = NULL;
    clang_getExpansionLocation(at, &file, NULL, NULL, NULL);
    for (uint32_t i = 0; i < u->gradients.count; i++)
        if (file == u->gradients.at[i] || clang_File_isEqual(file, u->gradients.at[i])) return true;
    const char *name = gw_cstr(u->session, gw_front_loc(u, at).file), *slash = strrchr(name, '/');
    return strcmp(slash ? slash + 1 : name, gw_cstr(u->session, u->session->include_mode_name)) == 0;
}

/* Names that the text of a derivative cannot have for anything else. */
static enum CXChildVisitResult record_name(CXCursor c, CXCursor parent, CXClientData data) {
    gw_unit *u = data;
    enum CXCursorKind kind = clang_getCursorKind(c);
    CXSourceLocation at = clang_getCursorLocation(c);
    const bool macro = kind == CXCursor_MacroDefinition,
               scope = kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec;
    (void)parent;
    if (clang_Location_isInSystemHeader(at)) return CXChildVisit_Continue;
    if (scope) return CXChildVisit_Recurse;
    if ((!macro && !clang_isDeclaration(kind)) || is_of_gradient(u, at)) return CXChildVisit_Continue;
    gw_str name = gw_front_intern(u, clang_getCursorSpelling(c));
    if (macro)
        gw_push(&u->session->macros, name);
    else
        gw_push(&u->session->declared, name);
    return CXChildVisit_Continue;
}

/* What a gradient declares is unknown to Clang in a source that does not include the gradient. */
static void say_missing_include(gw_unit *u, const char *text) {
    gw_includes includes = {0};
    gw_loc at = {0};
    gw_front_stub_includes(u->run->source, text, &includes);
    gw_str used = includes.count ? 0 : gw_front_stub_use(u, text, &at);
    if (used)
        gw_diag(u->session, GW_DIAG_MISSING_INCLUDE, at, gw_cstr(u->session, used),
                gw_cstr(u->session, u->session->include_mode_name));
    for (uint32_t i = 0; i < includes.count; i++)
        free(includes.at[i]);
    gw_vec_free(&includes);
}

static bool reads_from(const gw_unit *u, const char *folder) {
    for (uint32_t i = 0; i < u->session->included.count; i++)
        if (strstr(gw_cstr(u->session, u->session->included.at[i]), folder)) return true;
    return false;
}

/* ALL: an algorithm or cooperative groups; GROUPS: these. */
static bool reads_stand_ins(const gw_unit *u, gw_stand_ins which) {
    return reads_from(u, own_groups) ||
           (which == GW_STAND_INS_ALL &&
            (reads_from(u, own_thrust) || reads_from(u, own_cub) || reads_from(u, own_parallel) ||
             reads_from(u, own_library)));
}

/* The user's own line that an error within a template comes from. */
static gw_loc users_line(gw_unit *u, CXDiagnostic d) {
    CXDiagnosticSet notes = clang_getChildDiagnostics(d);
    CXSourceLocation at = clang_getDiagnosticLocation(d);
    for (unsigned i = clang_getNumDiagnosticsInSet(notes); i-- > 0 && !clang_Location_isFromMainFile(at);) {
        CXSourceLocation asked = clang_getDiagnosticLocation(clang_getDiagnosticInSet(notes, i));
        if (clang_Location_isFromMainFile(asked)) at = asked;
    }
    return gw_front_loc(u, at);
}

/* The first error with our headers in the place of Thrust's and CUB's. */
static void keep_error(gw_unit *u) {
    for (unsigned i = 0; i < clang_getNumDiagnostics(u->clang) && !u->other_thrust; i++) {
        CXDiagnostic d = clang_getDiagnostic(u->clang, i);
        if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error) {
            u->other_thrust = gw_front_intern(u, clang_getDiagnosticSpelling(d));
            u->other_thrust_at = users_line(u, d);
        }
        clang_disposeDiagnostic(d);
    }
}

/* The error is the user's: with the installed headers it is there too. */
static bool stays(gw_unit *u) {
    bool found = false;
    for (unsigned i = 0; i < clang_getNumDiagnostics(u->clang) && !found; i++) {
        CXDiagnostic d = clang_getDiagnostic(u->clang, i);
        const gw_loc at = gw_front_loc(u, clang_getDiagnosticLocation(d));
        found = at.line == u->other_thrust_at.line && at.file == u->other_thrust_at.file &&
                gw_front_intern(u, clang_getDiagnosticSpelling(d)) == u->other_thrust;
        clang_disposeDiagnostic(d);
    }
    return found;
}

/* A precompiled header that is none of these arguments', or has become old since, is an error of no place. */
static bool takes_its_flags(const gw_unit *u) {
    bool good = true;
    for (unsigned i = 0; i < clang_getNumDiagnostics(u->clang) && good; i++) {
        CXDiagnostic d = clang_getDiagnostic(u->clang, i);
        CXFile file = NULL;
        clang_getExpansionLocation(clang_getDiagnosticLocation(d), &file, NULL, NULL, NULL);
        good = file || clang_getDiagnosticSeverity(d) < CXDiagnostic_Error;
        clang_disposeDiagnostic(d);
    }
    return good;
}

static bool parse_from_start(gw_unit *u, const gw_arguments *arguments, const char *text) {
    u->session->included.count = u->session->directives.count = 0;
    u->asks_groups = false;
    gw_front_forget_captures(u);
    u->instances.count = u->instances_found = 0;
    return parse_with_stubs(u, arguments, text);
}

/* False: there is no such header, or Clang does not take it; then it is none of the arguments any more. */
static bool parse_behind_precompiled(gw_unit *u, gw_arguments *arguments, const char *text) {
    if (!gw_front_precompiled(u, arguments)) return false;
    if (parse_from_start(u, arguments, text) && takes_its_flags(u)) return true;
    gw_front_precompiled_drop(u, arguments);
    return false;
}

/* With the algorithms and groups that can be differentiated, or, where these are not enough, the toolkit's. */
static bool parse_with_stand_ins(gw_unit *u, const char *text) {
    bool good = true, again = true;
    gw_stand_ins with = GW_STAND_INS_ALL;
    while (good && again) {
        gw_arguments arguments = {0};
        gw_front_arguments(u->run, with, &arguments);
        good = parse_behind_precompiled(u, &arguments, text) || parse_from_start(u, &arguments, text);
        gw_front_arguments_free(&arguments);
        again = good && with != GW_STAND_INS_NONE && count_errors(u) && reads_stand_ins(u, with);
        const bool other = with == GW_STAND_INS_ALL && (reads_from(u, own_thrust) || reads_from(u, own_cub));
        again = again && !(other && gw_front_is_own_mistake(u, is_of_algorithms));
        if (again && other) keep_error(u);
        /* Thrust's own headers do not mend it, and those of groups were asked for by Thrust only */
        if (with == GW_STAND_INS_GROUPS && u->other_thrust && !u->asks_groups) again = again && !stays(u);
        with = with == GW_STAND_INS_ALL ? GW_STAND_INS_GROUPS : GW_STAND_INS_NONE;
    }
    u->session->algorithms = good && reads_from(u, own_thrust);
    u->session->messages = good && reads_from(u, own_mpi);
    u->stands_in = u->session->algorithms || u->session->messages ||
                   (good && (reads_from(u, own_cub) || reads_from(u, own_parallel)));
    return good;
}

bool gw_front_parse_text(gw_unit *u, char *text, const char *joined) {
    u->joined_text = joined;
    if (u->session->is_cuda) {
        gw_respell_launches(text);
        gw_respelled_find(u->run->source, &u->respelled);
    }
    bool good = parse_with_stand_ins(u, text);
    if (good && !joined && count_errors(u)) say_missing_include(u, text);
    if (good && count_errors(u) && u->other_thrust && !stays(u))
        gw_diag(u->session, GW_DIAG_OTHER_THRUST, u->other_thrust_at, gw_cstr(u->session, u->other_thrust));
    if (good && !joined) report_errors(u);
    if (good) clang_visitChildren(clang_getTranslationUnitCursor(u->clang), record_name, u);
    gw_respelled_free(&u->respelled);
    u->joined_text = NULL;
    return good && !u->session->failed;
}

bool gw_front_parse(gw_unit *u) {
    char *text = gw_front_source_text(u);
    if (!text) return false;
    gw_front_index(u);
    const bool good = gw_front_parse_text(u, text, NULL);
    free(text);
    return good;
}
