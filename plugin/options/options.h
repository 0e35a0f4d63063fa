/*
 * options.h - how gradwright, its plugin, gwcc and gwcheck read their options: each has a table of rows
 * (options.def), of which its help, its manual page and docs/reference/options.md are made, too.
 *
 * GW_OPTION(ID, name, brief, value, where, help)
 *   name   --name=VALUE or --name VALUE; "" if there is only the short spelling
 *   brief  -x VALUE, "" for none
 *   value  what stands for the value in the help; "" for a flag; "[DIR]" if it can be left out: --name[=DIR]
 *   where  BOTH: also -fplugin-arg-gradwright-name=VALUE; COMMAND: the command only
 */
#ifndef GW_PLUGIN_OPTIONS_H
#define GW_PLUGIN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gw_option_row {
    const char *name, *brief, *value;
    enum { GW_OPTION_BOTH, GW_OPTION_COMMAND } where;
    const char *help;
} gw_option_row;

/* The place of an option that needs no check: a member of what is filled. */
typedef struct gw_option_place {
    enum {
        GW_PLACE_NONE,  /* the table's `set` reads it */
        GW_PLACE_TEXT,  /* const char *: the value, by reference */
        GW_PLACE_TRUTH, /* bool: becomes true */
        GW_PLACE_WORDS  /* GW_VEC(const char *): the value is added */
    } kind;
    size_t at;
} gw_option_place;

typedef struct gw_option_table {
    const gw_option_row *rows;
    const gw_option_place *places; /* as many */
    unsigned count;
    /* Reads the value of a row (NULL: it has none). NULL, or what is wrong with it, which the caller frees. */
    char *(*set)(void *to, unsigned row, const char *value);
} gw_option_table;

/* "unknown WHAT 'TEXT'; did you mean 'BEST'?"; best may be NULL. The caller frees it. */
char *gw_option_unknown(const char *what, const char *text, const char *best);
/* The row of a word of the command line ("--name", "--name=value", "-x"); count if it is none. */
unsigned gw_option_find(const gw_option_table *t, const char *word);
/* Reads such a word into `to`; `next` is the word behind it (NULL: there is none), *used_next says whether that
 * was its value. NULL, or what is wrong, which the caller frees. */
char *gw_option_read(const gw_option_table *t, void *to, const char *word, const char *next, bool *used_next);
/* The same for words[*at], which it leads to the last one that was taken. What is wrong is said by `say`; an
 * empty message of the table's `set` was said there. */
bool gw_option_step(const gw_option_table *t, void *to, int count, char **words, int *at,
                    bool (*say)(const char *format, ...));
/* The same for "name" or "name=value" of a plugin. */
char *gw_option_read_plugin(const gw_option_table *t, void *to, const char *text);
/* "  -x VALUE, --name=VALUE" and the help below it, for each row. */
void gw_option_help(const gw_option_table *t, FILE *out);
/* A text on lines of at most 84 columns, eight of which are blank. */
void gw_option_wrapped(FILE *out, const char *text);

#ifdef __cplusplus
}
#endif
#endif
