/*
 * cache.c - libraries that were made before.
 *
 * HASH.list holds the whole key (equal hashes do not make equal calls), then a line for each file that the
 * source includes, with the hash of its text; HASH-HASH.so is the library of these texts. Both are written
 * beside and renamed, the list last: whoever finds a list finds a whole library, and of two processes that make
 * the same one either may win.
 */
#include "plugin/compile/compile_private.h"

#include <string.h>
#include <unistd.h>

#define OTHER_START UINT64_C(0x9e3779b97f4a7c15)

static char *hash_of(const char *bytes, size_t count) {
    return gw_format("%016llx%016llx", (unsigned long long)gw_hash(GW_HASH_START, bytes, count),
                     (unsigned long long)gw_hash(OTHER_START, bytes, count));
}

static void add_list(gw_text *out, const char *what, const char *const *list) {
    for (; list && *list; list++)
        gw_text_addf(out, "%s %zu %s\n", what, strlen(*list), *list);
}

/* Variables that change what is made. */
static const char *const variables[] = {
    "CC",       "CXX",     "CPATH",   "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
    "GW_CLANG", "GW_NVCC", "GW_GWCC", "CUDA_PATH",      NULL};

/* Compilers change in their place, so they are named by size and time, too; gwcc runs others. */
static void add_compilers(gw_job *j) {
    gw_list words = {0};
    const char *clang = getenv("GW_CLANG"), *nvcc = getenv("GW_NVCC");
    gw_place_identity(gw_build_compiler(j, &words), &j->key);
    if (j->kind == GW_JOB_CPU) gw_place_identity(clang && *clang ? clang : gw_build_clang(), &j->key);
    if (j->kind == GW_JOB_CUDA) gw_place_identity(nvcc && *nvcc ? nvcc : "nvcc", &j->key);
    gw_list_free(&words);
}

void gw_cache_key(gw_job *j) {
    gw_text *key = &j->key;
    char folder[4096];
    gw_text_addf(key, "kind %d\npath %s\n", (int)j->kind, j->options.language ? "" : j->path);
    gw_text_addf(key, "folder %s\n", getcwd(folder, sizeof folder) ? folder : "");
    gw_place_identity(NULL, key);
    add_compilers(j);
    for (const char *const *v = variables; *v; v++)
        gw_text_addf(key, "%s=%s\n", *v, getenv(*v) ? getenv(*v) : "");
    add_list(key, "request", j->requests);
    add_list(key, "flag", j->options.flags);
    add_list(key, "argument", j->options.arguments);
    gw_text_addf(key, "text %zu\n%s\n", strlen(j->text), j->text);
}

static char *list_name(const gw_job *j) {
    char *hash = hash_of(j->key.at, j->key.count), *name = gw_format("%s/%s.list", j->cache, hash);
    free(hash);
    return name;
}

static char *library_name(const gw_job *j, const char *list) {
    char *key = hash_of(j->key.at, j->key.count), *all = hash_of(list, strlen(list)),
         *name = gw_format("%s/%s-%s.so", j->cache, key, all);
    free(key), free(all);
    return name;
}

static bool is_current(const char *line, size_t n) {
    enum { DIGITS = 32 };
    if (n < DIGITS + 2) return false;
    char *path = gw_format("%.*s", (int)(n - DIGITS - 1), line + DIGITS + 1);
    size_t count = 0;
    const char *why;
    char *text = gw_file_text(path, &count, &why), *hash = text ? hash_of(text, count) : NULL;
    bool same = hash && memcmp(hash, line, DIGITS) == 0;
    free(path), free(text), free(hash);
    return same;
}

char *gw_cache_find(gw_job *j) {
    if (!j->cache) return NULL;
    char *name = list_name(j), *found = NULL;
    size_t count = 0;
    const char *why;
    char *list = gw_file_text(name, &count, &why);
    bool good = list && count >= j->key.count && memcmp(list, j->key.at, j->key.count) == 0;
    for (const char *line = good ? list + j->key.count : ""; *line && good;) {
        size_t n = strcspn(line, "\n");
        good = is_current(line, n);
        line += n + (line[n] == '\n');
    }
    if (good) found = library_name(j, list + j->key.count);
    if (found && !gw_place_exists(found)) free(found), found = NULL;
    free(name), free(list);
    return found;
}

static bool write_beside(const char *path, const char *text, size_t count) {
    char *beside = gw_format("%s.XXXXXX", path);
    int file = mkstemp(beside);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    bool good = out && fwrite(text, 1, count, out) == count;
    if (out) good = fclose(out) == 0 && good;
    good = good && rename(beside, path) == 0;
    if (!good && file >= 0) unlink(beside);
    free(beside);
    return good;
}

/* The source itself is in the key. */
static char *includes_of(const gw_job *j) {
    gw_text out = {0};
    for (uint32_t i = 0; i < j->included.count; i++) {
        size_t count = 0;
        const char *why;
        char *text = gw_file_text(j->included.at[i], &count, &why), *hash = text ? hash_of(text, count) : NULL;
        if (hash) gw_text_addf(&out, "%s %s\n", hash, j->included.at[i]);
        free(text), free(hash);
    }
    return out.at ? out.at : gw_strdup("");
}

char *gw_cache_keep(gw_job *j, const char *made) {
    char *includes = j->cache ? includes_of(j) : NULL, *library = j->cache ? library_name(j, includes) : NULL;
    if (!library || rename(made, library) != 0) {
        free(includes), free(library);
        return gw_strdup(made);
    }
    char *name = list_name(j), *list = gw_format("%s%s", j->key.at, includes);
    write_beside(name, list, strlen(list));
    free(includes), free(name), free(list);
    return library;
}
