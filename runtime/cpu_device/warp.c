/* Operations of a warp: lanes wait until every lane that their mask names has arrived at the same
 * operation with the same mask; the last one works out everybody's result. Lanes that have ended count as
 * arrived. Lanes may meet from different places of the source, as on hardware since compute capability 7.0.
 *
 * Nothing can be overwritten too early: a lane's value stays until the lane itself arrives again, and its
 * result until all the lanes of its next operation have arrived, the lane among them. */
#include "block.h"

enum { lanes = 32 };

typedef enum operation {
    sync_warp,
    shuffle_index,
    shuffle_up,
    shuffle_down,
    shuffle_xor,
    vote_ballot,
    vote_any,
    vote_all,
    vote_uniform,
    match_any,
    match_all,
    reduce_add,
    reduce_min_signed,
    reduce_min,
    reduce_max_signed,
    reduce_max,
    reduce_and,
    reduce_or,
    reduce_xor,
    active_mask,
    in_step
} operation;

static const char *const names[] = {
    "__syncwarp",        "__shfl_sync",       "__shfl_up_sync",    "__shfl_down_sync",  "__shfl_xor_sync",
    "__ballot_sync",     "__any_sync",        "__all_sync",        "__uni_sync",        "__match_any_sync",
    "__match_all_sync",  "__reduce_add_sync", "__reduce_min_sync", "__reduce_min_sync", "__reduce_max_sync",
    "__reduce_max_sync", "__reduce_and_sync", "__reduce_or_sync",  "__reduce_xor_sync", "__activemask",
    "a volatile access"};

GW_CPU_API uint64_t gw_cpu_warp(unsigned int what, uint32_t mask, uint64_t value, unsigned int argument,
                                unsigned int width, const char *file, unsigned int line, unsigned int column);

GW_CPU_API void gw_cpu_in_step(uint64_t position);

static uint32_t lanes_of(const uint64_t *words, unsigned int warp) {
    return (uint32_t)(words[warp / 2] >> warp % 2 * lanes);
}

static unsigned int lowest(uint32_t mask) { return (unsigned int)__builtin_ctz(mask); }

/* The lane whose value `lane` gets; the lane itself where CUDA says that it keeps its own. */
static unsigned int source_lane(operation what, unsigned int lane, unsigned int argument, unsigned int width) {
    const unsigned int first = lane & ~(width - 1), last = first + width - 1, distance = argument % lanes;
    switch (what) {
    case shuffle_index:
        return first + (argument & (width - 1));
    case shuffle_up:
        return lane >= first + distance ? lane - distance : lane;
    case shuffle_down:
        return lane + distance <= last ? lane + distance : lane;
    default:
        return (lane ^ distance) <= last ? lane ^ distance : lane;
    }
}

static void shuffle(gw_cpu_block *block, const gw_cpu_meeting *m, unsigned int base) {
    for (uint32_t left = m->arrived; left; left &= left - 1) {
        const unsigned int lane = lowest(left);
        gw_cpu_lane *self = &block->lanes[base + lane];
        const unsigned int from = source_lane((operation)m->what, lane, self->argument, self->width);
        if (!(m->arrived >> from & 1)) {
            const bool ended = m->mask >> from & 1;
            block->running = base + lane;
            gw_cpu_misuse(block, block->threads[base + lane].site,
                          ended ? "%s reads lane %u, which has ended or never was"
                                : "%s reads lane %u, which is not in the mask 0x%08x",
                          names[m->what], from, m->mask);
        }
        self->result = block->lanes[base + from].value;
    }
}

static uint64_t reduced(const gw_cpu_block *block, const gw_cpu_meeting *m, unsigned int base) {
    uint32_t left = m->arrived;
    uint32_t all = (uint32_t)block->lanes[base + lowest(left)].value;
    while ((left &= left - 1) != 0) {
        const uint32_t next = (uint32_t)block->lanes[base + lowest(left)].value;
        switch ((operation)m->what) {
        case reduce_add:
            all += next;
            break;
        case reduce_min_signed:
            all = (int32_t)next < (int32_t)all ? next : all;
            break;
        case reduce_max_signed:
            all = (int32_t)next > (int32_t)all ? next : all;
            break;
        case reduce_min:
            all = next < all ? next : all;
            break;
        case reduce_max:
            all = next > all ? next : all;
            break;
        case reduce_and:
            all &= next;
            break;
        case reduce_or:
            all |= next;
            break;
        default:
            all ^= next;
            break;
        }
    }
    return all;
}

/* The arrived lanes whose value is the given one. */
static uint32_t lanes_with(const gw_cpu_block *block, const gw_cpu_meeting *m, unsigned int base,
                           uint64_t value) {
    uint32_t found = 0;
    for (uint32_t left = m->arrived; left; left &= left - 1)
        if (block->lanes[base + lowest(left)].value == value) found |= UINT32_C(1) << lowest(left);
    return found;
}

/* What all lanes of the meeting get. */
static uint64_t common_result(const gw_cpu_block *block, const gw_cpu_meeting *m, unsigned int base) {
    const uint32_t zero = lanes_with(block, m, base, 0), first = lowest(m->arrived);
    switch ((operation)m->what) {
    case sync_warp:
    case in_step:
        return 0;
    case vote_ballot:
        return m->arrived & ~zero;
    case vote_any:
        return zero != m->arrived;
    case vote_all:
        return zero == 0;
    case vote_uniform:
        return zero == 0 || zero == m->arrived;
    case match_all:
        return lanes_with(block, m, base, block->lanes[base + first].value) == m->arrived ? m->arrived : 0;
    case active_mask:
        return m->arrived;
    default:
        return reduced(block, m, base);
    }
}

