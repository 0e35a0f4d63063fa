/* Precompiled headers of the CPU device: read by Clang once, and not in each pass over each source.
 *
 * With --precompiled=DIR, DIR holds a precompiled header for each pass and each set of flags: of the device's
 * own headers, and of those of --precompile, which sources include before anything else and which hold nothing
 * to differentiate (gradwright's own: frontend/parse/precompiled.c). Its name is a hash of the compiler, its
 * flags and the headers. It costs more than it saves once: it is made when it is asked for a second time. One
 * that is older than a file that went into it is made again. Where none can be made, the source is compiled
 * without: it then says what is wrong. */
#include "plugin/gwcc/gwcc_private.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *directory(const gwcc_options *options) {
    const char *given = options->precompiled ? options->precompiled : getenv("GW_PRECOMPILED");
    return given && *given ? given : NULL;
}

/* A header of the user's own may be one that cannot be read twice. */
static bool has_include(const gwcc_options *options) {
    for (size_t i = 0; i < options->flag_count; ++i)
        if (gwcc_starts(options->flags[i].text, "-include")) return true;
    return false;
}

/* The path of a file, and what changes when another file takes its place. */
static const char *identity(const char *path) {
    char whole[PATH_MAX];
    struct stat status;
    if (!realpath(path, whole) || stat(whole, &status) != 0) return path;
    return gwcc_text("%s %lld %lld", whole, (long long)status.st_size, (long long)status.st_mtime);
}

/* Whether every file that the rule in `rule` names is there and not younger than `made`. */
static bool is_current(const char *rule, time_t made) {
    size_t size = 0;
    char *text = gwcc_read_file(rule, &size), *at = text ? strchr(text, ':') : NULL;
    bool good = at != NULL;
    for (at = good ? at + 1 : NULL; good && *(at += strspn(at, " \n\\")) != '\0';) {
        char path[PATH_MAX];
        size_t length = 0;
        for (; *at && !strchr(" \n", *at) && length + 1 < sizeof path; ++at)
            if (*at != '\\' || at[1] != ' ') path[length++] = *at;
            else path[length++] = *++at;
        path[length] = '\0';
        struct stat status;
        good = stat(path, &status) == 0 && status.st_mtime <= made;
    }
    free(text);
    return good;
}

/* Without a compiler cache in the compiler's place: it goes by preprocessed text, in which no macro of a header
 * is left, and would give the header that was made with other definitions. */
static bool run_uncached(gwcc_words *argv) {
    const char *given = getenv("CCACHE_DISABLE");
    if (!given) setenv("CCACHE_DISABLE", "1", 1);
    const bool good = gwcc_run_silently(argv);
    if (!given) unsetenv("CCACHE_DISABLE");
    return good;
}

static bool make(const gwcc_words *pass, const gwcc_options *options, const char *header, const char *rule) {
    gwcc_words argv = {0};
    gwcc_push_all(&argv, pass);
    for (size_t i = 0; i < options->precompile.count; ++i)
        gwcc_push_list(&argv, (const char *[]){"-include", options->precompile.items[i], NULL});
    const char *staged = gwcc_staging(header), *staged_rule = gwcc_staging(rule);
    gwcc_push_list(&argv, (const char *[]){"-MD", "-MF", staged_rule, "-Xclang", "-emit-pch",
                                           "-fpch-instantiate-templates", "-c",
                                           gwcc_text("%s/gradwright/cpu/cuda_runtime.h", gwcc_path_include()),
                                           "-o", staged, NULL});
    return run_uncached(&argv) && gwcc_publish(staged_rule, rule) && gwcc_publish(staged, header);
}

/* Whether another run has asked for it; a file of the key's name says so. */
static bool was_asked_for(const char *place, const char *key) {
    const char *asked = gwcc_text("%s/%s", place, key);
    if (gwcc_exists(asked)) return true;
    mkdir(place, 0777);
    FILE *file = fopen(asked, "w");
    if (file) fclose(file);
    return false;
}

void gwcc_precompiled_hand_on(gwcc_words *argv, const gwcc_options *options) {
    const char *place = directory(options);
    if (!place) return;
    if (has_include(options)) {
        unsetenv("GW_PRECOMPILED"); /* gradwright would go by it */
        return;
    }
    gwcc_push(argv, gwcc_text("--precompiled=%s", place));
    for (size_t i = 0; i < options->precompile.count; ++i)
        gwcc_push(argv, gwcc_text("--precompile=%s", options->precompile.items[i]));
}

void gwcc_precompiled_push(gwcc_words *argv, const gwcc_options *options) {
    const char *place = directory(options);
    if (!place || has_include(options)) return;
    gwcc_words pass = {0}, parts = {0};
    gwcc_push_all(&pass, argv);
    gwcc_push_all(&parts, &pass);
    const char *program = gwcc_find_program(pass.items[0]);
    gwcc_push(&parts, program ? identity(program) : "");
    gwcc_push_all(&parts, &options->precompile);
    const char *key = gwcc_hash(&parts);
    const char *header = gwcc_text("%s/%s.pch", place, key), *rule = gwcc_text("%s/%s.d", place, key);
    struct stat status;
    bool good = stat(header, &status) == 0 && gwcc_exists(rule) && is_current(rule, status.st_mtime);
    if (!good && was_asked_for(place, key)) good = make(&pass, options, header, rule);
    if (good) gwcc_push_list(argv, (const char *[]){"-include-pch", header, NULL});
    gwcc_words_free(&pass);
    gwcc_words_free(&parts);
}
