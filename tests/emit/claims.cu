// The checked build's claims: `claims good` must end well, every other word must end in a trap.
#include <gradwright/emitted/claims.cuh>

#include <cstring>

__global__ void touch(float *cells, int shift, int first_kind, int other_kind) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    const unsigned int kind = i == 0 ? first_kind : other_kind;
    gw_claim(&cells[i >> shift], i == 0 ? 11u : 22u, kind, "d_x", "claims.cu");
    gw_claim(&cells[i >> shift], 33u, kind, "d_x", "claims.cu");
}

// One after the other, each thread in two ways.
__global__ void both(float *cells, unsigned int first, unsigned int second, int shift) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    gw_claim(&cells[i >> shift], 11u, first, "d_x", "claims.cu");
    gw_claim(&cells[i >> shift], 22u, second, "d_x", "claims.cu");
}

// Threads change cells from launch to launch; an old claim must not count.
__global__ void turn(float *cells, int turns, int n) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    gw_claim(&cells[(i + turns) % n], 5u, GW_CLAIM_PLAIN, "d_x", "claims.cu");
}

__device__ void after_none(float *cells, int n) {
    for (int k = 0; k < n; ++k) gw_claim(&cells[k], 9u, GW_CLAIM_PLAIN, "d_x", "claims.cu");
}

// One thread at each cell; before cell k it has come to so many barriers more.
__global__ void after(float *cells, int n, unsigned int barriers_between) {
    for (int k = 0; k < n; ++k)
        gw_claim(&cells[k], 7u, GW_CLAIM_PLAIN, "d_x", "claims.cu", (unsigned int)k * barriers_between);
}

__global__ void last(float *cells, int n) {
    if (threadIdx.x == 1) after_none(cells, n);
}

// All threads at the cells of array 1; the last one also at those of array 2, which begins `distance` behind.
__global__ void arrays(float *cells, int n, int distance) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    for (int k = 0; k < n; ++k) gw_claim_array(&cells[k], 1u, 11u, "d_x", "claims.cu");
    if (i == 63)
        for (int k = 0; k < n; ++k) gw_claim_array(&cells[k + distance], 2u, 22u, "d_y", "claims.cu");
}

static bool ends_well() { return cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess; }

int main(int count, char **words) {
    const char *word = count > 1 ? words[1] : "";
    float *cells = nullptr;
    if (cudaMalloc(&cells, 4096 * sizeof(float)) != cudaSuccess) return 2;
    if (std::strcmp(word, "good") == 0) {
        touch<<<4, 64>>>(cells, 0, GW_CLAIM_PLAIN, GW_CLAIM_PLAIN);  // each its own
        touch<<<4, 64>>>(cells, 8, GW_CLAIM_ATOMIC, GW_CLAIM_ATOMIC); // all at one cell, by atomics
        touch<<<4, 64>>>(cells, 8, GW_CLAIM_READ, GW_CLAIM_READ); // all read one cell
        both<<<4, 64>>>(cells, GW_CLAIM_READ, GW_CLAIM_PLAIN, 0); // each reads and writes its own
        for (int turns = 0; turns < 200; ++turns) turn<<<4, 64>>>(cells, turns, 256);
        arrays<<<1, 64>>>(cells, 8, 8); // two arrays side by side
        // Owners after all numbers of barriers that are told apart; of these, one looks like an owner of a
        // later launch.
        const int every = 0xffff;
        if (cudaFree(cells) != cudaSuccess || cudaMalloc(&cells, every * sizeof(float)) != cudaSuccess)
            return 2;
        for (int between = 0; between < 3; ++between) {
            after<<<1, 1>>>(cells, every, 1);
            for (int launch = 0; launch < between; ++launch) after<<<1, 1>>>(cells, 0, 1);
            last<<<1, 2>>>(cells, every);
        }
        return ends_well() ? 0 : 1;
    }
    if (std::strcmp(word, "plain") == 0) touch<<<1, 2>>>(cells, 1, GW_CLAIM_PLAIN, GW_CLAIM_PLAIN);
    else if (std::strcmp(word, "blocks") == 0) touch<<<2, 1>>>(cells, 1, GW_CLAIM_PLAIN, GW_CLAIM_PLAIN);
    else if (std::strcmp(word, "mixed") == 0) touch<<<2, 64>>>(cells, 7, GW_CLAIM_PLAIN, GW_CLAIM_ATOMIC);
    else if (std::strcmp(word, "mixed_last") == 0) touch<<<1, 4>>>(cells, 2, GW_CLAIM_ATOMIC, GW_CLAIM_PLAIN);
    else if (std::strcmp(word, "read") == 0) touch<<<2, 64>>>(cells, 7, GW_CLAIM_PLAIN, GW_CLAIM_READ);
    else if (std::strcmp(word, "read_last") == 0) touch<<<1, 4>>>(cells, 2, GW_CLAIM_READ, GW_CLAIM_ATOMIC);
    else if (std::strcmp(word, "read_and_write") == 0) both<<<1, 2>>>(cells, GW_CLAIM_READ, GW_CLAIM_PLAIN, 1);
    else if (std::strcmp(word, "read_and_add") == 0) both<<<1, 2>>>(cells, GW_CLAIM_READ, GW_CLAIM_ATOMIC, 1);
    else if (std::strcmp(word, "arrays") == 0) arrays<<<1, 64>>>(cells, 8, 7); // overlap by one cell
    else return 2;
    return ends_well() ? 1 : 0;
}
