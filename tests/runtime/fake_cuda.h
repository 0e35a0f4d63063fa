/*
 * fake_cuda.h - a CUDA runtime for tests of the runtime of programs, whose streams run late and in any order:
 * what is queued is done when somebody waits for it, and of the streams that could go on a random one does. So
 * whatever no event orders runs in an order that no test would see otherwise. The null stream is one like
 * others.
 */
#ifndef GW_TEST_FAKE_CUDA_H
#define GW_TEST_FAKE_CUDA_H

#include <cuda_runtime_api.h>
#include <stddef.h>

typedef void fake_kernel(const void *arguments);

/* Queues a function of the host with a copy of its arguments. */
cudaError_t fake_launch(cudaStream_t stream, fake_kernel *kernel, const void *arguments, size_t bytes);
void fake_seed(unsigned int seed);
/* The n-th call from now fails (1: the next); 0: none. Freeing never fails. */
void fake_fail(unsigned int n);
/* Whether that call has come. */
int fake_has_failed(void);
unsigned int fake_calls(void);       /* until now */
unsigned int fake_allocations(void); /* until now */
unsigned int fake_events(void);      /* recorded until now */
unsigned int fake_syncs(void);       /* on which the host waited, until now */
/* Allocations, events and streams that live. */
unsigned int fake_alive(void);

#endif
