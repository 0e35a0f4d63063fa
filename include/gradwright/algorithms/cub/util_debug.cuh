#pragma once

/* What CUB prints of an error is left out. */
#define CubDebug(e) (e)
#define CubDebugExit(e)                                                                                        \
    do {                                                                                                       \
        if ((e) != cudaSuccess) exit(1);                                                                       \
    } while (0)
