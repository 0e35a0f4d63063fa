/*
 * emit/kernel/pack.c - what stands around a kernel whose adjoints are in records (pack.c): how many bytes the
 * records are, and the kernel that adds them to the arrays in the end, one thread a record.
 */
#include "rewriters/accumulate/accumulate.h"
#include "rewriters/emit/kernel/kernel_private.h"

#include <stdlib.h>

static const char *name_of(const gw_func *f, const gw_packed *p) {
    return gw_cstr(f->session, gw_object_at(f, p->object)->name);
}

/* "d_mean[i].x", "d_color[3 * i + 1]" */
static char *cell(const gw_func *f, const gw_packed *p, uint32_t at) {
    const gw_session *s = f->session;
    const gw_type_data *d = &s->types.at[gw_object_at(f, p->object)->type];
    if (d->kind == GW_TYPE_STRUCT)
        return gw_format("%s[i].%s", name_of(f, p), gw_cstr(s, s->fields.at[d->first + at].name));
    if (p->floats == 1) return gw_format("%s[i]", name_of(f, p));
    return at ? gw_format("%s[%u * i + %u]", name_of(f, p), p->floats, at)
              : gw_format("%s[%u * i]", name_of(f, p), p->floats);
}

void gw_emit_pack_bytes(gw_emitter *e, const gw_func *f, const char *tail) {
    char *name = gw_emit_at(f, gw_derived_part_name(f, GW_DERIVED_PACK_BYTES));
    gw_emit_line(e, "%ssize_t %s(size_t records)%s", gw_emit_linkage(f, true), name, tail);
    free(name);
}

void gw_emit_unpack(gw_emitter *e, const gw_func *f) {
    gw_session *s = f->session;
    gw_emit_params list = {0};
    const char *name = gw_cstr(s, gw_derived_part_name(f, GW_DERIVED_UNPACK)),
               *pack = gw_cstr(s, gw_object_at(f, f->pack)->name);
    for (uint32_t i = 0; i < f->packed.count; i++) {
        char *type = gw_format("%s *__restrict__", gw_type_c(s, gw_object_at(f, f->packed.at[i].object)->type));
        gw_emit_params_add(&list, s, type, name_of(f, &f->packed.at[i]));
        free(type);
    }
    gw_emit_params_add(&list, s, "const float *__restrict__", pack);
    gw_emit_params_add(&list, s, "size_t", "records");
    char *head = gw_format("%s__global__ void %s", f->is_internal ? "[[maybe_unused]] static " : "", name);
    gw_emit_line(e, "// Adds the records to the adjoints that they are made of.");
    gw_emit_call_text(e, head, list.texts.at, list.texts.count, " {");
    gw_emit_line(e, "    for (size_t i = gw_thread(); i < records; i += (size_t)gridDim.x * blockDim.x) {");
    gw_emit_line(e, "        const float *record = %s + %u * i;", pack, f->pack_stride);
    for (uint32_t i = 0; i < f->packed.count; i++)
        for (uint32_t k = 0; k < f->packed.at[i].floats; k++) {
            char *to = cell(f, &f->packed.at[i], k);
            gw_emit_line(e, "        %s += record[%u];", to, f->packed.at[i].first + k);
            free(to);
        }
    gw_emit_line(e, "    }");
    gw_emit_line(e, "}\n");
    free(head);
    gw_emit_params_free(&list);
    gw_emit_pack_bytes(e, f, " {");
    gw_emit_line(e, "    return gw_size_mul(records, %u * sizeof(float));", f->pack_stride);
    gw_emit_line(e, "}\n");
}

/* ---- the launch ---- */
static const char *pack_name(const gw_kernel *k) {
    return gw_cstr(k->e->session, gw_object_at(k->grad, k->grad->pack)->name);
}

static void add_params(gw_kernel *k, gw_emit_params *list) {
    gw_emitter *e = k->e;
    if (!gw_emit_tests_records(k->grad)) return;
    e->record_count = gw_emit_unique(e, "records");
    gw_emit_params_add(list, e->session, "size_t", gw_cstr(e->session, e->record_count));
}

static void clear(gw_kernel *k) {
    gw_emit_declare_status(k);
    gw_emit_line(k->e, "%s = gw_clear_records(\"%s\", %s, %s, %u, %s);", k->status, k->launch, pack_name(k),
                 k->records, k->grad->pack_stride, k->stream);
    gw_emit_leave_unless_good(k);
}

static void add_arguments(const gw_kernel *k, gw_emit_items *items) {
    if (gw_emit_tests_records(k->grad)) gw_push(items, gw_strdup(k->records));
}

static void unpack(gw_kernel *k, bool last) {
    const gw_func *f = k->grad;
    gw_emit_items items = {0};
    char *head = gw_emit_step(k, "gw_launch", last);
    gw_push(&items, gw_format("\"%s\"", k->launch));
    gw_push(&items, gw_strdup(gw_cstr(f->session, gw_derived_part_name(f, GW_DERIVED_UNPACK))));
    gw_push(&items, gw_format("gw_unpack_grid(%s)", k->records));
    gw_push(&items, gw_strdup("dim3(GW_UNPACK_BLOCK)"));
    gw_push(&items, gw_strdup("0"));
    gw_push(&items, gw_strdup(k->stream));
    for (uint32_t i = 0; i < f->packed.count; i++) gw_push(&items, gw_strdup(name_of(f, &f->packed.at[i])));
    gw_push(&items, gw_strdup(pack_name(k)));
    gw_push(&items, gw_strdup(k->records));
    gw_emit_call_text(k->e, head, items.at, items.count, ";");
    gw_emit_items_free(&items);
    free(head);
}

static uint32_t packs(const gw_kernel *k) { return k->grad->pack != 0; }

/* Nothing in the workspace: the caller gives them their memory, d_pack. Zeroed before; unpacked when all that
 * is summed is in them. The kernel is told how many there are where it tests that. */
const gw_emit_tenant gw_emit_tenant_records = {.count = packs,
                                               .params = add_params,
                                               .prepare = clear,
                                               .arguments = add_arguments,
                                               .behind = unpack,
                                               .turn = LAST};
