/*
 * frontend/device/capture.c - graphs of work that a program captures from a stream, and launches.
 *
 * Between cudaStreamBeginCapture and cudaStreamEndCapture calls are recorded with the values that they have
 * there, and nothing runs; each launch of the graph runs them. So the recorded calls, and the loops and
 * branches around them, are copied to each launch and taken away where they stand: what comes behind knows no
 * graphs, and a graph that is launched k times is a loop. The values that they take were made in front of the
 * end of the capture, which stands in front of the launch.
 *
 * A graph that is made by hand (device/graph.c) is one that is captured from a stream of its name; what is not
 * added to it meanwhile runs where it stands.
 *
 * Sound, as all else is refused: what runs at once while a graph is captured, what depends on memory of the
 * host's that may be another by then, and streams of which it is not seen that they are captured. A graph that
 * comes to its launch by way of a loop, captured in the first iteration alone, may take nothing that is made in
 * that loop but from what comes from outside.
 *
 * What changes a node of what is launched (NODE_SET) names the op that stands in its place: in each launch that
 * it comes to for certain.
 */
#include "plugin/frontend/device/device.h"

#include "analysis/ir/device.h"
#include "analysis/ir/diagnostics.h"
#include "analysis/ir/restructure.h"

#include <stdlib.h>
#include <string.h>

typedef struct capture {
    gw_func *f;
    gw_op begin, end;
    GW_VEC(gw_value) captured; /* streams and events that are, so far: the first where it began */
    GW_VEC(gw_op) recorded;    /* that hold calls which are, in their order */
} capture;

static gw_device what_of(const gw_func *f, gw_op op) {
    const gw_op_data *o = gw_op_at(f, op);
    return o->code == GW_OP_DEVICE && !o->dead ? (gw_device)o->attr : GW_DEVICE_COUNT;
}

static bool refuse(const gw_func *f, gw_op op, const char *what, const char *way_out) {
    gw_diag(f->session, GW_DIAG_UNSUPPORTED, gw_op_at(f, op)->loc, what, way_out);
    return false;
}

static bool refuse_ends(const gw_func *f, gw_op op) {
    return refuse(f, op, "a capture that does not begin and end in one block of this function",
                  "begin and end it in one block, in front of the graph's launch");
}

/* ---- what is recorded ---- */

/* What waits in a stream; copies that were queued are COPY where an end may be memory that is not pinned. */
static const bool recorded[GW_DEVICE_COUNT] = {
    [GW_DEVICE_LAUNCH] = true,         [GW_DEVICE_RECORD] = true,  [GW_DEVICE_WAIT_EVENT] = true,
    [GW_DEVICE_COPY_QUEUED] = true,    [GW_DEVICE_COPY] = true,    [GW_DEVICE_SET_QUEUED] = true,
    [GW_DEVICE_COPY_2D_QUEUED] = true, [GW_DEVICE_COPY_2D] = true, [GW_DEVICE_SET_2D_QUEUED] = true,
    [GW_DEVICE_COPY_3D_QUEUED] = true, [GW_DEVICE_COPY_3D] = true, [GW_DEVICE_SET_3D_QUEUED] = true,
};

static uint32_t stream_operand(const gw_func *f, gw_op op) {
    const char *operands = gw_device_rows[what_of(f, op)].operands;
    return (uint32_t)(strchr(operands, 's') - operands);
}

static bool is_recorded(const gw_func *f, gw_op op) {
    const gw_device what = what_of(f, op);
    return what != GW_DEVICE_COUNT && recorded[what];
}

static bool holds_recorded(const gw_func *f, gw_op op) {
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        if (is_recorded(f, in)) return true;
    return false;
}

static bool is_captured(const capture *c, gw_value v) {
    for (uint32_t i = 0; i < c->captured.count; i++)
        if (c->captured.at[i] == v) return true;
    return false;
}

