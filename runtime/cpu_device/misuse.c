/* Messages about kernels whose threads do not meet as CUDA demands. They go to standard error with the
 * place in the kernel's source, and the launch fails. */
#include "block.h"
#include <stdarg.h>
#include <stdio.h>

void gw_cpu_misuse(gw_cpu_block *block, gw_cpu_site site, const char *format, ...) {
    const uint3 t = block->threads[block->running].index, b = gw_cpu_block_index;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fflush(stdout);
    fprintf(stderr, "%s:%u:%u: error: %s; block (%u,%u,%u), thread (%u,%u,%u)\n", site.file, site.line,
            site.column, text, b.x, b.y, b.z, t.x, t.y, t.z);
    gw_cpu_block_fail(block, cudaErrorLaunchFailure);
}

/* One line for each place where threads wait, and the first of those threads. */
void gw_cpu_misuse_deadlock(gw_cpu_block *block) {
    const uint3 b = gw_cpu_block_index;
    fflush(stdout);
    fprintf(stderr, "error: deadlock in block (%u,%u,%u): no thread can go on\n", b.x, b.y, b.z);
    for (unsigned int i = 0; i < block->count; ++i) {
        const gw_cpu_thread *thread = &block->threads[i];
        bool said = thread->call == NULL;
        unsigned int others = 0;
        for (unsigned int j = 0; j < block->count && !said; ++j) {
            const gw_cpu_thread *other = &block->threads[j];
            if (other->call != thread->call || other->site.line != thread->site.line ||
                other->site.column != thread->site.column)
                continue;
            said = j < i;
            others += j > i;
        }
        if (said) continue;
        fprintf(stderr, "%s:%u:%u: note: thread (%u,%u,%u) and %u others wait in %s", thread->site.file,
                thread->site.line, thread->site.column, thread->index.x, thread->index.y, thread->index.z,
                others, thread->call);
        uint32_t mask = 0;
        const uint32_t missing = gw_cpu_warp_missing(block, i, &mask);
        if (missing != 0)
            fprintf(stderr, ": of the mask 0x%08x the lanes 0x%08x have not arrived", mask, missing);
        fputc('\n', stderr);
    }
    gw_cpu_block_fail(block, cudaErrorLaunchFailure);
}
