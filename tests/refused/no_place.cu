// args: --accumulate=slots
// Rows of threads at positions of a list: what would have two writers, or more rows than anybody knows.
#include <gradwright/gradwright.h>
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

struct span {
    int x, y;
};

// Ranges that nobody said do not overlap.
GW_GRADIENT("y wrt x")
__global__ void unsaid(float *y, const float *x, const int *col, const int *row, int rows) {
    int i = HERE;
    if (i >= rows) return;
    float s = 0;
    for (int j = row[i]; j < row[i + 1]; j++) s += x[col[j]] * x[col[j]];
    y[i] = s;
}

GW_GRADIENT("y wrt x")
__global__ void unsaid_pairs(float *y, const float *x, const int *col, const span *range, int rows) {
    int i = HERE;
    if (i >= rows) return;
    float s = 0;
    for (int j = range[i].y - 1; j >= range[i].x; j--) s += x[col[j]] * x[col[j]];
    y[i] = s;
}

// No promise says it of two lists of ends.
GW_GRADIENT("y wrt x") GW_SORTED(first)
__global__ void two_lists(float *y, const float *x, const int *col, const int *first, const int *last, int rows) {
    int i = HERE;
    if (i >= rows) return;
    float s = 0;
    for (int j = first[i]; j < last[i]; j++) s += x[col[j]] * x[col[j]];
    y[i] = s;
}

// Two threads have one row.
GW_GRADIENT("y wrt x") GW_SORTED(row)
__global__ void row_of_two(float *y, const float *x, const int *col, const int *row, int rows) {
    int i = HERE;
    if (i >= 2 * rows) return;
    float s = 0;
    for (int j = row[i / 2]; j < row[i / 2 + 1]; j++) s += x[col[j]] * (float)(i + j);
    y[i] = s;
}

// All blocks of one y have the rows of their x.
GW_GRADIENT("y wrt x") GW_SORTED(row)
__global__ void plane(float *y, const float *x, const int *col, const int *row, int rows) {
    int i = HERE;
    if (i >= rows) return;
    float s = 0;
    for (int j = row[i]; j < row[i + 1]; j++) s += x[col[j]] * (float)blockIdx.y;
    y[blockIdx.y * rows + i] = s;
}

// The end of a range is the next one's.
GW_GRADIENT("y wrt x") GW_SORTED(row)
__global__ void behind(float *y, const float *x, const int *col, const int *row, int rows) {
    int i = HERE;
    if (i >= rows) return;
    float s = 0;
    for (int j = row[i]; j <= row[i + 1]; j++) s += x[col[j]] * x[col[j]];
    y[i] = s;
}

// A range of two rows.
GW_GRADIENT("y wrt x") GW_SORTED(row)
__global__ void next_row(float *y, const float *x, const int *col, const int *row, int rows) {
    int i = HERE;
    if (i >= rows) return;
    float s = 0;
    for (int j = row[i]; j < row[i + 2]; j++) s += x[col[j]] * x[col[j]];
    y[i] = s;
}

// A position is come to several times, by the loop inside, and by the one outside.
GW_GRADIENT("y wrt x") GW_SORTED(row)
__global__ void times_inside(float *y, const float *x, const int *col, const int *times, const int *row, int rows) {
    int i = HERE;
    if (i >= rows) return;
    float s = 0;
    for (int j = row[i]; j < row[i + 1]; j++)
        for (int n = 0; n < times[j]; n++) s += x[col[j]] * (float)n;
    y[i] = s;
}
GW_GRADIENT("y wrt x") GW_SORTED(row)
__global__ void times_outside(float *y, const float *x, const int *col, const int *row, int rows, int steps) {
    int i = HERE;
    if (i >= rows) return;
    float s = 0;
    for (int n = 0; n < steps; n++)
        for (int j = row[i]; j < row[i + 1]; j++) s += x[col[j]] * (float)n;
    y[i] = s;
}

// The column is not in the key, or only a part of it is.
GW_GRADIENT("out wrt x") GW_SORTED(start)
__global__ void without_column(float *out, const float *x, const int *index, const int *start, int bags, int width) {
    int t = HERE;
    if (t >= bags * width) return;
    int b = t / width, c = t % width;
    float s = 0;
    for (int j = start[b]; j < start[b + 1]; j++) s += x[index[j]] * (float)c;
    out[t] = s;
}
GW_GRADIENT("out wrt x") GW_SORTED(start)
__global__ void half_a_column(float *out, const float *x, const int *index, const int *start, int bags, int width) {
    int t = HERE;
    if (t >= bags * width) return;
    int b = t / width, c = t % width;
    float s = 0;
    for (int j = start[b]; j < start[b + 1]; j++) s += x[index[j] * width + c / 2] * (float)c;
    out[t] = s;
}

