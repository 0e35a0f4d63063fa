/* Types of elements and of properties that libraries share: the toolkit's header where there is one. */
#ifdef __has_include_next
#if __has_include_next(<library_types.h>)
#define GW_CPU_HAS_LIBRARY_TYPES 1
#endif
#endif
#ifdef GW_CPU_HAS_LIBRARY_TYPES
#include_next <library_types.h>
#elif !defined(__LIBRARY_TYPES_H__)
#define __LIBRARY_TYPES_H__
typedef enum cudaDataType_t {
    CUDA_R_32F = 0,
    CUDA_R_64F = 1,
    CUDA_R_16F = 2,
    CUDA_R_8I = 3,
    CUDA_C_32F = 4,
    CUDA_C_64F = 5,
    CUDA_C_16F = 6,
    CUDA_R_8U = 8,
    CUDA_R_32I = 10,
    CUDA_R_32U = 12,
    CUDA_R_16BF = 14
} cudaDataType;
typedef enum libraryPropertyType_t { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL } libraryPropertyType;
#endif
