/* __syncthreads and its forms.
 *
 * A thread that has ended counts as arrived, as on the hardware. The threads of one barrier must wait
 * at one place of the source: that is what makes a barrier under a divergent condition an error
 * instead of two barriers that happen to match. Places are compared, not return addresses, because the
 * compiler may duplicate a call. */
#include "block.h"
#include <string.h>

enum operation { plain, count, all, any };
static const char *const names[] = {"__syncthreads", "__syncthreads_count", "__syncthreads_and",
                                    "__syncthreads_or"};

GW_CPU_API int gw_cpu_barrier(int predicate, unsigned int operation, const char *file, unsigned int line,
                              unsigned int column);

static bool same_site(gw_cpu_site a, gw_cpu_site b) {
    return a.line == b.line && a.column == b.column && (a.file == b.file || strcmp(a.file, b.file) == 0);
}

static void release(gw_cpu_block *block) {
    block->released_count = block->arrived_count;
    block->released_true_count = block->true_count;
    block->arrived_count = block->true_count = 0;
    for (unsigned int word = 0; word < gw_cpu_block_words; ++word)
        block->ready[word] = block->live[word]; /* every thread that has not ended waits here */
    block->cursor = 0;
    gw_cpu_check_barrier(block);
}

void gw_cpu_barrier_thread_ended(gw_cpu_block *block) {
    if (block->arrived_count != 0 && block->arrived_count == block->live_count) release(block);
}

int gw_cpu_barrier(int predicate, unsigned int operation, const char *file, unsigned int line,
                   unsigned int column) {
    gw_cpu_block *block = gw_cpu_block_current();
    const unsigned int self = block->running;
    const gw_cpu_site site = {file, line, column};
    if (block->arrived_count == 0) {
        block->first_arrived = self;
    } else {
        const gw_cpu_thread *first = &block->threads[block->first_arrived];
        if (!same_site(first->site, site))
            gw_cpu_misuse(block, site, "divergent barrier: thread (%u,%u,%u) waits at %s:%u:%u", first->index.x,
                          first->index.y, first->index.z, first->site.file, first->site.line,
                          first->site.column);
    }
    ++block->arrived_count;
    block->true_count += predicate != 0;
    if (block->arrived_count == block->live_count) {
        block->threads[self].site = site;
        release(block);
    }
    gw_cpu_block_wait(block, names[operation], site);
    switch ((enum operation)operation) {
    case count:
        return (int)block->released_true_count;
    case all:
        return block->released_true_count == block->released_count;
    case any:
        return block->released_true_count != 0;
    case plain:
        break;
    }
    return 0;
}
