/*
 * frontend/parse/precompiled.c - headers that a .cu file is read behind, parsed once and not in each run.
 *
 * With --precompiled=DIR, DIR/HASH.pch holds what Clang made of the headers that it includes before the source
 * (the toolkit's or the CPU device's, and our own), and DIR/HASH.list the whole key and the files that went
 * into it, with their sizes and times. The hash is of the key: Clang, its arguments, and variables that name
 * folders. Both are written beside and renamed, the list last: whoever finds a list finds a whole header. What
 * cannot be made or has become old is not used; a source is then read as without DIR.
 */
#define _GNU_SOURCE
#include "plugin/frontend/parse/parse.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the key ---- */
static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"};

static char *key_of(const gw_run *run, const gw_arguments *arguments) {
    gw_text key = {0};
    CXString clang = clang_getClangVersion();
    char folder[4096];
    gw_text_addf(&key, "%s\n%s\n", clang_getCString(clang), getcwd(folder, sizeof folder) ? folder : "");
    clang_disposeString(clang);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        gw_text_addf(&key, "%s=%s\n", variables[i], getenv(variables[i]) ? getenv(variables[i]) : "");
    for (uint32_t i = 0; i < arguments->count; i++)
        gw_text_addf(&key, "%s\n", arguments->at[i]);
    for (uint32_t i = 0; i < run->precompile_count; i++)
        gw_text_addf(&key, "first %s\n", run->precompile[i]);
    gw_text_add(&key, "\n");
    return key.at;
}

/* ---- the list ---- */
static void add_file(gw_text *list, const char *path) {
    struct stat s;
    if (stat(path, &s) != 0) return;
    gw_text_addf(list, "%lld %lld.%09ld %s\n", (long long)s.st_size, (long long)s.st_mtim.tv_sec,
                 s.st_mtim.tv_nsec, path);
}

/* Whether each file that the lines name is as it was. */
static bool are_current(const char *lines) {
    bool good = true;
    for (const char *line = lines; *line && good;) {
        const size_t n = strcspn(line, "\n");
        const char *path = memchr(line, ' ', n);
        path = path ? memchr(path + 1, ' ', n - (size_t)(path + 1 - line)) : NULL;
        char *name = path ? gw_format("%.*s", (int)(n - (size_t)(path + 1 - line)), path + 1) : NULL;
        gw_text now = {0};
        if (name) add_file(&now, name);
        good = now.count == n + 1 && memcmp(now.at, line, n + 1) == 0;
        gw_text_free(&now);
        free(name);
        line += n + (line[n] == '\n');
    }
    return good;
}

/* The lines of the list, the caller's; NULL where there is no header of the key, or it has become old. */
static char *find(const char *list, const char *key) {
    size_t count = 0;
    const char *why;
    char *text = gw_file_text(list, &count, &why), *lines = NULL;
    const size_t n = strlen(key);
    if (text && count > n && memcmp(text, key, n) == 0 && are_current(text + n)) lines = gw_strdup(text + n);
    free(text);
    return lines;
}

/* ---- making it ---- */
static void record(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data) {
    (void)stack;
    CXString name = clang_getFileName(file);
    if (depth) add_file(data, clang_getCString(name));
    clang_disposeString(name);
}

/* The empty source behind the headers: a file, for whoever reads what was made looks for it. */
static char *begin(const char *folder) {
    char *path = gw_format("%s/begin.cu", folder);
    mkdir(folder, 0777);
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (file >= 0) close(file);
    return path;
}

static bool write_list(const char *path, const char *key, const char *lines) {
    FILE *file = fopen(path, "w");
    const bool good = file && fprintf(file, "%s%s", key, lines) > 0;
    return file && fclose(file) == 0 && good;
}

static CXTranslationUnit parse(const gw_unit *u, const gw_arguments *arguments, const char *source) {
    const unsigned how = CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_Incomplete |
                         CXTranslationUnit_ForSerialization;
    GW_VEC(const char *) words = {0};
    for (uint32_t i = 0; i < arguments->count; i++) gw_push(&words, arguments->at[i]);
    for (uint32_t i = 0; i < u->run->precompile_count; i++) {
        gw_push(&words, "-include");
        gw_push(&words, u->run->precompile[i]);
    }
    CXTranslationUnit made = NULL;
    if (clang_parseTranslationUnit2FullArgv(u->index, source, words.at, (int)words.count, NULL, 0, how,
                                            &made) != CXError_Success)
        made = NULL;
    gw_vec_free(&words);
    return made;
}

/* The lines of its list, as `find` gives them. */
static char *make(const gw_unit *u, const gw_arguments *arguments, const char *key, const char *header,
                  const char *list) {
    char *source = begin(u->run->precompiled), *staged = gw_format("%s.%ld", header, (long)getpid()),
         *staged_list = gw_format("%s.%ld", list, (long)getpid());
    CXTranslationUnit made = parse(u, arguments, source);
    bool good = made != NULL;
    for (unsigned i = 0; good && i < clang_getNumDiagnostics(made); i++) {
        CXDiagnostic d = clang_getDiagnostic(made, i);
        good = clang_getDiagnosticSeverity(d) < CXDiagnostic_Error;
        clang_disposeDiagnostic(d);
    }
    gw_text lines = {0};
    if (good) clang_getInclusions(made, record, &lines);
    good = good && lines.at && clang_saveTranslationUnit(made, staged, 0) == CXSaveError_None &&
           rename(staged, header) == 0 && write_list(staged_list, key, lines.at) &&
           rename(staged_list, list) == 0;
    if (made) clang_disposeTranslationUnit(made);
    if (!good) remove(staged), remove(staged_list), gw_text_free(&lines);
    free(source), free(staged), free(staged_list);
    return lines.at;
}

bool gw_front_precompiled(gw_unit *u, gw_arguments *arguments) {
    free(u->precompiled), u->precompiled = NULL;
    if (!u->session->is_cuda || !u->run->precompiled || gw_front_has_first_header(u->run)) return false;
    char *key = key_of(u->run, arguments);
    const unsigned long long hash = gw_hash(GW_HASH_START, key, strlen(key));
    char *name = gw_format("%s/%016llx", u->run->precompiled, hash);
    char *header = gw_format("%s.pch", name), *list = gw_format("%s.list", name), *lines = find(list, key);
    if (!lines) lines = make(u, arguments, key, header, list);
    if (lines) {
        gw_push(arguments, gw_strdup("-include-pch"));
        gw_push(arguments, gw_strdup(header));
        u->precompiled = lines;
    }
    free(key), free(name), free(header), free(list);
    return lines != NULL;
}

void gw_front_precompiled_drop(gw_unit *u, gw_arguments *arguments) {
    for (int i = 0; i < 2; i++)
        free(arguments->at[--arguments->count]);
    free(u->precompiled), u->precompiled = NULL;
}

void gw_front_precompiled_included(gw_unit *u) {
    for (const char *line = u->precompiled ? u->precompiled : ""; *line;) {
        const size_t n = strcspn(line, "\n");
        const char *path = strchr(strchr(line, ' ') + 1, ' ') + 1;
        gw_push(&u->session->included, gw_intern_n(u->session, path, n - (size_t)(path - line)));
        line += n + 1;
    }
}
