// environment: GW_CPU_LOG=1
// expect: gwcpu: launch 1 logged<<<(2,3,1),(4,1,1),16>>>
// expect: gwcpu: launch 2 logged<<<(1,1,1),(1,1,1),0>>>
extern "C" __global__ void logged() {}
int main() {
    logged<<<dim3(2, 3), 4, 16>>>();
    logged<<<1, 1>>>();
    return cudaDeviceSynchronize();
}
