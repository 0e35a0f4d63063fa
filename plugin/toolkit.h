/* toolkit.h - the CUDA toolkit of this machine, and which headers are a toolkit's. No libclang. */
#ifndef GW_TOOLKIT_H
#define GW_TOOLKIT_H
#include <stdbool.h>

/* What $CUDA_PATH names, and nothing else then, or where toolkits usually lie; NULL if there is none. */
const char *gw_toolkit_folder(void);
bool gw_toolkit_has_header(const char *name); /* one that the CPU device does not have itself */
#endif
