/* Child processes: argument vectors only, no shell. */
#include "plugin/gwcc/gwcc_private.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool gwcc_verbose;

static void print_command(const gwcc_words *argv) {
    for (size_t i = 0; i < argv->count; ++i) {
        const char *word = argv->items[i];
        const bool plain = *word && strcspn(word, " \t\n'\"\\$`*?;&|<>()[]{}#~!") == strlen(word);
        fprintf(stderr, "%s%s%s%s", i ? " " : "", plain ? "" : "'", word, plain ? "" : "'");
    }
    fputc('\n', stderr);
}

static pid_t start(const gwcc_words *argv, const char *output_to, const char *errors_to) {
    posix_spawn_file_actions_t actions;
    if (gwcc_verbose) print_command(argv);
    if (posix_spawn_file_actions_init(&actions) != 0) return 0;
    const int mode = O_WRONLY | O_CREAT | O_TRUNC;
    if (output_to) posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output_to, mode, 0600);
    if (errors_to) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors_to, mode, 0600);
    pid_t child = 0;
    /* posix_spawnp wants char *const *: it does not write to the words. */
    char **words = malloc((argv->count + 1) * sizeof *words);
    int status = ENOMEM;
    if (words) {
        memcpy(words, argv->items, (argv->count + 1) * sizeof *words);
        status = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    }
    free(words);
    posix_spawn_file_actions_destroy(&actions);
    if (status != 0) {
        const bool is_clang = strcmp(argv->items[0], gwcc_path_clang()) == 0;
        gwcc_error("cannot run '%s': %s%s", argv->items[0], strerror(status),
                   is_clang ? "; install this Clang, or name one by GW_CLANG" : "");
        return 0;
    }
    return child;
}

pid_t gwcc_start(const gwcc_words *argv, const char *errors_to) { return start(argv, NULL, errors_to); }

bool gwcc_wait(pid_t child) {
    int status = 0;
    if (child == 0) return false;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool run(gwcc_words *argv, const char *output_to) {
    const bool good = gwcc_wait(start(argv, output_to, output_to));
    gwcc_words_free(argv);
    return good;
}

bool gwcc_run(gwcc_words *argv) { return run(argv, NULL); }

bool gwcc_run_silently(gwcc_words *argv) { return run(argv, "/dev/null"); }

const char *gwcc_find_program(const char *name) {
    if (strchr(name, '/')) return access(name, X_OK) == 0 ? name : NULL;
    const char *rest = getenv("PATH");
    while (rest && *rest) {
        const size_t length = strcspn(rest, ":");
        const char *path = gwcc_text("%.*s/%s", (int)length, rest, name);
        if (length && access(path, X_OK) == 0) return path;
        rest += length + (rest[length] == ':');
    }
    return NULL;
}
