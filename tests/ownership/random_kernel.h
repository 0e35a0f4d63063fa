/* random_kernel.h - kernels made from a seed: shapes that kernels really have, their near misses, and noise. */
#ifndef RANDOM_KERNEL_H
#define RANDOM_KERNEL_H
#include "kernel.h"

extern uint64_t case_seed; /* of the next random_body */
void random_body(kernel *k);
void draw_from(uint64_t seed);
uint32_t draw(uint32_t below); /* goes on from where random_body stopped */
bool chance(uint32_t percent);
#endif