/* An event that is recorded in a captured stream is, and a stream that waits for such an event. */
static bool take_call(capture *c, gw_op op) {
    const gw_func *f = c->f;
    const gw_device what = what_of(f, op);
    const bool waits = what == GW_DEVICE_WAIT_EVENT, joins = waits && is_captured(c, gw_operand(f, op, 1));
    if (!joins && !is_captured(c, gw_operand(f, op, stream_operand(f, op))))
        return refuse(f, op,
                      "work, while a graph is captured, in a stream that is not seen to be captured,",
                      "put it in the stream that is captured, or in one that waits for an event of that one");
    if (joins) gw_push(&c->captured, gw_operand(f, op, 0));
    if (what == GW_DEVICE_RECORD) gw_push(&c->captured, gw_operand(f, op, 0));
    return true;
}

/* Whether what a load reads may be another where the graph is launched. */
static bool may_change(const capture *c, gw_object o) {
    const gw_func *f = c->f;
    bool behind = gw_loop_around(f, c->begin) != 0;
    for (gw_op op = gw_first(f, f->entry); op; op = gw_walk(f, op, f->entry)) {
        behind |= op == c->begin;
        if (behind && gw_op_rows[gw_op_at(f, op)->code].effect != GW_EFFECT_READ &&
            gw_op_at(f, op)->object == o && gw_op_at(f, op)->code != GW_OP_DECLARE)
            return true;
    }
    return false;
}

/* An op beside the recorded ones in a loop or branch that is copied. */
static bool take_other(const capture *c, gw_op op) {
    const gw_func *f = c->f;
    const gw_op_data *o = gw_op_at(f, op);
    const uint8_t effect = (uint8_t)gw_op_rows[o->code].effect;
    if (o->regions || effect == GW_EFFECT_PURE || effect == GW_EFFECT_CONTROL) return true;
    if (effect == GW_EFFECT_READ && !may_change(c, o->object)) return true;
    return refuse(f, op, "what the host does to its variables in a loop or branch that is captured in a graph",
                  "capture straight launches, or do that work in front of the capture");
}

static bool take(capture *c, gw_op op, bool copied) {
    const gw_func *f = c->f;
    const gw_device what = what_of(f, op);
    if (is_recorded(f, op)) return take_call(c, op);
    if (what != GW_DEVICE_COUNT) {
        if (gw_device_rows[what].asks || what == GW_DEVICE_STATUS || what == GW_DEVICE_STOP) return true;
        return refuse(f, op, "this call while a graph is captured",
                      "capture launches, asynchronous copies and fills between arrays, and events alone");
    }
    if (copied && !take_other(c, op)) return false;
    for (uint32_t i = 0; i < gw_op_at(f, op)->regions; i++) {
        const uint32_t before = c->captured.count; /* what an arm joins is not joined behind it for certain */
        const gw_region r = gw_op_at(f, op)->region[i];
        for (gw_op in = gw_first(f, r); in; in = gw_next(f, in))
            if (!take(c, in, copied)) return false;
        c->captured.count = before;
    }
    return true;
}

/* The graph is made by hand: work that is not its own runs at once. */
static bool is_beside(const capture *c, gw_op op) {
    const gw_func *f = c->f;
    if (what_of(f, gw_value_at(f, c->captured.at[0])->op) != GW_DEVICE_GRAPH_MADE) return false;
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        if (is_recorded(f, in) && gw_operand(f, in, stream_operand(f, in)) == c->captured.at[0]) return false;
    return true;
}

/* From the begin to the end, which may stand deeper: behind calls on whose failure the program ends. */
static bool take_all(capture *c) {
    gw_func *f = c->f;
    for (gw_op op = gw_next(f, c->begin); op != c->end;) {
        if (gw_holder(f, c->end, gw_op_at(f, op)->parent) == op) {
            const gw_op_data *o = gw_op_at(f, op);
            if (o->code != GW_OP_IF) return refuse_ends(f, c->begin);
            const bool first = gw_region_inside(f, gw_op_at(f, c->end)->parent, o->region[0]);
            op = gw_first(f, o->region[first ? 0 : 1]);
            continue;
        }
        const bool copied = holds_recorded(f, op), beside = is_beside(c, op);
        if (!beside && !take(c, op, copied)) return false;
        if (!beside && copied) gw_push(&c->recorded, op);
        op = gw_next(f, op);
    }
    return true;
}

