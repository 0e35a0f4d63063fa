/*
 * build.c - runs the compiler at hand: that of $CC or $CXX, Clang or the system's for the host, gwcc for CUDA.
 */
#include "frontend_config.h"
#include "plugin/compile/compile_private.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void push(gw_list *words, const char *text) { gw_push(words, gw_strdup(text)); }

static void push_split(gw_list *words, const char *text) {
    while (*(text += strspn(text, " \t"))) {
        size_t n = strcspn(text, " \t");
        gw_push(words, gw_format("%.*s", (int)n, text));
        text += n;
    }
}

static bool is_program(const char *path) { return access(path, X_OK) == 0; }

const char *gw_build_clang(void) { return GW_CLANG_PROGRAM; }

/* clang++-22 takes a C source for one of C++; clang-22, beside it, does not. */
static char *of_c(const char *clang) {
    const char *name = strrchr(clang, '/'), *plus = strstr(name ? name : clang, "clang++");
    if (!plus) return gw_strdup(clang);
    plus += strlen("clang");
    return gw_format("%.*s%s", (int)(plus - clang), clang, plus + 2);
}

const char *gw_build_compiler(const gw_job *j, gw_list *out) {
    const bool cuda = j->kind == GW_JOB_CPU || j->kind == GW_JOB_CUDA, c = j->kind == GW_JOB_C;
    const char *of_language = c ? "CC" : "CXX", *chosen = getenv(cuda ? "GW_GWCC" : of_language),
               *clang = getenv("GW_CLANG"), *usual = c ? "cc" : "c++";
    if (chosen) push_split(out, chosen);
    if (out->count) return out->at[0];
    if (cuda) {
        char *own = gw_place_program("gwcc");
        push(out, own ? own : "gwcc");
        free(own);
    } else if (clang && *clang) {
        char *driver = c ? of_c(clang) : gw_strdup(clang);
        push(out, driver);
        free(driver);
    } else {
        push(out, is_program(GW_CLANG_PROGRAM) ? GW_CLANG_PROGRAM : usual);
    }
    return out->at[0];
}

bool gw_build_run(gw_job *j, const gw_list *words, gw_text *said) {
    gw_list argv = {0};
    for (uint32_t i = 0; i < words->count; i++)
        gw_push(&argv, words->at[i]);
    gw_push(&argv, NULL);
    int ends[2], status = -1;
    pid_t child;
    if (pipe(ends) != 0) return gw_job_fail(j, "no pipe: %s", strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
    int error = posix_spawnp(&child, argv.at[0], &actions, NULL, argv.at, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char part[4096];
    for (ssize_t n; !error && ((n = read(ends[0], part, sizeof part - 1)) > 0 || (n < 0 && errno == EINTR));) {
        part[n > 0 ? n : 0] = 0;
        gw_text_add(said, part);
    }
    close(ends[0]);
    while (!error && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (error) gw_text_addf(said, "error: '%s' does not run: %s\n", argv.at[0], strerror(error));
    gw_vec_free(&argv);
    return !error && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool is_given(const gw_job *j, const char *prefix) {
    for (const char *const *f = j->options.flags; f && *f; f++)
        if (strncmp(*f, prefix, strlen(prefix)) == 0) return true;
    return false;
}

bool gw_build(gw_job *j, const char *unit, const char *library) {
    const bool cuda = j->kind == GW_JOB_CPU || j->kind == GW_JOB_CUDA;
    gw_list words = {0};
    gw_text said = {0};
    gw_build_compiler(j, &words);
    if (cuda) push(&words, j->kind == GW_JOB_CPU ? "--device=cpu" : "--device=cuda");
    if (cuda) push(&words, "--no-gradients");
    if (!is_given(j, "-O")) push(&words, "-O2");
    if (j->kind == GW_JOB_CXX && !is_given(j, "-std=")) push(&words, "-std=c++17");
    for (const char *const *f = j->options.flags; f && *f; f++)
        push(&words, *f);
    push(&words, "-fPIC");
    push(&words, "-shared");
    gw_push(&words, gw_format("-I%s", j->include));
    gw_push(&words, gw_format("-I%s", j->work));
    push(&words, unit);
    char *runtime = cuda ? NULL : gw_place_library("libgwruntime.a");
    if (runtime) push(&words, runtime);
    if (!cuda && j->kind == GW_JOB_CXX) push(&words, "-lstdc++");
    if (!cuda) push(&words, "-lm");
    push(&words, "-o");
    push(&words, library);
    bool good = gw_build_run(j, &words, &said);
    if (!good) {
        gw_text command = {0};
        for (uint32_t i = 0; i < words.count; i++)
            gw_text_addf(&command, " %s", words.at[i]);
        gw_job_fail(j, "%s%serror: the compiler failed:%s", j->messages.at ? j->messages.at : "",
                    said.at ? said.at : "", command.at);
        gw_text_free(&command);
    } else if (said.at) {
        gw_text_add(&j->messages, said.at);
    }
    free(runtime);
    gw_text_free(&said);
    gw_list_free(&words);
    return good;
}
