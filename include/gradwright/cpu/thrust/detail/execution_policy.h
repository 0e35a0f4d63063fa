/* Thrust's CUDA system brings this in everywhere, and programs count on it; its host system does not. */
#include_next <thrust/detail/execution_policy.h>
#include <thrust/system_error.h>
