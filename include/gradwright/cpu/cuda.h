/* The driver API is not part of the CPU device; this page only names the version. */
#ifndef GW_CPU_CUDA_H
#define GW_CPU_CUDA_H
#define CUDA_VERSION 12000
#include "cuda_runtime_api.h"
#endif
