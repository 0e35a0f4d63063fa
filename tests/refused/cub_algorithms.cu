#include <gradwright/gradwright.h>
#include <gradwright/program.h>
#include <cub/cub.cuh>

GW_GRADIENT("y wrt x")
cudaError_t parted(double *y, int *count, const double *x, const char *flag, int n, void *storage, size_t bytes) {
    cudaError_t said = cub::DevicePartition::Flagged(storage, bytes, x, flag, y, count, n);
    return said == cudaSuccess ? cudaGetLastError() : said;
}
GW_GRADIENT("y wrt x") void counted(double *y, int *bins, const double *x, int n, void *storage, size_t bytes) {
    cub::DeviceHistogram::HistogramEven(storage, bytes, x, bins, 9, 0.0, 1.0, n);
    cudaMemcpy(y, x, n * sizeof(double), cudaMemcpyDeviceToDevice);
}
// says: cub_algorithms.cu:7:24: error: cub::DevicePartition::Flagged, which runs in parallel, cannot be differentiated yet [unsupported]
// says:     cudaError_t said = cub::DevicePartition::Flagged(storage, bytes, x, flag, y, count, n);
// says:                        ^
// says:   way out: write a kernel that does the same, and ask for the kernel's gradient
// says: cub_algorithms.cu:11:5: error: cub::DeviceHistogram::HistogramEven, which runs in parallel, cannot be differentiated yet [unsupported]
// says:     cub::DeviceHistogram::HistogramEven(storage, bytes, x, bins, 9, 0.0, 1.0, n);
// says:     ^
// says:   way out: write a kernel that does the same, and ask for the kernel's gradient
