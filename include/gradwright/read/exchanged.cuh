/* What lanes exchange, for headers of groups and collectives. */
#ifndef GRADWRIGHT_EXCHANGED_CUH
#define GRADWRIGHT_EXCHANGED_CUH
#if defined(__GNUC__)
#pragma GCC system_header
#endif

namespace gw_exchanged {
struct anything {
    template <class T> __host__ __device__ operator T() const;
};
template <class T, class... A> constexpr decltype(T{A{}...}, true) is_made_of(int) { return true; }
template <class T, class... A> constexpr bool is_made_of(long) { return false; }
enum { MOST_MEMBERS = 6 };
/* How many members an aggregate has; 0: too many, or it is none. */
template <class T, class... A> constexpr int members() {
    if constexpr (!__is_aggregate(T) || sizeof...(A) > MOST_MEMBERS)
        return 0;
    else if constexpr (is_made_of<T, A..., anything>(0))
        return members<T, A..., anything>();
    else
        return (int)sizeof...(A);
}

template <class T, class Exchange> __device__ __forceinline__ T parts(T value, Exchange exchange);

/* Members, each as what it is. */
#define GW_EXCHANGED(member) member = parts(member, exchange)
template <class T, class Exchange>
__device__ __forceinline__ void exchange_members(T &value, Exchange exchange) {
    constexpr int n = members<T>();
    if constexpr (n == 1) {
        auto &[a] = value;
        GW_EXCHANGED(a);
    } else if constexpr (n == 2) {
        auto &[a, b] = value;
        GW_EXCHANGED(a), GW_EXCHANGED(b);
    } else if constexpr (n == 3) {
        auto &[a, b, c] = value;
        GW_EXCHANGED(a), GW_EXCHANGED(b), GW_EXCHANGED(c);
    } else if constexpr (n == 4) {
        auto &[a, b, c, d] = value;
        GW_EXCHANGED(a), GW_EXCHANGED(b), GW_EXCHANGED(c), GW_EXCHANGED(d);
    } else if constexpr (n == 5) {
        auto &[a, b, c, d, e] = value;
        GW_EXCHANGED(a), GW_EXCHANGED(b), GW_EXCHANGED(c), GW_EXCHANGED(d), GW_EXCHANGED(e);
    } else {
        auto &[a, b, c, d, e, f] = value;
        GW_EXCHANGED(a), GW_EXCHANGED(b), GW_EXCHANGED(c), GW_EXCHANGED(d), GW_EXCHANGED(e), GW_EXCHANGED(f);
    }
}
#undef GW_EXCHANGED

/* A number is exchanged as it is, a struct by its members, anything else in words. */
template <class T, class Exchange> __device__ __forceinline__ T parts(T value, Exchange exchange) {
    if constexpr (__is_arithmetic(T)) {
        if constexpr (sizeof(T) < 4)
            return (T)exchange((int)value);
        else
            return exchange(value);
    } else if constexpr (members<T>() > 0 && members<T>() <= MOST_MEMBERS) {
        exchange_members(value, exchange);
        return value;
    } else {
        unsigned int words[(sizeof(T) + 3) / 4] = {};
        __builtin_memcpy(words, &value, sizeof(T));
        for (unsigned int &word : words)
            word = exchange(word);
        __builtin_memcpy(&value, words, sizeof(T));
        return value;
    }
}
} // namespace gw_exchanged
#endif