// The column is read from memory: nobody knows how many there are.
GW_GRADIENT("out wrt x") GW_SORTED(start) GW_INJECTIVE(map)
__global__ void mapped_column(float *out, const float *x, const int *index, const int *start, const int *map, int width) {
    int b = blockIdx.x;
    for (int c = threadIdx.x; c < width; c += blockDim.x) {
        float s = 0;
        for (int j = start[b]; j < start[b + 1]; j++) s += x[index[j] * width + map[c]];
        out[b * width + c] = s;
    }
}

// Nobody knows how often.
GW_GRADIENT("y wrt x") GW_SORTED(row)
__global__ void until(float *y, const float *x, const int *col, const int *row, int rows) {
    int i = HERE;
    if (i >= rows) return;
    float s = 0;
    int j = row[i];
    while (j < row[i + 1] && col[j] >= 0) s += x[col[j++]] * s;
    y[i] = s;
}

// The sum of an int and an unsigned number may wrap around, so that two lanes have one position.
GW_GRADIENT("y wrt x") GW_SORTED(row)
__global__ void wrapped(float *y, const float *x, const int *col, const int *row) {
    float s = 0;
    for (int j = row[blockIdx.x] + threadIdx.x; j < row[blockIdx.x + 1]; j += blockDim.x) s += x[col[j]] * x[col[j]];
    atomicAdd(&y[blockIdx.x], s);
}
// says: no_place.cu:16:52: error: --accumulate=slots: the addition to 'd_x[col[j]]' cannot take this rung: no slots (no bound of a loop around it is known at the launch; if the ranges in row do not overlap, say so by GW_SORTED(row) beside the request) [rung-refused]
// says:     for (int j = row[i]; j < row[i + 1]; j++) s += x[col[j]] * x[col[j]];
// says:                                                    ^
// says:   way out: write --prefer=slots: then additions that cannot take it take another one; or GW_ACCUMULATE(x, slots) before a kernel whose addition to the adjoint of x can take it
// says: no_place.cu:25:61: error: --accumulate=slots: the addition to 'd_x[col[j]]' cannot take this rung: no slots (no bound of a loop around it is known at the launch; if the ranges in range do not overlap, say so by GW_DISJOINT_RANGES(range) beside the request) [rung-refused]
// says:     for (int j = range[i].y - 1; j >= range[i].x; j--) s += x[col[j]] * x[col[j]];
// says:                                                             ^
// says:   way out: write --prefer=slots: then additions that cannot take it take another one; or GW_ACCUMULATE(x, slots) before a kernel whose addition to the adjoint of x can take it
// says: no_place.cu:35:51: error: --accumulate=slots: the addition to 'd_x[col[j]]' cannot take this rung: no slots (no bound of a loop around it is known at the launch, nor is it proved that each thread and iteration has another place in a list) [rung-refused]
// says:     for (int j = first[i]; j < last[i]; j++) s += x[col[j]] * x[col[j]];
// says:                                                   ^
// says:   way out: write --prefer=slots: then additions that cannot take it take another one; or GW_ACCUMULATE(x, slots) before a kernel whose addition to the adjoint of x can take it
// says: no_place.cu:45:60: error: --accumulate=slots: the addition to 'd_x[col[j]]' cannot take this rung: no slots (no bound of a loop around it is known at the launch, nor is it proved that each thread and iteration has another place in a list) [rung-refused]
// says:     for (int j = row[i / 2]; j < row[i / 2 + 1]; j++) s += x[col[j]] * (float)(i + j);
// says:                                                            ^
// says:   way out: write --prefer=slots: then additions that cannot take it take another one; or GW_ACCUMULATE(x, slots) before a kernel whose addition to the adjoint of x can take it
// says: no_place.cu:55:52: error: --accumulate=slots: the addition to 'd_x[col[j]]' cannot take this rung: no slots (no bound of a loop around it is known at the launch, nor is it proved that each thread and iteration has another place in a list) [rung-refused]
// says:     for (int j = row[i]; j < row[i + 1]; j++) s += x[col[j]] * (float)blockIdx.y;
// says:                                                    ^
// says:   way out: write --prefer=slots: then additions that cannot take it take another one; or GW_ACCUMULATE(x, slots) before a kernel whose addition to the adjoint of x can take it
// says: no_place.cu:65:53: error: --accumulate=slots: the addition to 'd_x[col[j]]' cannot take this rung: no slots (no bound of a loop around it is known at the launch, nor is it proved that each thread and iteration has another place in a list) [rung-refused]
// says:     for (int j = row[i]; j <= row[i + 1]; j++) s += x[col[j]] * x[col[j]];
// says:                                                     ^
// says:   way out: write --prefer=slots: then additions that cannot take it take another one; or GW_ACCUMULATE(x, slots) before a kernel whose addition to the adjoint of x can take it
// says: no_place.cu:75:52: error: --accumulate=slots: the addition to 'd_x[col[j]]' cannot take this rung: no slots (no bound of a loop around it is known at the launch, nor is it proved that each thread and iteration has another place in a list) [rung-refused]
// says:     for (int j = row[i]; j < row[i + 2]; j++) s += x[col[j]] * x[col[j]];
// says:                                                    ^
// says:   way out: write --prefer=slots: then additions that cannot take it take another one; or GW_ACCUMULATE(x, slots) before a kernel whose addition to the adjoint of x can take it
// says: no_place.cu:86:49: error: --accumulate=slots: the addition to 'd_x[col[j]]' cannot take this rung: no slots (no bound of a loop around it is known at the launch, nor is it proved that each thread and iteration has another place in a list) [rung-refused]
// says:         for (int n = 0; n < times[j]; n++) s += x[col[j]] * (float)n;
// says:                                                 ^
// says:   way out: write --prefer=slots: then additions that cannot take it take another one; or GW_ACCUMULATE(x, slots) before a kernel whose addition to the adjoint of x can take it
// says: no_place.cu:95:56: error: --accumulate=slots: the addition to 'd_x[col[j]]' cannot take this rung: no slots (no bound of a loop around it is known at the launch, nor is it proved that each thread and iteration has another place in a list) [rung-refused]
// says:         for (int j = row[i]; j < row[i + 1]; j++) s += x[col[j]] * (float)n;
// says:                                                        ^
// says:   way out: write --prefer=slots: then additions that cannot take it take another one; or GW_ACCUMULATE(x, slots) before a kernel whose addition to the adjoint of x can take it
// says: no_place.cu:106:56: error: --accumulate=slots: the addition to 'd_x[index[j]]' cannot take this rung: no slots (no bound of a loop around it is known at the launch, nor is it proved that each thread and iteration has another place in a list) [rung-refused]
// says:     for (int j = start[b]; j < start[b + 1]; j++) s += x[index[j]] * (float)c;
// says:                                                        ^
// says:   way out: write --prefer=slots: then additions that cannot take it take another one; or GW_ACCUMULATE(x, slots) before a kernel whose addition to the adjoint of x can take it
// says: no_place.cu:115:56: error: --accumulate=slots: the addition to 'd_x[index[j] * width + c / 2]' cannot take this rung: no slots (no bound of a loop around it is known at the launch, nor is it proved that each thread and iteration has another place in a list) [rung-refused]
// says:     for (int j = start[b]; j < start[b + 1]; j++) s += x[index[j] * width + c / 2] * (float)c;
// says:                                                        ^
// says:   way out: write --prefer=slots: then additions that cannot take it take another one; or GW_ACCUMULATE(x, slots) before a kernel whose addition to the adjoint of x can take it
// says: no_place.cu:125:60: error: --accumulate=slots: the addition to 'd_x[index[j] * width + map[c]]' cannot take this rung: no slots (no bound of a loop around it is known at the launch, nor is it proved that each thread and iteration has another place in a list) [rung-refused]
// says:         for (int j = start[b]; j < start[b + 1]; j++) s += x[index[j] * width + map[c]];
// says:                                                            ^
// says:   way out: write --prefer=slots: then additions that cannot take it take another one; or GW_ACCUMULATE(x, slots) before a kernel whose addition to the adjoint of x can take it
// says: no_place.cu:137:48: error: --accumulate=slots: the addition to 'd_x[col[j]]' cannot take this rung: no slots (no bound of a loop around it is known at the launch, nor is it proved that each thread and iteration has another place in a list) [rung-refused]
// says:     while (j < row[i + 1] && col[j] >= 0) s += x[col[j++]] * s;
// says:                                                ^
// says:   way out: write --prefer=slots: then additions that cannot take it take another one; or GW_ACCUMULATE(x, slots) before a kernel whose addition to the adjoint of x can take it
// says: no_place.cu:145:96: error: --accumulate=slots: the addition to 'd_x[col[j]]' cannot take this rung: no slots (no bound of a loop around it is known at the launch, nor is it proved that each thread and iteration has another place in a list) [rung-refused]
// says:     for (int j = row[blockIdx.x] + threadIdx.x; j < row[blockIdx.x + 1]; j += blockDim.x) s += x[col[j]] * x[col[j]];
// says:                                                                                                ^
// says:   way out: write --prefer=slots: then additions that cannot take it take another one; or GW_ACCUMULATE(x, slots) before a kernel whose addition to the adjoint of x can take it
