/* file_text.c - whole files in memory (contract: support.h). */
#include "gradwright/ir/support.h"

#include <errno.h>
#include <string.h>

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
    *error = ferror(file) ? strerror(errno) : n > MOST ? strerror(EFBIG) : NULL;
    fclose(file);
    text[n] = 0;
    *count = n;
    if (!*error) return text;
    free(text);
    return NULL;
}
