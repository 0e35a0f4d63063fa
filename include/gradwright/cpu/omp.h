/* OpenMP's header where there is one; else what a program without -fopenmp needs of it, which runs on one
 * thread. */
#if defined(__has_include_next)
#if __has_include_next(<omp.h>)
#define GW_CPU_HAS_OMP 1
#endif
#endif
#ifdef GW_CPU_HAS_OMP
#include_next <omp.h>
#elif !defined(GW_CPU_OMP_H)
#define GW_CPU_OMP_H
#if defined(__GNUC__)
#pragma GCC system_header
#endif
#ifdef _OPENMP
#error "-fopenmp is given, but there is no <omp.h>: install OpenMP's development package for this compiler"
#endif
#include <time.h>
static __inline__ void omp_set_num_threads(int threads) { (void)threads; }
static __inline__ int omp_get_num_threads(void) { return 1; }
static __inline__ int omp_get_max_threads(void) { return 1; }
static __inline__ int omp_get_thread_num(void) { return 0; }
static __inline__ int omp_get_num_procs(void) { return 1; }
static __inline__ int omp_in_parallel(void) { return 0; }
static __inline__ double omp_get_wtime(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
#endif
