/*
 * failing.cuh - compiled before a test of a program (-include, and the linker's --wrap, random_runtime.cuh):
 * each call of CUDA in its gradients fails in turn. After that the status has a text, adjoints of the caller
 * are as they were or named in it, the same pool serves what comes behind, and at the end of the test nothing
 * is lost. What the test expects of numbers is not looked at from there on.
 *
 * Arguments: --quick: 12 calls of each test, not all.
 */
#ifndef GW_TESTS_FAILING_CUH
#define GW_TESTS_FAILING_CUH

#include "expect.cuh"
#include "../random/random_runtime.cuh"

#include <gradwright/program.h>

extern "C" int cuMemGetAddressRange_v2(unsigned long long *base, size_t *bytes, unsigned long long at);

namespace failing {

/* An adjoint of the caller, and its bytes before the call; on the CPU device the host reads them. */
struct adjoint {
    const void *of;
    char *at;
    std::string name;
    std::vector<char> bytes;
    adjoint(const void *primal, void *shadow) : of(primal), at((char *)shadow), name(), bytes() {
        unsigned long long base = 0;
        size_t size = 0;
        if (cuMemGetAddressRange_v2(&base, &size, (unsigned long long)shadow) == 0)
            bytes.assign(at, (char *)base + size);
    }
    bool is_as_it_was() const { return bytes.empty() || std::memcmp(at, bytes.data(), bytes.size()) == 0; }
};

inline bool armed, fired;
inline unsigned long turn, used, before; /* which call fails in a test; how many it has made */
inline unsigned long failures, adjoints;
inline std::vector<adjoint> given;

inline void begin() {
    given.clear();
    before = shim::state.calls;
    shim::state.has_failed = false;
    shim::state.fail_at = fired ? 0 : before + (turn - used);
    armed = true;
}

inline void check_failed(check::trial &t, const char *file, int line, const std::string &call) {
    const std::string said = gw_last_error();
    if (said.empty()) t.fail(file, line, call + " says nothing of its status");
    const size_t named = said.find("not as they were");
    for (const adjoint &a : given) {
        adjoints++;
        const bool is_named = named != std::string::npos && said.find(a.name, named) != std::string::npos;
        if (!a.is_as_it_was() && !is_named)
            t.fail(file, line, "the adjoint of " + a.name + " changed and is not named: " + said);
    }
    t.deaf = true;
}

inline void end(check::trial &t, gw_status status, gw_status want, const char *file, int line,
                const std::string &call) {
    armed = false;
    shim::state.fail_at = 0;
    shim::state.pending = cudaSuccess;
    used += shim::state.calls - before;
    const bool failed = shim::state.has_failed;
    fired |= failed;
    failures += failed && status != GW_OK;
    if (failed && status != GW_OK) {
        check_failed(t, file, line, call);
    } else if (status != want) {
        t.deaf = false;
        t.fail(file, line, call + " gives: " + gw_status_text(status) + ": " + gw_last_error());
    }
}

/* False: there was no such call. */
inline bool run(check::registration &r, unsigned long n, int &failed) {
    check::trial t{r.name, true, 0, {}};
    fired = false;
    used = 0, turn = n;
    const long alive = shim::state.alive;
    r.run(t);
    t.deaf = false;
    const std::string where = " (call " + check::text((double)n) + " fails)";
    if (shim::state.alive != alive) t.fail(__FILE__, __LINE__, "memory is lost" + where);
    if (!check::device_ok()) t.fail(__FILE__, __LINE__, "the device is lost" + where);
    if (t.failures) std::printf("FAIL %s%s\n", r.name, where.c_str());
    failed += t.failures != 0;
    return fired;
}

inline int run_all(bool quick) {
    enum { QUICK = 12 };
    int failed = 0;
    for (check::registration *r = check::registration::first(); r; r = r->next) {
        run(*r, ~0ul >> 1, failed); /* none: how many there are */
        const unsigned long count = used, by = quick ? count / QUICK + 1 : 1;
        for (unsigned long n = 1; n <= count && !failed; n += by)
            if (!run(*r, n, failed)) break;
        std::printf("%s: %lu calls\n", r->name, count);
    }
    std::printf("%lu calls failed, %lu adjoints looked at\n", failures, adjoints);
    return failed || !failures || !adjoints;
}

} // namespace failing

extern "C" {
void __real_gw_program_given(gw_program *run, const void *at, void *shadow, size_t bytes);
void __real_gw_program_named(gw_program *run, const void *at, const char *name);
void __wrap_gw_program_given(gw_program *run, const void *at, void *shadow, size_t bytes) {
    if (failing::armed && shadow) failing::given.emplace_back(at, shadow);
    __real_gw_program_given(run, at, shadow, bytes);
}
void __wrap_gw_program_named(gw_program *run, const void *at, const char *name) {
    for (failing::adjoint &a : failing::given)
        if (a.of == at) a.name = name;
    __real_gw_program_named(run, at, name);
}
}

#undef EXPECT_STATUS
#undef TEST_MAIN
#define EXPECT_STATUS(call, want)                                                                              \
    do {                                                                                                       \
        gw_report(GW_OK, nullptr);                                                                             \
        failing::begin();                                                                                      \
        const gw_status status_ = (call);                                                                      \
        failing::end(trial, status_, want, __FILE__, __LINE__, #call);                                         \
    } while (0)
#define TEST_MAIN                                                                                              \
    int main(int argc, char **argv) {                                                                          \
        return failing::run_all(argc > 1 && std::strcmp(argv[1], "--quick") == 0);                             \
    }

#endif
