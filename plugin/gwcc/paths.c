/* The places of things: in the build tree as configured, when installed relative to gwcc itself. */
#include "plugin/gwcc/gwcc_private.h"
#include "gwcc_config.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *bin, *include, *library;

bool gwcc_paths_find(void) {
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) return gwcc_error("cannot find out where gwcc lies");
    path[length] = '\0';
    bin = gwcc_directory(path);
    char build[PATH_MAX];
    const bool in_build = realpath(GWCC_BUILD_BIN, build) && strcmp(build, bin) == 0;
    const char *root = gwcc_directory(bin);
    include = gwcc_text("%s/include", root);
    library = gwcc_text("%s/%s", root, in_build ? "lib" : GWCC_LIBRARIES);
    return true;
}

const char *gwcc_path_include(void) { return include; }

const char *gwcc_path_library(const char *file) { return gwcc_text("%s/%s", library, file); }

const char *gwcc_path_program(const char *name) { return gwcc_text("%s/%s", bin, name); }

/* Clang is where it was when this was built; on another machine, as out of a wheel, it is found by its name
 * through PATH. */
const char *gwcc_path_clang(void) {
    const char *chosen = getenv("GW_CLANG");
    if (chosen && *chosen) return chosen;
    return gwcc_exists(GWCC_CLANG) ? GWCC_CLANG : strrchr(GWCC_CLANG, '/') + 1;
}

/* A C++ source is compiled with the command of $CXX, a C source with that of $CC, else by Clang. */
void gwcc_push_compiler(gwcc_words *words, bool is_c) {
    const char *chosen = getenv(is_c ? "CC" : "CXX");
    size_t before = words->count;
    for (const char *at = chosen ? chosen : ""; *(at += strspn(at, " \t"));) {
        size_t n = strcspn(at, " \t");
        gwcc_push(words, gwcc_text("%.*s", (int)n, at));
        at += n;
    }
    if (words->count == before) gwcc_push(words, gwcc_path_clang());
}
