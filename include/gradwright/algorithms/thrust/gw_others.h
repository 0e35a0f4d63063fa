/* What Thrust has and Gradwright does not differentiate: declared, so that a source which uses it outside of
 * what is differentiated is read. In a differentiated function it is refused (frontend/call/algorithms.def). */
#ifndef GRADWRIGHT_THRUST_OTHERS_H
#define GRADWRIGHT_THRUST_OTHERS_H
#include <gradwright/read/whatever.h>
#include <thrust/gw_memory.h>

/* The CPU device has none of them where programs run. */
#ifdef __CUDA_ARCH__
#define GW_NOT_HERE
#else
#define GW_NOT_HERE = delete
#endif

namespace thrust {
template <class... A> gw_whatever equal_range(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever equal(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever find(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever find_if(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever find_if_not(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever generate(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever generate_n(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever all_of(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever any_of(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever none_of(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever merge(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever merge_by_key(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever mismatch(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever partition_point(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever is_partitioned(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever replace(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever replace_if(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever replace_copy(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever replace_copy_if(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever set_difference(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever set_intersection(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever set_symmetric_difference(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever set_union(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever shuffle(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever shuffle_copy(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever is_sorted(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever is_sorted_until(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever swap_ranges(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever uninitialized_copy(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever uninitialized_copy_n(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever uninitialized_fill(A &&...) GW_NOT_HERE;
template <class... A> gw_whatever uninitialized_fill_n(A &&...) GW_NOT_HERE;
} // namespace thrust
#endif
