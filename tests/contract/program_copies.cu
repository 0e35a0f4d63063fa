// Copies of differentiated programs (program.cuh) in every direction, of device, managed, pinned and pageable
// memory: what the reverse does to both adjoints. Also halves, rows, overlaps, fills, what carries no adjoint.
#include <cuda_fp16.h>

#include "../support/expect.cuh"

#include <gradwright/emitted/program.cuh>

#include <cstdlib>

/* An array in one kind of memory, and its adjoint. */
struct array {
    gw_space space;
    void *at = nullptr, *d = nullptr;
    array(gw_space of, size_t bytes, size_t d_bytes) : space(of) {
        for (int i = 0; i < 2; i++) {
            void **p = i ? &d : &at;
            const size_t size = i ? d_bytes : bytes;
            if (of == GW_SPACE_DEVICE) cudaMalloc(p, size);
            if (of == GW_SPACE_MANAGED) cudaMallocManaged(p, size);
            if (of == GW_SPACE_PINNED) cudaMallocHost(p, size);
            if (of == GW_SPACE_HOST) *p = std::malloc(size);
        }
    }
    array(const array &) = delete;
    ~array() {
        for (void *p : {at, d})
            if (space == GW_SPACE_HOST)
                std::free(p);
            else if (space == GW_SPACE_PINNED)
                cudaFreeHost(p);
            else
                cudaFree(p);
    }
};

template <class T> static void put(void *to, const std::vector<T> &from) {
    cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyDefault);
}
template <class T> static std::vector<T> get(const void *from, size_t count) {
    std::vector<T> list(count);
    cudaMemcpy(list.data(), from, count * sizeof(T), cudaMemcpyDefault);
    return list;
}

static const gw_space spaces[] = {GW_SPACE_DEVICE, GW_SPACE_MANAGED, GW_SPACE_PINNED, GW_SPACE_HOST};
typedef std::vector<double> numbers;

TEST(every_direction) {
    for (gw_space to_space : spaces)
        for (gw_space from_space : spaces)
            for (bool waits : {false, true}) {
                array to(to_space, 40, 40), from(from_space, 40, 40);
                put(to.at, numbers{9, 9, 9, 9, 9});
                put(from.at, numbers{1, 2, 3, 4, 5});
                put(to.d, numbers{10, 20, 30, 40, 50});
                put(from.d, numbers{.1, .2, .3, .4, .5});
                cudaStream_t on;
                cudaStreamCreate(&on);
                gw_program *run = gw_program_begin(nullptr);
                gw_program_given(run, to.at, to.d, 40);
                gw_program_given(run, from.at, from.d, 40);
                double *t = (double *)to.at + 1, *f = (double *)from.at + 2;
                EXPECT(gw_program_copy<double>(run, t, f, 24, cudaMemcpyDefault, on, waits) == cudaSuccess);
                EXPECT(gw_program_copy_back<double>(run, t, f, 24, cudaMemcpyDefault, on, waits) ==
                       cudaSuccess);
                EXPECT_STATUS(gw_program_end(run), GW_OK);
                cudaStreamSynchronize(on);
                EXPECT((get<double>(to.at, 5) == numbers{9, 3, 4, 5, 9}));
                EXPECT((get<double>(to.d, 5) == numbers{10, 0, 0, 0, 50}));
                EXPECT((get<double>(from.d, 5) == numbers{.1, .2, .3 + 20, .4 + 30, .5 + 40}));
                EXPECT((get<double>(from.at, 5) == numbers{1, 2, 3, 4, 5}));
                cudaStreamDestroy(on);
            }
}

TEST(rows) {
    for (gw_space space : spaces) {
        array to(GW_SPACE_DEVICE, 48, 48), from(space, 48, 48);
        put(to.at, numbers(6, 9));
        put(from.at, numbers{1, 2, 3, 4, 5, 6});
        put(to.d, numbers{10, 20, 30, 40, 50, 60});
        put(from.d, numbers(6, 1));
        gw_program *run = gw_program_begin(nullptr);
        gw_program_given(run, to.at, to.d, 48);
        gw_program_given(run, from.at, from.d, 48);
        double *t = (double *)to.at, *f = (double *)from.at; /* 2 rows of 2 of 3, into 3 rows of 2 */
        EXPECT(gw_program_copy_2d<double>(run, t, 16, f, 24, 16, 2, cudaMemcpyDefault, 0, true) == cudaSuccess);
        gw_program_copy_2d_back<double>(run, t, 16, f, 24, 16, 2, cudaMemcpyDefault, 0, true);
        EXPECT_STATUS(gw_program_end(run), GW_OK);
        EXPECT((get<double>(to.at, 6) == numbers{1, 2, 4, 5, 9, 9}));
        EXPECT((get<double>(to.d, 6) == numbers{0, 0, 0, 0, 50, 60}));
        EXPECT((get<double>(from.d, 6) == numbers{11, 21, 1, 31, 41, 1}));
    }
}

