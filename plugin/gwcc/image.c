/* The table of a device image: which kernel thunks and variables the device object defines.
 *
 * It is a C source that the driver compiles and joins with the object; see
 * runtime/cpu_device/image.h for what it calls. */
#include "plugin/gwcc/gwcc_private.h"
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char thunk_prefix[] = "gw_cpu_thunk.";

typedef struct object_file {
    const char *bytes;
    size_t size;
    const Elf64_Shdr *sections;
    size_t section_count;
} object_file;

static bool open_object(object_file *object, const char *bytes, size_t size) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)bytes;
    if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_shentsize != sizeof(Elf64_Shdr) ||
        header->e_shoff > size)
        return false;
    *object = (object_file){bytes, size, (const Elf64_Shdr *)(const void *)(bytes + header->e_shoff),
                            header->e_shnum};
    if (object->section_count == 0 && size - header->e_shoff >= sizeof(Elf64_Shdr))
        object->section_count = object->sections[0].sh_size; /* more than 65,279 sections */
    return object->section_count <= (size - header->e_shoff) / sizeof(Elf64_Shdr);
}

static const Elf64_Shdr *symbol_section(const object_file *object) {
    for (size_t i = 0; i < object->section_count; ++i) {
        const Elf64_Shdr *s = &object->sections[i];
        if (s->sh_type == SHT_SYMTAB && s->sh_offset <= object->size &&
            s->sh_size <= object->size - s->sh_offset && s->sh_link < object->section_count)
            return s;
    }
    return NULL;
}

/* The name by which the runtime looks the symbol up, or null if it is none of its business. A thunk's symbol is
   the prefix, the sizes of the kernel's parameters ("8_4", or nothing), a dot, and that name. */
static const char *entry_name(const Elf64_Sym *symbol, const char *name, const char **sizes) {
    const unsigned int type = ELF64_ST_TYPE(symbol->st_info);
    if (symbol->st_shndx == SHN_UNDEF || ELF64_ST_BIND(symbol->st_info) == STB_LOCAL) return NULL;
    *sizes = NULL;
    if (type == STT_FUNC && gwcc_starts(name, thunk_prefix)) {
        const char *first = name + sizeof thunk_prefix - 1, *dot = strchr(first, '.');
        *sizes = dot ? gwcc_text("%.*s", (int)(dot - first), first) : NULL;
        return dot ? dot + 1 : NULL;
    }
    return type == STT_OBJECT && !gwcc_starts(name, "_ZT") ? name : NULL;
}

static size_t write_entries(FILE *out, const object_file *object, const Elf64_Shdr *section,
                            bool declarations) {
    const Elf64_Sym *symbols = (const Elf64_Sym *)(const void *)(object->bytes + section->sh_offset);
    const Elf64_Shdr *strings = &object->sections[section->sh_link];
    const size_t count = section->sh_size / sizeof *symbols;
    size_t written = 0;
    for (size_t i = 0; i < count; ++i) {
        if (symbols[i].st_name >= strings->sh_size) continue;
        const char *symbol = object->bytes + strings->sh_offset + symbols[i].st_name;
        const char *sizes, *name = entry_name(&symbols[i], symbol, &sizes);
        if (!name) continue;
        if (declarations)
            fprintf(out, "extern char e%zu[] __asm__(\"%s\");\n", i, symbol);
        else
            fprintf(out, sizes ? "  {\"%s\", e%zu, \"%s\"},\n" : "  {\"%s\", e%zu, 0},\n", name, i, sizes);
        ++written;
    }
    return written;
}

static bool write_table(FILE *out, const object_file *object, const char *id, bool *any) {
    const Elf64_Shdr *section = symbol_section(object);
    *any = false;
    if (!section) return true;
    *any = write_entries(out, object, section, true) != 0;
    fputs("static const struct { const char *name; void *address; const char *sizes; } entries[] = {\n", out);
    write_entries(out, object, section, false);
    fprintf(out,
            "  {0, 0, 0}};\n"
            "extern void gw_cpu_image_register(const char *, const void *, unsigned long);\n"
            "extern void gw_cpu_image_unregister(const char *);\n"
            "static const char id[] = \"%s\";\n"
            "__attribute__((constructor(101))) static void add(void) {\n"
            "  gw_cpu_image_register(id, entries, sizeof entries / sizeof entries[0] - 1);\n}\n"
            "__attribute__((destructor(101))) static void drop(void) {\n"
            "  gw_cpu_image_unregister(id);\n}\n",
            id);
    return true;
}

bool gwcc_image_write_table(const char *object, const char *id, const char *table, bool *any) {
    size_t size = 0;
    char *bytes = gwcc_read_file(object, &size);
    if (!bytes) return false;
    object_file file;
    FILE *out = fopen(table, "w");
    bool good = out && open_object(&file, bytes, size) && write_table(out, &file, id, any);
    if (out && fclose(out) != 0) good = false;
    free(bytes);
    return good || gwcc_error("cannot make the kernel table of '%s'", object);
}
