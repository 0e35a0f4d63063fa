/* spelling.h - the name that a misspelt one is likely to mean. No libclang. */
#ifndef GW_SPELLING_H
#define GW_SPELLING_H

/* Of the candidate and the best one so far (NULL: none) the nearer to the text; NULL if both are far. */
const char *gw_nearer(const char *text, const char *best, const char *candidate);
#endif