/* A graph that is made by hand ends in its own name. */
static bool may_end(const gw_func *f, gw_op begin, gw_op end) {
    const gw_value from = gw_operand(f, begin, 0), to = gw_operand(f, end, 0);
    const bool by_hand = what_of(f, gw_value_at(f, from)->op) == GW_DEVICE_GRAPH_MADE ||
                         what_of(f, gw_value_at(f, to)->op) == GW_DEVICE_GRAPH_MADE;
    return !by_hand || from == to;
}

/* The begin that stands last in front of the end, in a block around it; 0: none does. */
static gw_op begin_of(const gw_func *f, gw_op end) {
    gw_op found = 0;
    for (gw_op op = gw_first(f, f->entry); op && op != end; op = gw_walk(f, op, f->entry))
        if (what_of(f, op) == GW_DEVICE_CAPTURE && gw_holder(f, end, gw_op_at(f, op)->parent) &&
            may_end(f, op, end))
            found = op;
    return found;
}

/* ---- which capture a graph is ---- */

typedef struct origin {
    const gw_func *f;
    gw_op end, loop; /* the capture's; the outermost loop by way of which it comes; 0: none */
    bool torn;       /* it may be several, or something else */
    GW_VEC(gw_value) seen;
} origin;

static bool passes_on(const gw_func *f, gw_op op) {
    const gw_device what = what_of(f, op);
    return gw_op_at(f, op)->code == GW_OP_CAST || what == GW_DEVICE_INSTANTIATE || what == GW_DEVICE_NODE_SET;
}

static void come_from(origin *o, gw_value v);

static void come_by_loop(origin *o, gw_op loop, uint32_t i) {
    if (!o->loop || gw_holder(o->f, o->loop, gw_op_at(o->f, loop)->parent) == loop) o->loop = loop;
    come_from(o, gw_loop_init(o->f, loop, i));
    come_from(o, gw_loop_next(o->f, loop, i));
}

static void come_from(origin *o, gw_value v) {
    const gw_func *f = o->f;
    const gw_value_data d = *gw_value_at(f, v);
    const gw_op op = d.op ? d.op : gw_region_at(f, d.region)->parent;
    int64_t null;
    for (uint32_t i = 0; i < o->seen.count; i++)
        if (o->seen.at[i] == v) return;
    gw_push(&o->seen, v);
    if (gw_const_int(f, v, &null)) return; /* none yet */
    if (op && gw_is_loop(f, op) && (d.op || d.index >= gw_loop_first_arg(f, op))) {
        come_by_loop(o, op, d.op ? d.index : d.index - gw_loop_first_arg(f, op));
    } else if (d.op && gw_op_at(f, op)->code == GW_OP_IF) {
        for (uint32_t side = 0; side < 2; side++)
            come_from(o, gw_arm_value(f, op, side, d.index));
    } else if (d.op && gw_op_at(f, op)->code == GW_OP_SELECT) { /* by a null pointer */
        come_from(o, gw_operand(f, op, 1));
        come_from(o, gw_operand(f, op, 2));
    } else if (d.op && passes_on(f, op)) {
        come_from(o, gw_operand(f, op, 0));
    } else if (d.op && what_of(f, op) == GW_DEVICE_CAPTURED) {
        o->torn |= o->end && o->end != op;
        o->end = op;
    } else {
        o->torn = true;
    }
}

/* ---- changed nodes ---- */

typedef struct change {
    gw_op node, now; /* the op that was added, and what stands in its place */
} change;
typedef GW_VEC(change) changes;

static bool is_changed(const changes *c, gw_op node) {
    for (uint32_t i = 0; i < c->count; i++)
        if (c->at[i].node == node) return true;
    return false;
}

