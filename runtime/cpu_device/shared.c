/* The memory of __shared__ variables: one piece of address space for each operating system thread that
 * launches, because such a thread runs one block at a time.
 *
 * Dynamic shared memory lies at its start, static variables from gw_cpu_shared_static on; the pass in
 * plugin/ that places them knows these numbers. A piece never moves while its thread lives, so device
 * code may keep its address. Its contents are what the block before left there. */
#include "block.h"
#include <sys/mman.h>

/* What device code adds its offsets to. */
_Thread_local char *gw_cpu_shared;

__attribute__((weak)) void __asan_poison_memory_region(const volatile void *start, size_t size);
__attribute__((weak)) void __asan_unpoison_memory_region(const volatile void *start, size_t size);

static _Thread_local size_t dynamic_now;

GW_CPU_API size_t gw_cpu_dynamic_shared_bytes(void);
size_t gw_cpu_dynamic_shared_bytes(void) { return dynamic_now; }

bool gw_cpu_shared_prepare(size_t dynamic_bytes) {
    dynamic_now = dynamic_bytes;
    if (!gw_cpu_shared) {
        void *arena = mmap(NULL, gw_cpu_shared_arena, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (arena == MAP_FAILED) return false;
        gw_cpu_shared = arena;
    }
    if (__asan_poison_memory_region) {
        __asan_unpoison_memory_region(gw_cpu_shared, dynamic_bytes);
        __asan_poison_memory_region(gw_cpu_shared + dynamic_bytes, gw_cpu_shared_static - dynamic_bytes);
    }
    return true;
}

void gw_cpu_shared_free(void) {
    if (!gw_cpu_shared) return;
    if (__asan_unpoison_memory_region) __asan_unpoison_memory_region(gw_cpu_shared, gw_cpu_shared_static);
    munmap(gw_cpu_shared, gw_cpu_shared_arena);
    gw_cpu_shared = NULL;
}
