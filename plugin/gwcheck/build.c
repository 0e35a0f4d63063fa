/* build.c - the temporary folder, programs that are run, files (contract: gwcheck_private.h). */
#include "gwcheck_config.h"
#include "plugin/gwcheck/gwcheck_private.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *folder;
static GW_VEC(char *) paths;

static const char *keep(char *path) {
    gw_push(&paths, path);
    return path;
}

bool gwcheck_folder(const gwcheck_options *o) {
    const char *base = getenv("TMPDIR");
    if (!base || !*base) base = "/tmp";
    folder = o->keep ? gw_strdup(o->keep) : gw_format("%s/gwcheck-XXXXXX", base);
    const bool made = o->keep ? mkdir(folder, 0777) == 0 : mkdtemp(folder) != NULL;
    if (!made) {
        gwcheck_error("cannot make the folder '%s': %s", folder, strerror(errno));
        free(folder);
        folder = NULL;
        return false;
    }
    char *whole = realpath(folder, NULL);
    if (whole) free(folder), folder = whole;
    return true;
}

const char *gwcheck_path(const char *name) { return keep(gw_format("%s/%s", folder, name)); }

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *place) {
    (void)about, (void)type, (void)place;
    return remove(path);
}

void gwcheck_clean(const gwcheck_options *o) {
    if (folder && !o->keep) nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(folder);
    for (uint32_t i = 0; i < paths.count; i++)
        free(paths.at[i]);
    gw_vec_free(&paths);
}

/* The folder of this program; "" if it cannot be told. */
static const char *own_folder(void) {
    static char path[PATH_MAX];
    if (*path) return path;
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    char *slash = strrchr(path, '/');
    if (slash) *slash = 0;
    return path;
}

const char *gwcheck_tool(const char *name) { return keep(gw_format("%s/%s", own_folder(), name)); }

const char *gwcheck_library(void) {
    char build[PATH_MAX];
    const bool built = realpath(GWCHECK_BUILD_BIN, build) && strcmp(build, own_folder()) == 0;
    return keep(gw_format("%s/../%s/libgwcheck.a", own_folder(), built ? "lib" : GWCHECK_LIBRARIES));
}

static void direct(const char *path, int to) {
    if (!path) return;
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (file < 0 || dup2(file, to) < 0) _exit(126);
    close(file);
}

int gwcheck_run(const gwcheck_options *o, const char *const *words, const char *output, const char *errors) {
    if (o->verbose) {
        for (unsigned i = 0; words[i]; i++)
            fprintf(stderr, "%s%s", i ? " " : "", words[i]);
        fputc('\n', stderr);
    }
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        direct(output, STDOUT_FILENO);
        direct(errors, STDERR_FILENO);
        execvp(words[0], (char *const *)words);
        fprintf(stderr, "gwcheck: error: cannot run '%s': %s\n", words[0], strerror(errno));
        _exit(127);
    }
    int status;
    pid_t ended;
    do
        ended = child < 0 ? -1 : waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended < 0) return -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

char *gwcheck_read(const char *path, size_t *count) {
    const char *error, *why = gw_why_no_source(path);
    char *text = why ? NULL : gw_file_text(path, count, &error);
    if (!text) gwcheck_error("cannot read '%s': %s", path, why ? why : error);
    return text;
}

bool gwcheck_write(const char *path, const char *text, size_t count) {
    char *error = gw_output_write(path, text, count);
    if (error) gwcheck_error("cannot write '%s': %s", path, error);
    const bool good = !error;
    free(error);
    return good;
}

void gwcheck_first_words(const char *path, const char *mark, gw_text *out) {
    size_t count;
    const char *error;
    char *text = gw_file_text(path, &count, &error);
    const char *at = text ? strstr(text, mark) : NULL;
    if (!at) at = "";
    at += strlen(*at ? mark : "");
    at += strspn(at, "\n");
    const char *next = strstr(at, GW_CHECK_MARK), *said = strstr(at, "error: ");
    for (const char *line = at; said && line < said && (!next || said < next); line++)
        if (*line == '\n') at = line + 1;
    for (size_t i = 0; at + i != next && at[i] && at[i] != '\n'; i++)
        gw_text_add_char(out, at[i]);
    free(text);
}

void gwcheck_show(const char *path) {
    enum { LINES = 40 };
    size_t count;
    const char *error;
    char *text = gw_file_text(path, &count, &error);
    unsigned lines = 0;
    for (const char *c = text ? text : ""; *c && lines < LINES; c++) {
        fputc(*c, stderr);
        lines += *c == '\n';
    }
    free(text);
}
