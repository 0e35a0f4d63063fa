/*
 * place.c - where the headers, the runtime and the compiler driver are: beside the library that this is in, as
 * installed (bin, lib, include), or in the build tree.
 */
#define _GNU_SOURCE /* dladdr */
#include "frontend_config.h"
#include "plugin/compile/compile_private.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool gw_place_exists(const char *path) {
    struct stat s;
    return stat(path, &s) == 0;
}

static char *own_file(void) {
    Dl_info info;
    char path[4096];
    if (dladdr((void *)(uintptr_t)&gw_place_exists, &info) && info.dli_fname && strchr(info.dli_fname, '/')) {
        char *whole = realpath(info.dli_fname, NULL);
        if (whole) return whole;
    }
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    return gw_strdup(path);
}

/* The first that there is of FOLDER/prefix/file; NULL: none. */
static char *beside(const char *const *prefixes, const char *file) {
    char *own = own_file(), *slash = strrchr(own, '/'), *found = NULL;
    if (slash) *slash = 0;
    for (; *prefixes && !found; prefixes++) {
        char *path = gw_format("%s/%s/%s", own, *prefixes, file);
        if (gw_place_exists(path))
            found = path;
        else
            free(path);
    }
    free(own);
    return found;
}

char *gw_place_include(void) {
    static const char *const prefixes[] = {"../include", "../../include", "include", NULL};
    char *header = beside(prefixes, "gradwright/gradwright.h");
    if (!header) return gw_strdup(GW_INCLUDE);
    header[strlen(header) - strlen("/gradwright/gradwright.h")] = 0;
    return header;
}

char *gw_place_library(const char *file) {
    static const char *const prefixes[] = {".", "../lib", NULL};
    return beside(prefixes, file);
}

char *gw_place_program(const char *file) {
    static const char *const prefixes[] = {"../bin", "../../bin", "bin", ".", NULL};
    return beside(prefixes, file);
}

/* The program of that name in PATH, or the name. */
static char *through_path(const char *name) {
    const char *at = strchr(name, '/') ? NULL : getenv("PATH");
    while (at && *at) {
        size_t n = strcspn(at, ":");
        char *path = gw_format("%.*s/%s", (int)n, at, name);
        if (access(path, X_OK) == 0) return path;
        free(path);
        at += n + (at[n] == ':');
    }
    return gw_strdup(name);
}

void gw_place_identity(const char *path, gw_text *out) {
    char *own = path ? through_path(path) : own_file();
    struct stat s = {0};
    const char *of = own;
    if (stat(of, &s) != 0) s.st_size = -1;
    gw_text_addf(out, "%s %lld %lld.%09ld\n", of, (long long)s.st_size, (long long)s.st_mtim.tv_sec,
                 s.st_mtim.tv_nsec);
    free(own);
}

bool gw_place_folder(const char *path) {
    char *at = gw_strdup(path);
    for (char *c = at + 1; *c; c++) {
        if (*c != '/') continue;
        *c = 0;
        mkdir(at, 0777);
        *c = '/';
    }
    bool made = mkdir(at, 0777) == 0 || errno == EEXIST;
    free(at);
    return made && access(path, W_OK) == 0;
}

void gw_place_remove(const char *folder) {
    DIR *d = folder ? opendir(folder) : NULL;
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        char *file = gw_format("%s/%s", folder, e->d_name);
        unlink(file); /* of "." and ".." it fails */
        free(file);
    }
    if (d) closedir(d);
    if (folder) rmdir(folder);
}