/* The node that a NODE_SET changes; 0: it is not known. */
static gw_op node_of(const gw_func *f, gw_op set) {
    int64_t node = 0;
    return gw_const_int(f, gw_operand(f, set, 1), &node) ? (gw_op)node : 0;
}

static bool refuse_change(const gw_func *f, gw_op set) {
    return refuse(f, set, "a node of a graph that is changed on some ways to its launch alone, or not known,",
                  "set it in front of each launch, in one block with that, or make a graph for each");
}

/* The changes on the way from what is launched back, the last one of each node. */
static bool find_changes(const gw_func *f, gw_value launched, const origin *from, changes *out) {
    gw_op op = gw_value_at(f, launched)->op;
    for (; op && passes_on(f, op); op = gw_value_at(f, gw_operand(f, op, 0))->op) {
        if (what_of(f, op) != GW_DEVICE_NODE_SET) continue;
        int64_t now = 0;
        gw_const_int(f, gw_operand(f, op, 2), &now);
        if (!node_of(f, op)) return refuse_change(f, op);
        if (!is_changed(out, node_of(f, op))) gw_push(out, ((change){node_of(f, op), (gw_op)now}));
    }
    for (uint32_t i = 0; i < from->seen.count; i++) {
        const gw_op set = gw_value_at(f, from->seen.at[i])->op;
        if (set && what_of(f, set) == GW_DEVICE_NODE_SET && !is_changed(out, node_of(f, set)))
            return refuse_change(f, set);
    }
    return true;
}

/* ---- launches ---- */

static bool is_inside(const gw_func *f, gw_value v, gw_op op) {
    for (uint32_t i = 0; op && i < gw_op_at(f, op)->regions; i++)
        if (gw_region_inside(f, gw_value_region(f, v), gw_op_at(f, op)->region[i])) return true;
    return false;
}

/* The value is the one that the capture had, where the builder is; pure ones are made again there. */
static bool is_there(gw_cloner *c, gw_value v, gw_op loop) {
    gw_func *f = c->to->f;
    if (gw_map_get(&c->values, v)) return true;
    if (gw_value_visible(f, v, c->to->region) && !is_inside(f, v, loop)) return true;
    const gw_op op = gw_value_at(f, v)->op;
    if (!op || gw_op_at(f, op)->regions || gw_op_rows[gw_op_at(f, op)->code].effect != GW_EFFECT_PURE)
        return false;
    for (uint32_t i = 0; i < gw_op_at(f, op)->operands; i++)
        if (!is_there(c, gw_operand(f, op, i), loop)) return false;
    gw_clone_op(c, op);
    return true;
}

static bool copy(gw_cloner *c, gw_op op, const origin *from) {
    const gw_func *f = c->to->f;
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        for (uint32_t i = 0; i < gw_op_at(f, in)->operands; i++) {
            const gw_value v = gw_operand(f, in, i);
            if (is_inside(f, v, op) || is_there(c, v, from->loop)) continue;
            return refuse(f, in, "what a graph was captured with, which changes in the loop that launches it,",
                          "capture it in front of the loop, or in each iteration");
        }
    gw_clone_op(c, op);
    return true;
}

/* In the stream that the launch names. */
static bool move_streams(const capture *c, gw_cloner *to, gw_op launch) {
    const gw_value from = c->captured.at[0], now = gw_operand(c->f, launch, 1);
    if (from == now) return true;
    for (uint32_t i = 0; i < c->recorded.count; i++)
        for (gw_op in = c->recorded.at[i]; in; in = gw_walk_op(c->f, in, c->recorded.at[i]))
            if (is_recorded(c->f, in) && gw_operand(c->f, in, stream_operand(c->f, in)) != from)
                return refuse(c->f, launch, "a launch of a graph of several streams in another one",
                              "launch it in the stream that it was captured from");
    gw_map_set(&to->values, from, now);
    return true;
}

