/*
 * emit/program/site.c - what a program's run is told for people: which call of the source comes next (figures
 * and errors name it), and what the source calls a buffer.
 */
#include "analysis/ir/device.h"
#include "rewriters/emit/program/program_private.h"

/* What such a call is called; a launch by its kernel. NULL: nothing is told of it. */
static const char *const calls[GW_DEVICE_COUNT] = {
    [GW_DEVICE_ALLOC] = "an allocation",
    [GW_DEVICE_ALLOC_MANAGED] = "an allocation",
    [GW_DEVICE_ALLOC_PINNED] = "an allocation",
    [GW_DEVICE_FREE] = "a release",
    [GW_DEVICE_COPY] = "a copy",
    [GW_DEVICE_COPY_QUEUED] = "a copy",
    [GW_DEVICE_SET] = "a fill",
    [GW_DEVICE_SET_QUEUED] = "a fill",
    [GW_DEVICE_COPY_2D] = "a copy",
    [GW_DEVICE_COPY_2D_QUEUED] = "a copy",
    [GW_DEVICE_SET_2D] = "a fill",
    [GW_DEVICE_SET_2D_QUEUED] = "a fill",
    [GW_DEVICE_COPY_3D] = "a copy",
    [GW_DEVICE_COPY_3D_QUEUED] = "a copy",
    [GW_DEVICE_SET_3D] = "a fill",
    [GW_DEVICE_SET_3D_QUEUED] = "a fill",
    [GW_DEVICE_SEND] = "a copy from the host's values",
    [GW_DEVICE_FETCH] = "a copy to the host's values",
    [GW_DEVICE_SYNC] = "a wait",
    [GW_DEVICE_SYNC_EVENT] = "a wait",
    [GW_DEVICE_SYNC_STREAM] = "a wait",
};

static const char *name_of(const gw_emitter *e, const gw_op_data *o) {
    if (o->attr != GW_DEVICE_LAUNCH) return calls[o->attr];
    const gw_func *kernel = gw_func_find(e->session, o->callee);
    return kernel ? gw_kernel_shown(kernel) : NULL;
}

void gw_emit_site(gw_emitter *e, gw_op op) {
    const gw_op_data *o = gw_op_at(e->f, op);
    const bool back = o->flags & GW_OP_BACK;
    if (back && gw_device_rows[o->attr].results[0] == 'a') return; /* it only gives back */
    const char *name = name_of(e, o);
    if (!name) return;
    gw_emit_line(e, "gw_program_%s(%s, \"%s at %s:%u\");", back ? "uncall" : "call",
                 gw_cstr(e->session, e->program), name, gw_emit_file_name(e->session, o->loc.file),
                 o->loc.line);
}

void gw_emit_buffer_name(gw_emitter *e, gw_value address, const char *text) {
    const gw_str name = gw_value_at(e->f, address)->name;
    if (name)
        gw_emit_line(e, "gw_program_named(%s, %s, \"%s\");", gw_cstr(e->session, e->program), text,
                     gw_cstr(e->session, name));
}
