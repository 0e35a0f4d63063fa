// refused: 'cudaIpcGetMemHandle' is unavailable: the CPU device shares no memory or events with other processes
int main() {
    cudaIpcMemHandle_t handle;
    return cudaIpcGetMemHandle(&handle, 0);
}
