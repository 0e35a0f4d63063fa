/* What the library has with a policy and Gradwright does not differentiate: declared, so that a source which
 * uses it outside of what is differentiated is read. In a differentiated function it is refused by name
 * (frontend/call/parallel.c): its result is a gw_whatever. The bodies are there for types without linkage. */
#ifndef GRADWRIGHT_PARALLEL_OTHERS_H
#define GRADWRIGHT_PARALLEL_OTHERS_H
#include <gradwright/parallel/gw_policy.h>
#include <gradwright/read/whatever.h>

namespace std {
template <class P, class... A> gw_if_policy<P, gw_whatever> adjacent_find(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> all_of(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> any_of(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> count(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> count_if(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> destroy(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> destroy_n(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> equal(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> find(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> find_end(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> find_first_of(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> find_if(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> find_if_not(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> generate(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> generate_n(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> includes(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> inplace_merge(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> is_heap(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> is_heap_until(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> is_partitioned(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> is_sorted(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> is_sorted_until(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> lexicographical_compare(P &&, A &&...) {
    return {};
}
template <class P, class... A> gw_if_policy<P, gw_whatever> merge(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> minmax_element(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> mismatch(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> move(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> none_of(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> nth_element(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> partial_sort(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> partial_sort_copy(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> partition(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> partition_copy(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> remove(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> remove_copy(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> remove_copy_if(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> remove_if(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> replace(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> replace_copy(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> replace_copy_if(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> replace_if(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> reverse(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> reverse_copy(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> rotate(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> rotate_copy(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> search(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> search_n(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> set_difference(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> set_intersection(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> set_symmetric_difference(P &&, A &&...) {
    return {};
}
template <class P, class... A> gw_if_policy<P, gw_whatever> set_union(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> shift_left(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> shift_right(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> stable_partition(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> swap_ranges(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> uninitialized_copy(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> uninitialized_copy_n(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> uninitialized_default_construct(P &&, A &&...) {
    return {};
}
template <class P, class... A> gw_if_policy<P, gw_whatever> uninitialized_default_construct_n(P &&, A &&...) {
    return {};
}
template <class P, class... A> gw_if_policy<P, gw_whatever> uninitialized_fill(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> uninitialized_fill_n(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> uninitialized_move(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> uninitialized_move_n(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> uninitialized_value_construct(P &&, A &&...) {
    return {};
}
template <class P, class... A> gw_if_policy<P, gw_whatever> uninitialized_value_construct_n(P &&, A &&...) {
    return {};
}
template <class P, class... A> gw_if_policy<P, gw_whatever> unique(P &&, A &&...) { return {}; }
template <class P, class... A> gw_if_policy<P, gw_whatever> unique_copy(P &&, A &&...) { return {}; }
} // namespace std

#endif
