/* file_text.c - whole files in memory (contract: support.h). */
#include "analysis/ir/support.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* Not opened for it: that would wait for a pipe's other end. */
const char *gw_why_no_source(const char *path) {
    struct stat about;
    if (stat(path, &about) != 0) return strerror(errno);
    if (S_ISREG(about.st_mode)) return NULL;
    if (S_ISDIR(about.st_mode)) return "it is a directory";
    if (S_ISFIFO(about.st_mode)) return "it is a pipe, and a source is read more than once: write it to a file";
    return S_ISSOCK(about.st_mode) ? "it is a socket" : "it is a device";
}

static const size_t MOST = (size_t)1 << 30; /* /dev/zero has no end */

char *gw_file_text(const char *path, size_t *count, const char **error) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        *error = strerror(errno);
        return NULL;
    }
    size_t room = 1 << 16, n = 0, got;
    char *text = gw_alloc(room);
    while (n <= MOST && (got = fread(text + n, 1, room - n - 1, file)) > 0) {
        n += got;
        if (n + 1 == room) text = gw_realloc(text, room *= 2);
    }
    *error = n > MOST ? strerror(EFBIG) : NULL;
    if (ferror(file)) *error = strerror(errno);
    fclose(file);
    text[n] = 0;
    *count = n;
    if (!*error) return text;
    free(text);
    return NULL;
}