/* The op that stands there in place of a node, in the stream of the launch. */
static bool put_changed(gw_cloner *to, const change *c, gw_op launch) {
    gw_func *f = to->to->f;
    const gw_op made = gw_clone_op(to, c->now);
    gw_set_operand(f, made, stream_operand(f, made), gw_operand(f, launch, 1));
    return true;
}

static bool copy_all(const capture *c, gw_cloner *to, const origin *from, const changes *by, gw_op launch) {
    uint32_t put = 0;
    for (uint32_t i = 0; i < c->recorded.count; i++) {
        uint32_t k = 0;
        while (k < by->count && by->at[k].node != c->recorded.at[i])
            k++;
        if (k == by->count && !copy(to, c->recorded.at[i], from)) return false;
        if (k < by->count) put += put_changed(to, &by->at[k], launch);
    }
    return put == by->count ||
           refuse(c->f, launch, "a launch of a graph with a changed node that is added in a loop or branch",
                  "add it in the block that makes the graph");
}

static bool launch(const capture *c, const origin *from, gw_op op) {
    gw_func *f = c->f;
    gw_builder b = {f, gw_op_at(f, op)->parent, op, gw_op_at(f, op)->loc};
    gw_cloner to = {.from = f, .to = &b};
    changes by = {0};
    const bool good = find_changes(f, gw_operand(f, op, 0), from, &by) && move_streams(c, &to, op) &&
                      copy_all(c, &to, from, &by, op);
    if (good) {
        const gw_op said = gw_emit(&b, GW_OP_DEVICE, GW_T_I32, 1, NULL, 0);
        gw_op_at(f, said)->attr = GW_DEVICE_STATUS;
        gw_replace_uses(f, gw_result(f, op, 0), gw_result(f, said, 0));
    }
    gw_vec_free(&by);
    gw_map_free(&to.values);
    gw_map_free(&to.objects);
    return good;
}

/* ---- a function ---- */

static bool is_ended(gw_func *f, const capture *captures, uint32_t count, gw_op begin) {
    for (uint32_t i = 0; i < count; i++)
        if (captures[i].begin == begin) return true;
    return refuse_ends(f, begin);
}

static bool replace_launch(gw_func *f, const capture *captures, uint32_t count, gw_op op) {
    origin from = {.f = f};
    come_from(&from, gw_operand(f, op, 0));
    for (uint32_t i = 0; i < count && !from.torn; i++) {
        if (captures[i].end != from.end) continue;
        const bool good = launch(&captures[i], &from, op);
        gw_vec_free(&from.seen);
        return good;
    }
    gw_vec_free(&from.seen);
    return refuse(f, op, "a launch of a graph that this function does not capture, or of one of several",
                  "capture it from a stream in this function, by one cudaStreamBeginCapture");
}

/* What does nothing where it stands; what it says is that nothing failed. */
static void drop(gw_func *f, gw_op op) {
    const gw_op_data o = *gw_op_at(f, op);
    gw_builder b = {f, o.parent, op, o.loc};
    for (uint32_t i = 0; i < o.results; i++) {
        const gw_value v = gw_result(f, op, i);
        gw_replace_uses(f, v, gw_int(&b, gw_typeof(f, v), 0));
    }
    gw_op_remove(f, op);
}

/* The graph that is made by hand from which the value comes, maybe by a choice; 0: none. */
static gw_value made_by_hand(const gw_func *f, origin *from, gw_value v) {
    gw_value found = 0;
    come_from(from, v);
    for (uint32_t i = 0; i < from->seen.count && !found; i++) {
        const gw_op op = gw_value_at(f, from->seen.at[i])->op;
        if (op && what_of(f, op) == GW_DEVICE_GRAPH_MADE) found = from->seen.at[i];
    }
    gw_vec_free(&from->seen);
    return found;
}

/* A node of such a graph is left, which was not recorded: it would run at once. */
static bool check_made(const gw_func *f) {
    for (gw_op op = 1; op < f->ops.count; op++) {
        origin from = {.f = f};
        if (!is_recorded(f, op) || !made_by_hand(f, &from, gw_operand(f, op, stream_operand(f, op)))) continue;
        return refuse(f, op,
                      "a node that is added behind where its graph is instantiated, or to one of several,",
                      "add all nodes to one graph in front of one cudaGraphInstantiate, or capture a stream");
    }
    return true;
}

