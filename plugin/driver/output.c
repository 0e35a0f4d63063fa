/*
 * output.c - files that are written whole or not at all (contract: driver.h).
 *
 * The text goes to a new file in the same directory, which takes the place of the old one by rename() when
 * all of it is on disk; so a reader sees the old or the new text, and any failure (no room, no right, no
 * directory) leaves the old file byte for byte as it was. What is no regular file (/dev/stdout, a pipe) is
 * written to directly. A symbolic link is followed, so that it stays one. A file that may not be written is not
 * replaced either, though its folder would allow it.
 */
#include "plugin/driver/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_text(const char *path, const char *text, size_t count) {
    size_t n;
    const char *error;
    char *old = gw_file_text(path, &n, &error);
    bool same = old && n == count && memcmp(old, text, n) == 0;
    free(old);
    return same;
}

static bool write_all(int file, const char *text, size_t count) {
    while (count) {
        ssize_t n = write(file, text, count);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        text += n;
        count -= (size_t)n;
    }
    return true;
}

static char *write_directly(const char *path, const char *text, size_t count) {
    bool standard = strcmp(path, "-") == 0;
    int file = standard ? STDOUT_FILENO : open(path, O_WRONLY);
    if (file < 0) return gw_strdup(strerror(errno));
    char *error = write_all(file, text, count) ? NULL : gw_strdup(strerror(errno));
    if (!standard && close(file) != 0 && !error) error = gw_strdup(strerror(errno));
    return error;
}

/* Makes a new file beside `path`; its name is in *name. */
static int open_beside(const char *path, char **name) {
    for (unsigned i = 0;; i++) {
        *name = gw_format("%s.%ld-%u.tmp", path, (long)getpid(), i);
        int file = open(*name, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (file >= 0 || errno != EEXIST || i == 1000) return file;
        free(*name);
    }
}

static char *replace_file(const char *path, const struct stat *old, const char *text, size_t count) {
    char *name, *error = NULL;
    int file = open_beside(path, &name);
    if (file < 0) error = gw_strdup(strerror(errno));
    if (file >= 0) {
        bool ok = write_all(file, text, count) && (!old || fchmod(file, old->st_mode & 07777) == 0) &&
                  fsync(file) == 0;
        if (!ok) error = gw_strdup(strerror(errno));
        if (close(file) != 0 && ok) error = gw_strdup(strerror(errno));
        if (!error && rename(name, path) != 0) error = gw_strdup(strerror(errno));
        if (error) unlink(name);
    }
    free(name);
    return error;
}

bool gw_output_same_file(const char *a, const char *b) {
    struct stat of_a, of_b;
    bool has_a = stat(a, &of_a) == 0, has_b = stat(b, &of_b) == 0;
    if (!has_a && !has_b) return strcmp(a, b) == 0;
    return has_a && has_b && S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

char *gw_output_write(const char *path, const char *text, size_t count) {
    struct stat about;
    if (strcmp(path, "-") == 0) return write_directly(path, text, count);
    bool exists = stat(path, &about) == 0;
    if (exists && S_ISDIR(about.st_mode)) return gw_strdup("it is a directory");
    if (exists && !S_ISREG(about.st_mode)) return write_directly(path, text, count);
    if (exists && has_text(path, text, count)) return NULL;
    if (exists && access(path, W_OK) != 0) return gw_strdup(strerror(errno));
    char *target = exists ? realpath(path, NULL) : NULL;
    char *error = replace_file(target ? target : path, exists ? &about : NULL, text, count);
    free(target);
    return error;
}
