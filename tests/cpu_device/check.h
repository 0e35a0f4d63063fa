/* Tests end with a message and status 1 where a check fails. */
#ifndef GW_TEST_CHECK_H
#define GW_TEST_CHECK_H
#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                                                       \
    do {                                                                                                       \
        if (!(condition)) {                                                                                    \
            std::printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                                \
            std::exit(1);                                                                                      \
        }                                                                                                      \
    } while (0)
#define OK(call) CHECK((call) == cudaSuccess)
#endif
