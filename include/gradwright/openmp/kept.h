/* OpenMP's functions that give one number to all threads, for reading: derivatives call them, too. <omp.h>,
 * which may be the compiler's, declares them again. */
#ifndef GRADWRIGHT_OPENMP_KEPT_H
#define GRADWRIGHT_OPENMP_KEPT_H
#ifdef __cplusplus
extern "C" {
#endif
#define GW_KEPT __attribute__((annotate("gradwright:nondifferentiable")))
GW_KEPT int omp_get_max_threads(void);
GW_KEPT int omp_get_num_procs(void);
GW_KEPT int omp_get_thread_limit(void);
GW_KEPT int omp_get_num_devices(void);
#undef GW_KEPT
#ifdef __cplusplus
}
#endif
#endif
