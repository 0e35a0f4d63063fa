/* Execution policies: types of ours, so that no overload of the library takes them. */
#ifndef GRADWRIGHT_PARALLEL_POLICY_H
#define GRADWRIGHT_PARALLEL_POLICY_H
#include <cstddef>
#include <iterator>
#include <type_traits>

namespace std {
namespace execution {
/* The numbers are those of analysis/ir/policies.def. */
struct sequenced_policy {
    static constexpr int gw_policy = 0;
};
struct unsequenced_policy {
    static constexpr int gw_policy = 1;
};
struct parallel_policy {
    static constexpr int gw_policy = 2;
};
struct parallel_unsequenced_policy {
    static constexpr int gw_policy = 3;
};
inline constexpr sequenced_policy seq{};
inline constexpr unsequenced_policy unseq{};
inline constexpr parallel_policy par{};
inline constexpr parallel_unsequenced_policy par_unseq{};
} // namespace execution

template <class T> struct is_execution_policy : false_type {};
template <> struct is_execution_policy<execution::sequenced_policy> : true_type {};
template <> struct is_execution_policy<execution::unsequenced_policy> : true_type {};
template <> struct is_execution_policy<execution::parallel_policy> : true_type {};
template <> struct is_execution_policy<execution::parallel_unsequenced_policy> : true_type {};
template <class T> inline constexpr bool is_execution_policy_v = is_execution_policy<T>::value;
} // namespace std

template <class P, class R = void>
using gw_if_policy = std::enable_if_t<std::is_execution_policy_v<std::decay_t<P>>, R>;
template <class It> using gw_value_of = typename std::iterator_traits<It>::value_type;

/* Before a loop: its iterations may run as the policy says. */
#define GW_PARALLEL(P)                                                                                         \
    for (int gw_marked __attribute__((annotate("gradwright:policy"), unused)) = std::decay_t<P>::gw_policy,    \
                                                                     gw_once = 1;                              \
         gw_once; gw_once = 0)

#endif
