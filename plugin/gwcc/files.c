/* Temporary and output files. Everything is written under another name first, so that a failure
 * leaves an existing output as it was, and removed on every way out, a signal included. */
#include "plugin/gwcc/gwcc_private.h"
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *directory; /* this run's private one */
static const char *usual_name;
static gwcc_words staged_files;

void gwcc_name_temporaries(int argc, char **argv) {
    char here[4096];
    gwcc_words parts = {0};
    gwcc_push(&parts, getcwd(here, sizeof here) ? here : "");
    for (int i = 0; i < argc; ++i)
        gwcc_push(&parts, argv[i]);
    usual_name = gwcc_hash(&parts);
    gwcc_words_free(&parts);
}

/* The directory has the usual name; if that is taken, by the same command or by somebody else, a new one. */
static const char *make_directory(void) {
    const char *set = getenv("TMPDIR"), *base = set && *set ? set : "/tmp";
    const char *usual = gwcc_text("%s/gwcc-%s", base, usual_name);
    if (mkdir(usual, 0700) == 0) return usual;
    char *made = strdup(gwcc_text("%s/gwcc-XXXXXX", base));
    const char *path = made && mkdtemp(made) ? gwcc_text("%s", made) : NULL;
    if (!path) gwcc_error("cannot make a temporary directory: %s", strerror(errno));
    free(made);
    return path;
}

const char *gwcc_temporary(const char *name) {
    if (!directory && !(directory = make_directory())) return NULL;
    return gwcc_text("%s/%s", directory, name);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status, (void)type, (void)place;
    return remove(path);
}

void gwcc_clean_up(void) {
    for (size_t i = 0; i < staged_files.count; ++i)
        unlink(staged_files.items[i]);
    staged_files.count = 0;
    if (directory) nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    directory = NULL;
}

/* The children get the signal too and fail, which ends the run in the ordinary way. */
static void ignore(int signal) { (void)signal; }

void gwcc_catch_signals(void) {
    const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = ignore;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; ++i)
        sigaction(signals[i], &action, NULL);
}

/* What is no plain file (/dev/null, a pipe) stays what it is: rename() would put a file in its place. */
static bool is_special(const char *output) {
    struct stat status;
    return stat(output, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

const char *gwcc_staging(const char *output) {
    if (is_special(output)) return gwcc_temporary("output");
    const char *path = gwcc_text("%s.gwcc-%ld.tmp", output, (long)getpid());
    gwcc_push(&staged_files, path);
    return path;
}

static bool copy_into(const char *staged, const char *output) {
    size_t size = 0;
    char *bytes = gwcc_read_file(staged, &size);
    bool good = bytes && gwcc_write_file(output, bytes, size);
    free(bytes);
    return good;
}

bool gwcc_same_file(const char *a, const char *b) {
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

bool gwcc_publish(const char *staged, const char *output) {
    if (is_special(output)) return copy_into(staged, output);
    if (rename(staged, output) != 0) return gwcc_error("cannot write '%s': %s", output, strerror(errno));
    return true;
}

bool gwcc_exists(const char *path) { return access(path, F_OK) == 0; }

bool gwcc_write_file(const char *path, const char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(bytes, 1, size, file) == size;
    if (file && fclose(file) != 0) good = false;
    return good || gwcc_error("cannot write '%s': %s", path, strerror(errno));
}

char *gwcc_read_file(const char *path, size_t *size) {
    struct stat status; /* asked for before it is opened, which waits for a pipe's other end */
    const bool there = stat(path, &status) == 0, plain = there && S_ISREG(status.st_mode);
    FILE *file = plain ? fopen(path, "rb") : NULL;
    char *bytes = file ? malloc((size_t)status.st_size + 1) : NULL;
    if (bytes) {
        *size = fread(bytes, 1, (size_t)status.st_size, file);
        bytes[*size] = '\0';
    } else {
        gwcc_error("cannot read '%s': %s", path, there && !plain ? "not a plain file" : strerror(errno));
    }
    if (file) fclose(file);
    return bytes;
}

void gwcc_copy_to_stderr(const char *path) {
    size_t size = 0;
    char *bytes = gwcc_read_file(path, &size);
    if (bytes) fwrite(bytes, 1, size, stderr);
    free(bytes);
}