/* Everybody has arrived: works out the results and lets the lanes go on. */
static void finish(gw_cpu_block *block, unsigned int warp, unsigned int number) {
    gw_cpu_warp_state *state = &block->warps[warp];
    const gw_cpu_meeting m = state->meetings[number];
    const unsigned int base = warp * lanes;
    state->meetings[number] = state->meetings[--state->count];
    if (m.what == sync_warp) gw_cpu_check_warp_met(block, base, m.arrived);
    if (m.what == in_step && block->steps_meet) gw_cpu_check_warp_met(block, base, UINT32_MAX);
    if (m.what >= shuffle_index && m.what <= shuffle_xor) {
        shuffle(block, &m, base);
    } else {
        const uint64_t result = m.what == match_any ? 0 : common_result(block, &m, base);
        for (uint32_t left = m.arrived; left; left &= left - 1) {
            gw_cpu_lane *lane = &block->lanes[base + lowest(left)];
            lane->result = m.what == match_any ? lanes_with(block, &m, base, lane->value) : result;
        }
    }
    block->ready[warp / 2] |= (uint64_t)m.arrived << warp % 2 * lanes;
}

static bool complete(const gw_cpu_block *block, const gw_cpu_meeting *m, unsigned int warp) {
    if (m->what == active_mask || m->what == in_step) return false;
    return (m->mask & lanes_of(block->live, warp) & ~m->arrived) == 0;
}

void gw_cpu_warp_thread_ended(gw_cpu_block *block, unsigned int thread) {
    const unsigned int warp = thread / lanes;
    for (unsigned int i = block->warps[warp].count; i-- > 0;)
        if (complete(block, &block->warps[warp].meetings[i], warp)) finish(block, warp, i);
    gw_cpu_warp_settle(block, thread);
}

void gw_cpu_warp_settle(gw_cpu_block *block, unsigned int thread) {
    const unsigned int warp = thread / lanes;
    const gw_cpu_warp_state *state = &block->warps[warp];
    if (state->count == 0 || lanes_of(block->ready, warp) != 0) return;
    unsigned int next = state->count;
    for (unsigned int i = 0; i < state->count; ++i) {
        const gw_cpu_meeting *m = &state->meetings[i];
        if (m->what == active_mask) {
            next = i;
            break;
        }
        if (m->what == in_step && (next == state->count || m->position < state->meetings[next].position))
            next = i;
    }
    if (next < state->count) finish(block, warp, next);
}

uint32_t gw_cpu_warp_missing(const gw_cpu_block *block, unsigned int thread, uint32_t *mask) {
    const gw_cpu_warp_state *state = &block->warps[thread / lanes];
    for (unsigned int i = 0; i < state->count; ++i)
        if (state->meetings[i].arrived >> thread % lanes & 1) {
            *mask = state->meetings[i].mask;
            return *mask & lanes_of(block->live, thread / lanes) & ~state->meetings[i].arrived;
        }
    return 0;
}

/* The place where lanes meet: one for each operation and mask, or, for __activemask, each place in the
   source, which stands for the mask that nobody knows yet. */
static unsigned int meeting_of(gw_cpu_warp_state *state, operation what, uint32_t mask, uint64_t position) {
    for (unsigned int i = 0; i < state->count; ++i)
        if (state->meetings[i].what == what && state->meetings[i].mask == mask &&
            state->meetings[i].position == position)
            return i;
    state->meetings[state->count] = (gw_cpu_meeting){mask, 0, what, position};
    return state->count++;
}

static void check_arguments(gw_cpu_block *block, operation what, uint32_t mask, unsigned int width,
                            gw_cpu_site site) {
    const unsigned int lane = block->running % lanes;
    if (!(mask >> lane & 1))
        gw_cpu_misuse(block, site, "the mask 0x%08x of %s lacks the calling lane %u", mask, names[what], lane);
    if (width == 0 || width > lanes || (width & (width - 1)) != 0)
        gw_cpu_misuse(block, site, "the width %u of %s is not a power of two up to 32", width, names[what]);
}

uint64_t gw_cpu_warp(unsigned int what, uint32_t mask, uint64_t value, unsigned int argument,
                     unsigned int width, const char *file, unsigned int line, unsigned int column) {
    gw_cpu_block *block = gw_cpu_block_current();
    const unsigned int self = block->running, warp = self / lanes;
    const gw_cpu_site site = {file, line, column};
    gw_cpu_lane *lane = &block->lanes[self];
    if (what == active_mask)
        mask = line * 4096u + column;
    else
        check_arguments(block, (operation)what, mask, width, site);
    *lane = (gw_cpu_lane){value, 0, argument, width};
    block->threads[self].site = site;
    gw_cpu_warp_state *state = &block->warps[warp];
    const unsigned int number = meeting_of(state, (operation)what, mask, 0);
    gw_cpu_meeting *meeting = &state->meetings[number];
    meeting->arrived |= UINT32_C(1) << self % lanes;
    if (complete(block, meeting, warp)) finish(block, warp, number);
    gw_cpu_block_wait(block, names[what], site);
    return lane->result;
}

/* At a volatile access (in_step.cpp): waits until no lane of the warp can run, and goes on with those that are
 * least far. All lanes stand still then; for the checks they have met only where GW_CPU_IN_STEP says so, since
 * on hardware they have not. */
void gw_cpu_in_step(uint64_t position) {
    gw_cpu_block *block = gw_cpu_block_current();
    const unsigned int self = block->running;
    gw_cpu_warp_state *state = &block->warps[self / lanes];
    const unsigned int number = meeting_of(state, in_step, 0, position);
    state->meetings[number].arrived |= UINT32_C(1) << self % lanes;
    gw_cpu_block_wait(block, names[in_step], (gw_cpu_site){"", 0, 0});
}
