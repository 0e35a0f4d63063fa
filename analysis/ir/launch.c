/*
 * launch.c - facts about a launch as text: "blockDim.x == 128, gridDim.y <= 4, n % 32 == 0" (contract: ir.h).
 *
 * They are those of GW_LAUNCH, of --launch, and of the IR's own text. What they mean together: facts/launch.c.
 */
#include "analysis/ir/ir.h"
#include "analysis/ir/relations.h"
#include "analysis/ir/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const relations[] = {
#define GW_RELATION(KIND, word) word,
#include "analysis/ir/relations.def"
#undef GW_RELATION
};

static const char *skip(const char *at) { return at + strspn(at, " \t\n"); }

static bool read_subject(const gw_func *f, const char *from, size_t count, uint32_t *out) {
    for (unsigned kind = GW_BLOCK_DIM; kind <= GW_GRID_DIM; kind++) {
        const size_t n = strlen(gw_special_words[kind]);
        const bool is = count == n + 2 && strncmp(from, gw_special_words[kind], n) == 0 && from[n] == '.';
        if (!is || from[n + 1] < 'x' || from[n + 1] > 'z') continue;
        *out = GW_SPECIAL_ATTR(kind, (unsigned)(from[n + 1] - 'x'));
        return true;
    }
    for (uint32_t i = 0; i < f->params.count; i++) {
        const gw_param *p = &f->params.at[i];
        const char *name = gw_cstr(f->session, p->name);
        if (strlen(name) != count || strncmp(from, name, count) != 0 || p->object) continue;
        *out = GW_LAUNCH_PARAM + i;
        return !p->value || gw_type_is_integer(gw_typeof(f, p->value)); /* the parser knows it later */
    }
    return false;
}

/* The longest that stands there: "<=" is not "<". */
static bool read_relation(const char **at, gw_relation *out) {
    size_t longest = 0;
    for (unsigned i = 0; i < GW_RELATION_COUNT; i++) {
        const size_t n = strlen(relations[i]);
        if (n <= longest || strncmp(*at, relations[i], n) != 0) continue;
        longest = n;
        *out = (gw_relation)i;
    }
    *at = skip(*at + longest);
    return longest != 0;
}

/* Small enough for the sums of proofs. */
static bool read_number(const char **at, int64_t *out) {
    const int64_t most = (int64_t)1 << 40;
    char *end;
    if (!isdigit((unsigned char)(*at)[**at == '-'])) return false;
    *out = strtoll(*at, &end, 10);
    *at = skip(end);
    return *out <= most && *out >= -most;
}

const char *gw_launch_read(const gw_func *f, const char **text, gw_launch_fact *out, gw_str *subject) {
    const char *at = skip(*text);
    int64_t rest = 0;
    size_t n = 0;
    *out = (gw_launch_fact){0};
    while (gw_is_word(at[n]) || at[n] == '.') n++;
    *subject = gw_intern_n(f->session, at, n);
    if (!n || isdigit((unsigned char)*at)) return "a fact begins with what it is about";
    if (!read_subject(f, at, n, &out->subject))
        return "it is neither a dimension of the launch nor an integer parameter";
    *subject = 0;
    at = skip(at + n);
    if (!read_relation(&at, &out->relation)) return "==, <=, >=, <, > or % is expected behind the name";
    if (!read_number(&at, &out->number)) return "a number is expected, of at most 2^40";
    if (out->relation == GW_RELATION_MULTIPLE) {
        gw_relation equal;
        const bool zero = read_relation(&at, &equal) && equal == GW_RELATION_EQUAL && read_number(&at, &rest);
        if (!zero || rest) return "% N is followed by == 0";
        if (out->number < 1 || out->number > INT32_MAX) return "the number behind % is from 1 to 2147483647";
    }
    if (*at && *at != ',') return "a comma is expected before the next fact";
    *text = *at ? skip(at + 1) : at;
    return *at && !**text ? "a fact is missing behind the comma" : NULL;
}

void gw_launch_text(const gw_func *f, const gw_launch_fact *fact, gw_text *out) {
    if (fact->subject < GW_LAUNCH_PARAM)
        gw_text_addf(out, "%s.%c", gw_special_words[fact->subject / 4], "xyz"[fact->subject % 4]);
    else
        gw_text_add(out, gw_cstr(f->session, f->params.at[fact->subject - GW_LAUNCH_PARAM].name));
    gw_text_addf(out, " %s %lld%s", relations[fact->relation], (long long)fact->number,
                 fact->relation == GW_RELATION_MULTIPLE ? " == 0" : "");
}