TEST(overlaps_and_copies_to_itself) {
    for (gw_space space : spaces)
        for (int shift = 0; shift < 2; shift++) {
            array a(space, 32, 32);
            put(a.at, numbers{1, 2, 3, 4});
            put(a.d, numbers{10, 20, 30, 40});
            gw_program *run = gw_program_begin(nullptr);
            gw_program_given(run, a.at, a.d, 32);
            double *t = (double *)a.at + shift, *f = (double *)a.at;
            gw_program_writes(run, t, 24, 0); /* the copy itself is not defined if it overlaps */
            gw_program_copy_back<double>(run, t, f, 24, cudaMemcpyDefault, 0, true);
            EXPECT_STATUS(gw_program_end(run), GW_OK);
            EXPECT_DEVICE_OK();
            EXPECT((get<double>(a.d, 4) == (shift ? numbers{30, 30, 40, 0} : numbers{10, 20, 30, 40})));
        }
}

TEST(halves_have_adjoints_of_floats) {
    array to(GW_SPACE_DEVICE, 8, 16), from(GW_SPACE_DEVICE, 8, 16);
    put(to.d, std::vector<float>{10, 20, 30, 40});
    put(from.d, std::vector<float>{1, 2, 3, 4});
    cudaMemset(from.at, 0, 8);
    gw_program *run = gw_program_begin(nullptr);
    gw_program_given(run, to.at, to.d, 8);
    gw_program_given(run, from.at, from.d, 8);
    __half *t = (__half *)to.at, *f = (__half *)from.at;
    gw_program_copy<__half>(run, t + 1, f + 2, 4, cudaMemcpyDefault, 0, true);
    gw_program_copy_back<__half>(run, t + 1, f + 2, 4, cudaMemcpyDefault, 0, true);
    EXPECT_STATUS(gw_program_end(run), GW_OK);
    EXPECT((get<float>(to.d, 4) == std::vector<float>{10, 0, 0, 40}));
    EXPECT((get<float>(from.d, 4) == std::vector<float>{1, 2, 23, 34}));
}

TEST(fills_and_what_carries_no_adjoint) {
    array a(GW_SPACE_DEVICE, 32, 32), b(GW_SPACE_DEVICE, 32, 32);
    put(a.d, numbers{1, 2, 3, 4});
    put(b.d, numbers{1, 2, 3, 4});
    gw_program *run = gw_program_begin(nullptr);
    gw_program_given(run, a.at, a.d, 0);
    gw_program_given(run, b.at, b.d, 0);
    gw_program_set<double>(run, (double *)a.at + 1, 0, 16, 0, true);
    gw_program_set<int>(run, (int *)b.at, 0, 32, 0, false);
    gw_program_copy<int>(run, (int *)a.at, (int *)b.at, 6, cudaMemcpyDefault, 0, false);
    gw_program_copy_back<int>(run, (int *)a.at, (int *)b.at, 6, cudaMemcpyDefault, 0, false);
    gw_program_set_back<int>(run, (int *)b.at, 32, 0);
    gw_program_set_back<double>(run, (double *)a.at + 1, 16, 0);
    EXPECT_STATUS(gw_program_end(run), GW_OK);
    EXPECT((get<double>(a.d, 4) == numbers{1, 0, 0, 4}));
    EXPECT((get<double>(b.d, 4) == numbers{1, 2, 3, 4}));
}

TEST(half_an_element_is_an_error) {
    array a(GW_SPACE_DEVICE, 32, 32);
    gw_program *run = gw_program_begin(nullptr);
    gw_program_given(run, a.at, a.d, 0);
    EXPECT(gw_program_copy<double>(run, (double *)a.at + 2, (double *)a.at, 12, cudaMemcpyDefault, 0, true) !=
           cudaSuccess);
    EXPECT_STATUS(gw_program_end(run), GW_ERROR_ARGUMENT);
    EXPECT(std::strstr(gw_last_error(), "12 bytes"));
}
TEST_MAIN
