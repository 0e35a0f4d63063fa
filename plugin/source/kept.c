/*
 * source/kept.c - what readings of one source hand on to each other (kept.h).
 *
 * A source is read again where calls are to be inlined, bodies come from other sources or requests are refused,
 * mostly with the same flags and texts. A parse is most of what that takes.
 */
#include "plugin/source/kept.h"

#include <stdlib.h>
#include <string.h>

static void drop(gw_kept_list *list, uint32_t i) {
    free(list->at[i].key);
    memmove(list->at + i, list->at + i + 1, (list->count - i - 1) * sizeof *list->at);
    list->count--;
}

void gw_kept_put(gw_kept_list *list, char *key, void *what, gw_kept_end *end) {
    if (list->count == GW_KEPT_MOST) {
        list->at[1].end(list->at[1].what);
        drop(list, 1);
    }
    list->at[list->count++] = (gw_kept){key, what, end};
}

static uint32_t number_of(const gw_kept_list *list, const char *key) {
    uint32_t i = 0;
    while (i < list->count && strcmp(list->at[i].key, key) != 0) i++;
    return i;
}

void *gw_kept_find(const gw_kept_list *list, const char *key) {
    const uint32_t i = number_of(list, key);
    return i < list->count ? list->at[i].what : NULL;
}

void *gw_kept_take(gw_kept_list *list, const char *key) {
    const uint32_t i = number_of(list, key);
    void *what = gw_kept_find(list, key);
    if (what) drop(list, i);
    return what;
}

void gw_kept_free(gw_kept_list *list) {
    while (list->count) {
        list->at[list->count - 1].end(list->at[list->count - 1].what);
        drop(list, list->count - 1);
    }
}