/* The capture of a graph that is made by hand ends where that is instantiated. */
static void end_made(gw_func *f) {
    const uint32_t ops = f->ops.count;
    for (gw_op op = 1; op < ops; op++) {
        origin from = {.f = f};
        const bool is = what_of(f, op) == GW_DEVICE_INSTANTIATE;
        const gw_value graph = is ? made_by_hand(f, &from, gw_operand(f, op, 0)) : 0;
        if (!graph || from.end || from.loop || gw_operand(f, op, 0) != graph) continue;
        gw_builder b = {f, gw_op_at(f, op)->parent, op, gw_op_at(f, op)->loc};
        const gw_op end = gw_emit(&b, GW_OP_DEVICE, GW_T_VOID, 0, &graph, 1);
        gw_op_at(f, end)->attr = GW_DEVICE_CAPTURED;
        gw_set_operand(f, op, 0, gw_op_add_result(f, end, GW_T_ADDRESS, 0));
        gw_op_add_result(f, end, GW_T_I32, 0);
    }
}

static void drop_recorded(gw_func *f, gw_op op) {
    GW_VEC(gw_op) calls = {0};
    for (gw_op in = op; in; in = gw_walk_op(f, in, op))
        if (is_recorded(f, in)) gw_push(&calls, in);
    for (uint32_t i = 0; i < calls.count; i++)
        drop(f, calls.at[i]);
    gw_vec_free(&calls);
}

/* What stands in the place of nodes does so in launches. */
static void drop_changed(gw_func *f, uint32_t ops) {
    for (gw_op op = 1; op < ops; op++) {
        int64_t now;
        if (what_of(f, op) == GW_DEVICE_NODE_SET && gw_const_int(f, gw_operand(f, op, 2), &now))
            drop(f, (gw_op)now);
    }
}

static bool find(gw_func *f, gw_op end, capture *c) {
    *c = (capture){.f = f, .begin = begin_of(f, end), .end = end};
    if (!c->begin) return refuse_ends(f, end);
    gw_push(&c->captured, gw_operand(f, c->begin, 0));
    return take_all(c);
}

bool gw_front_graphs(gw_func *f) {
    GW_VEC(capture) captures = {0};
    bool good = true;
    end_made(f);
    const uint32_t ops = f->ops.count;
    for (gw_op op = 1; op < ops && good; op++) {
        if (what_of(f, op) != GW_DEVICE_CAPTURED) continue;
        capture one;
        good = find(f, op, &one);
        gw_push(&captures, one);
    }
    for (gw_op op = 1; op < ops && good; op++) {
        if (what_of(f, op) == GW_DEVICE_CAPTURE) good = is_ended(f, captures.at, captures.count, op);
        if (what_of(f, op) == GW_DEVICE_GRAPH) good = replace_launch(f, captures.at, captures.count, op);
    }
    for (uint32_t i = 0; i < captures.count && good; i++)
        for (uint32_t k = 0; k < captures.at[i].recorded.count; k++)
            drop_recorded(f, captures.at[i].recorded.at[k]);
    drop_changed(f, ops);
    if (good) good = check_made(f);
    for (gw_op op = 1; op < ops && good; op++) {
        const gw_device what = what_of(f, op);
        if (what == GW_DEVICE_CAPTURE || what == GW_DEVICE_CAPTURED || what == GW_DEVICE_INSTANTIATE ||
            what == GW_DEVICE_GRAPH || what == GW_DEVICE_GRAPH_MADE || what == GW_DEVICE_NODE_SET)
            drop(f, op);
    }
    for (uint32_t i = 0; i < captures.count; i++) {
        gw_vec_free(&captures.at[i].captured);
        gw_vec_free(&captures.at[i].recorded);
    }
    gw_vec_free(&captures);
    return good;
}
