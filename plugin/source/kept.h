/*
 * kept.h - what one reading of a source has made and another one of the same run may take: parses. No libclang.
 */
#ifndef GW_SOURCE_KEPT_H
#define GW_SOURCE_KEPT_H
#include <stdint.h>

typedef void gw_kept_end(void *what);

typedef struct gw_kept {
    char *key;
    void *what;
    gw_kept_end *end;
} gw_kept;

/* The first stays as long as the list; of the others a few of the newest do. */
enum { GW_KEPT_MOST = 5 };
typedef struct gw_kept_list {
    gw_kept at[GW_KEPT_MOST];
    uint32_t count;
} gw_kept_list;

/* The list owns the key and what is kept, which `end` ends. */
void gw_kept_put(gw_kept_list *list, char *key, void *what, gw_kept_end *end);
void *gw_kept_find(const gw_kept_list *list, const char *key); /* NULL: it has none */
void *gw_kept_take(gw_kept_list *list, const char *key);       /* the same, and it is the caller's */
void gw_kept_free(gw_kept_list *list);                         /* the newest first */
#endif
