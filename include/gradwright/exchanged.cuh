/* What lanes exchange, for headers of groups and collectives. */
#ifndef GRADWRIGHT_EXCHANGED_CUH
#define GRADWRIGHT_EXCHANGED_CUH
#if defined(__GNUC__)
#pragma GCC system_header
#endif

namespace gw_exchanged {
/* A number is exchanged as it is, anything else in words. */
template <class T, class Exchange> __device__ __forceinline__ T parts(T value, Exchange exchange) {
    if constexpr (__is_arithmetic(T)) {
        if constexpr (sizeof(T) < 4)
            return (T)exchange((int)value);
        else
            return exchange(value);
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
