/*
 * json.c - reading and quoting of JSON (contract: json_private.h).
 *
 * A reader that goes forward over 0-terminated text and never beyond its end: every character is looked at
 * before it is passed. Depth is bounded, so that hostile text cannot exhaust the stack.
 */
#include "plugin/driver/json_private.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };

static void skip_blanks(gw_json *j) { j->at += strspn(j->at, " \t\r\n"); }

static bool fail(gw_json *j) {
    j->failed = true;
    return false;
}

bool gw_json_take(gw_json *j, char token) {
    skip_blanks(j);
    if (j->failed || *j->at != token || !token) return false;
    j->at++;
    return true;
}

bool gw_json_next(gw_json *j, char end, bool *first) {
    if (j->failed || gw_json_take(j, end)) return false;
    bool good = *first || gw_json_take(j, ',');
    *first = false;
    return good || fail(j);
}

/* Four hexadecimal digits; -1 if they are not there. */
static long hexadecimal(const char *at) {
    char digits[5] = {0};
    for (int i = 0; i < 4; i++) {
        if (!at[i] || !strchr("0123456789abcdefABCDEF", at[i])) return -1;
        digits[i] = at[i];
    }
    return strtol(digits, NULL, 16);
}

static void add_utf8(gw_text *out, long c) {
    char bytes[5] = {0};
    if (c < 0x80) {
        bytes[0] = (char)c;
    } else if (c < 0x800) {
        bytes[0] = (char)(0xc0 | c >> 6), bytes[1] = (char)(0x80 | (c & 63));
    } else if (c < 0x10000) {
        bytes[0] = (char)(0xe0 | c >> 12), bytes[1] = (char)(0x80 | (c >> 6 & 63)),
        bytes[2] = (char)(0x80 | (c & 63));
    } else {
        bytes[0] = (char)(0xf0 | c >> 18), bytes[1] = (char)(0x80 | (c >> 12 & 63));
        bytes[2] = (char)(0x80 | (c >> 6 & 63)), bytes[3] = (char)(0x80 | (c & 63));
    }
    gw_text_add(out, bytes);
}

/* Behind "\u": one code point, of two halves where the first says so. */
static bool read_code_point(gw_json *j, gw_text *out) {
    long c = hexadecimal(j->at);
    if (c <= 0) return fail(j);
    j->at += 4;
    if (c >= 0xd800 && c < 0xdc00) {
        long low = j->at[0] == '\\' && j->at[1] == 'u' ? hexadecimal(j->at + 2) : -1;
        if (low < 0xdc00 || low > 0xdfff) return fail(j);
        j->at += 6;
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    }
    add_utf8(out, c);
    return true;
}

static bool read_escape(gw_json *j, gw_text *out) {
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const char *found = *j->at ? strchr(letters, *j->at) : NULL;
    if (*j->at == 'u') {
        j->at++;
        return read_code_point(j, out);
    }
    if (!found) return fail(j);
    gw_text_add(out, (char[]){meanings[found - letters], 0});
    j->at++;
    return true;
}

char *gw_json_string(gw_json *j) {
    gw_text text = {0};
    if (!gw_json_take(j, '"')) {
        fail(j);
        return NULL;
    }
    gw_text_add(&text, "");
    while (!j->failed && *j->at != '"') {
        if ((unsigned char)*j->at < 0x20) {
            fail(j);
        } else if (*j->at == '\\') {
            j->at++;
            read_escape(j, &text);
        } else {
            gw_text_add(&text, (char[]){*j->at++, 0});
        }
    }
    if (!j->failed) {
        j->at++;
        return text.at;
    }
    gw_text_free(&text);
    return NULL;
}

static void skip(gw_json *j, unsigned depth) {
    bool first = true;
    skip_blanks(j);
    if (depth == DEEPEST) {
        fail(j);
    } else if (*j->at == '"') {
        free(gw_json_string(j));
    } else if (gw_json_take(j, '[')) {
        while (gw_json_next(j, ']', &first))
            skip(j, depth + 1);
    } else if (gw_json_take(j, '{')) {
        while (gw_json_next(j, '}', &first)) {
            free(gw_json_string(j));
            if (!gw_json_take(j, ':')) fail(j);
            if (!j->failed) skip(j, depth + 1);
        }
    } else {
        size_t n = strspn(j->at, "+-.0123456789abcdefghijklmnopqrstuvwxyzE");
        if (!n) fail(j);
        j->at += n;
    }
}

void gw_json_skip(gw_json *j) { skip(j, 0); }

void gw_json_escape(gw_text *out, const char *text) {
    for (size_t n; *text; text += n ? n : 1) {
        unsigned char c = (unsigned char)*text;
        n = gw_utf8_sequence(text, 4) ; /* none goes over the 0 at the end */
        if (c == '"' || c == '\\')
            gw_text_addf(out, "\\%c", c);
        else if (c < 0x20)
            gw_text_addf(out, "\\u%04x", c);
        else
            gw_text_addf(out, "%.*s", n ? (int)n : 3, n ? text : "\xEF\xBF\xBD");
    }
}
