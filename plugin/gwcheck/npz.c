/*
 * npz.c - arrays of a file of NumPy's (contract: gwcheck_private.h).
 *
 * A .npz is a zip archive of .npy files, stored or deflated; zlib inflates. What is read is bounded by the
 * file's own length and by what its directory says. Numbers of 1 to 8 bytes, little-endian, in C's order.
 */
#include "plugin/gwcheck/gwcheck_private.h"

#include <string.h>
#ifdef GWCHECK_ZLIB
#include <zlib.h>
#define INFLATES ""
#else
#define INFLATES ": gwcheck was built without zlib; np.savez does not pack"
#endif

typedef struct bytes {
    const unsigned char *at;
    size_t count;
} bytes;

static uint32_t number(const unsigned char *at, unsigned width) {
    uint32_t value = 0;
    for (unsigned i = width; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

/* ---- .npy ---- */
typedef struct layout {
    char kind; /* f i u b */
    unsigned width;
    uint64_t count;
} layout;

/* Behind "'key': " of the head, which is a dictionary of Python's. */
static const char *value_of(const char *head, const char *key) {
    char *quoted = gw_format("'%s':", key);
    const char *at = strstr(head, quoted);
    if (at) at += strlen(quoted);
    free(quoted);
    return at ? at + strspn(at, " ") : NULL;
}

static const char *read_head(const char *head, layout *out) {
    const char *type = value_of(head, "descr"), *order = value_of(head, "fortran_order"),
               *shape = value_of(head, "shape");
    if (!type || !order || !shape || *shape != '(') return "its head is none of NumPy's";
    if (*type != '\'' || !strchr("<|=", type[1]) || !type[1])
        return "its numbers are not little-endian, or no numbers";
    out->kind = type[2];
    out->width = (unsigned)strtoul(type + 3, NULL, 10);
    const bool real = out->kind == 'f' && (out->width == 4 || out->width == 8);
    const bool whole = strchr("iu", out->kind) && out->kind &&
                       (out->width == 1 || out->width == 2 || out->width == 4 || out->width == 8);
    if (!real && !whole && !(out->kind == 'b' && out->width == 1))
        return "its numbers are of a type that is not read";
    out->count = 1;
    unsigned dimensions = 0;
    for (const char *at = shape + 1; *at && *at != ')';) {
        char *end;
        const uint64_t length = strtoull(at, &end, 10);
        if (end == at || (length && out->count > UINT64_MAX / 16 / length)) return "its shape is none";
        out->count *= length;
        dimensions++;
        at = end + strspn(end, ", ");
    }
    return *order == 'T' && dimensions > 1 ? "it is in Fortran's order" : NULL;
}

static double read_number(const unsigned char *at, const layout *l) {
    uint64_t bits = number(at, l->width > 4 ? 4 : l->width);
    if (l->width == 8) bits |= (uint64_t)number(at + 4, 4) << 32;
    if (l->kind == 'f' && l->width == 4) {
        const uint32_t narrow = (uint32_t)bits;
        float value;
        memcpy(&value, &narrow, sizeof value);
        return (double)value;
    }
    if (l->kind == 'f') {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    const unsigned shift = 64 - 8 * l->width;
    return l->kind == 'i' ? (double)((int64_t)(bits << shift) >> shift) : (double)bits;
}

static const char *write_array(bytes npy, const char *path) {
    if (npy.count < 10 || memcmp(npy.at, "\x93NUMPY", 6) != 0) return "it is no array of NumPy's";
    const unsigned wide = npy.at[6] >= 2 ? 4 : 2;
    const size_t start = 8 + wide, length = number(npy.at + 8, wide);
    if (start + length < start || start + length > npy.count) return "it ends within its head";
    layout l;
    char *head = gw_format("%.*s", (int)length, (const char *)npy.at + start);
    const char *wrong = read_head(head, &l);
    free(head);
    if (wrong) return wrong;
    if ((npy.count - start - length) / l.width < l.count) return "it ends within its numbers";
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(&l.count, sizeof l.count, 1, file) == 1;
    for (uint64_t i = 0; good && i < l.count; i++) {
        const double value = read_number(npy.at + start + length + i * l.width, &l);
        good = fwrite(&value, sizeof value, 1, file) == 1;
    }
    if (file && fclose(file) != 0) good = false;
    return good ? NULL : "it cannot be written to the temporary folder";
}

/* ---- the archive ---- */
#ifdef GWCHECK_ZLIB
static unsigned char *inflate_all(bytes from, size_t count) {
    z_stream z = {.next_in = (Bytef *)(size_t)from.at, .avail_in = (uInt)from.count};
    unsigned char *out = gw_alloc(count + 1);
    z.next_out = out;
    z.avail_out = (uInt)count + 1;
    const bool good =
        inflateInit2(&z, -MAX_WBITS) == Z_OK && inflate(&z, Z_FINISH) == Z_STREAM_END && z.total_out == count;
    inflateEnd(&z);
    if (good) return out;
    free(out);
    return NULL;
}
#else
static unsigned char *inflate_all(bytes from, size_t count) { return (void)from, (void)count, NULL; }
#endif

/* The entry at `at` of the directory: its bytes as they are in the archive. */
static bool find_bytes(bytes zip, const unsigned char *at, bytes *out) {
    const size_t local = number(at + 42, 4), packed = number(at + 20, 4);
    if (local > zip.count || zip.count - local < 30 || memcmp(zip.at + local, "PK\3\4", 4) != 0) return false;
    const size_t start = local + 30 + number(zip.at + local + 26, 2) + number(zip.at + local + 28, 2);
    *out = (bytes){zip.at + start, packed};
    return start <= zip.count && zip.count - start >= packed;
}

static char *read_entry(bytes zip, const unsigned char *at, const char *name, const char *folder) {
    enum { STORED = 0, DEFLATED = 8 };
    const unsigned method = number(at + 10, 2);
    const size_t count = number(at + 24, 4);
    bytes packed;
    if (!find_bytes(zip, at, &packed)) return gw_format("'%s' lies outside of the archive", name);
    if (count > (size_t)1 << 30) return gw_format("'%s' is too large", name);
    if (method != STORED && method != DEFLATED)
        return gw_format("'%s' is packed in a way that is not read", name);
    if (method == STORED && packed.count != count) return gw_format("'%s' has two lengths", name);
    unsigned char *own = method == DEFLATED ? inflate_all(packed, count) : NULL;
    if (method == DEFLATED && !own) return gw_format("'%s' cannot be inflated" INFLATES, name);
    char *path = gw_format("%s/%s", folder, name);
    const char *wrong = write_array((bytes){own ? own : packed.at, count}, path);
    char *error = wrong ? gw_format("'%s': %s", name, wrong) : NULL;
    free(path);
    free(own);
    return error;
}

/* A name of the directory without ".npy"; NULL: it is none of a parameter's. */
static char *array_name(const unsigned char *at, size_t n) {
    static const char end[] = ".npy";
    const size_t m = sizeof end - 1;
    if (n > m && memcmp(at + n - m, end, m) == 0) n -= m;
    for (size_t i = 0; i < n; i++)
        if (at[i] == '/' || at[i] < ' ') return NULL;
    return n && at[0] != '.' ? gw_format("%.*s", (int)n, (const char *)at) : NULL;
}

static char *read_all(bytes zip, const char *folder, gwcheck_given_names *names) {
    size_t end = zip.count >= 22 ? zip.count - 22 : 0;
    while (end && memcmp(zip.at + end, "PK\5\6", 4) != 0)
        end--;
    if (zip.count < 22 || memcmp(zip.at + end, "PK\5\6", 4) != 0) return gw_strdup("it is no .npz");
    size_t at = number(zip.at + end + 16, 4);
    for (uint32_t left = number(zip.at + end + 10, 2); left; left--) {
        if (at > zip.count || zip.count - at < 46 || memcmp(zip.at + at, "PK\1\2", 4) != 0)
            return gw_strdup("its directory is broken");
        const size_t n = number(zip.at + at + 28, 2),
                     behind = n + number(zip.at + at + 30, 2) + number(zip.at + at + 32, 2);
        if (zip.count - at - 46 < behind) return gw_strdup("its directory is broken");
        char *name = array_name(zip.at + at + 46, n);
        if (!name) return gw_strdup("an array has a name that no parameter has");
        gw_push(names, name);
        char *error = read_entry(zip, zip.at + at, name, folder);
        if (error) return error;
        at += 46 + behind;
    }
    return NULL;
}

char *gwcheck_npz(const char *path, const char *folder, gwcheck_given_names *names) {
    size_t count;
    const char *error, *why = gw_why_no_source(path);
    char *text = why ? NULL : gw_file_text(path, &count, &error);
    if (!text) return gw_strdup(why ? why : error);
    char *wrong = read_all((bytes){(const unsigned char *)text, count}, folder, names);
    free(text);
    return wrong;
}
