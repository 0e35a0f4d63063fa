/* The toolkit's random numbers in device code. Its tables are there twice, for the device and for the host.
 * The functions are read in their host's form (nv/target), and in the device pass that form means the device's
 * tables. */
#if defined(__has_include_next) && __has_include_next(<curand_kernel.h>)
#include "cuda_runtime.h"
#ifdef __CUDA_ARCH__
#include <curand_mrg32k3a.h>
#include <curand_precalc.h>
#define precalc_xorwow_matrix_host        precalc_xorwow_matrix
#define precalc_xorwow_offset_matrix_host precalc_xorwow_offset_matrix
#define mrg32k3aM1Host                    mrg32k3aM1
#define mrg32k3aM2Host                    mrg32k3aM2
#define mrg32k3aM1SubSeqHost              mrg32k3aM1SubSeq
#define mrg32k3aM2SubSeqHost              mrg32k3aM2SubSeq
#define mrg32k3aM1SeqHost                 mrg32k3aM1Seq
#define mrg32k3aM2SeqHost                 mrg32k3aM2Seq
#endif
#include_next <curand_kernel.h>
#undef precalc_xorwow_matrix_host
#undef precalc_xorwow_offset_matrix_host
#undef mrg32k3aM1Host
#undef mrg32k3aM2Host
#undef mrg32k3aM1SubSeqHost
#undef mrg32k3aM2SubSeqHost
#undef mrg32k3aM1SeqHost
#undef mrg32k3aM2SeqHost
#else
#error "<curand_kernel.h> is a header of the CUDA toolkit, and there is none: CUDA_PATH names one"
#endif
