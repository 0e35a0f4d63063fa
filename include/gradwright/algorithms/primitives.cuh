#ifndef GRADWRIGHT_ALGORITHMS_CUH
#define GRADWRIGHT_ALGORITHMS_CUH
#include "gradwright/algorithms/keys.cuh"
#include "gradwright/algorithms/each/moves.cuh"
#include "gradwright/algorithms/reduce.cuh"
#include "gradwright/algorithms/scan.cuh"
#include "gradwright/algorithms/select.cuh"
#include "gradwright/algorithms/sort.cuh"
#endif
