/*
 * spelling.c - the name that a misspelt one is likely to mean, by edit distance (contract: request.h).
 */
#include "plugin/request/request.h"

#include <stddef.h>
#include <string.h>

/* Edit distance (Levenshtein) of two names; longer ones than the limit are far from everything. */
static unsigned distance(const char *a, const char *b) {
    enum { LIMIT = 32 };
    unsigned row[LIMIT + 1];
    size_t n = strlen(a), m = strlen(b);
    if (n > LIMIT || m > LIMIT) return LIMIT;
    for (unsigned k = 0; k <= m; k++)
        row[k] = k;
    for (size_t i = 0; i < n; i++) {
        unsigned diagonal = row[0];
        row[0]++;
        for (size_t k = 0; k < m; k++) {
            unsigned change = diagonal + (a[i] != b[k]);
            diagonal = row[k + 1];
            unsigned shorter = row[k] < diagonal ? row[k] : diagonal;
            row[k + 1] = change < shorter + 1 ? change : shorter + 1;
        }
    }
    return row[m];
}

const char *gw_nearer(const char *text, const char *best, const char *candidate) {
    size_t n = strlen(text), m = strlen(candidate), most = 1 + n / 3;
    if ((n > m ? n - m : m - n) > most) return best; /* it takes at least as many letters, more or fewer */
    unsigned apart = distance(text, candidate);
    if (apart > most || apart >= (n > m ? n : m)) return best; /* nothing of it is left */
    return !best || apart < distance(text, best) ? candidate : best;
}
