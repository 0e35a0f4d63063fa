/* source.h - what a source needs before it is parsed: launches as others write them, the headers of a CUDA
 * toolkit. */
#ifndef GW_SOURCE_H
#define GW_SOURCE_H
#include <stdbool.h>
#include <stddef.h>

/* launches.c: kernel launches that are spelled with blanks, `f<< <grid, block>> >(x)`: nvcc reads them, Clang
 * does not. No libclang. */

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

/* toolkit.c: the CUDA toolkit of this machine, and which headers are a toolkit's. No libclang. */

/* What $CUDA_PATH names, and nothing else then, or where toolkits usually lie; NULL if there is none. */
const char *gw_toolkit_folder(void);
bool gw_toolkit_has_header(const char *name); /* one that the CPU device does not have itself */
#endif
