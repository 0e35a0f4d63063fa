/* launches.h - kernel launches that are spelled with blanks, `f<< <grid, block>> >(x)`: nvcc reads them, Clang
 * does not. No libclang. */
#ifndef GW_LAUNCHES_H
#define GW_LAUNCHES_H

#include <stdbool.h>
#include <stddef.h>

/* A file and its text as Clang reads it: as long as the file, each line where it was. */
typedef struct gw_respelled {
    char *path, *text;
} gw_respelled;

typedef struct gw_respelled_files {
    gw_respelled *at;
    size_t count;
} gw_respelled_files;

/* Moves the blanks inside of `<< <` and `>> >` of launches behind them; false if there are none. */
bool gw_respell_launches(char *text);

/* The source, and the files that it includes from its own folders by "…", that have such launches. */
void gw_respelled_find(const char *source, gw_respelled_files *found);
void gw_respelled_free(gw_respelled_files *files);
#endif
