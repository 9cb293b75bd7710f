// read_yaml_absent.c - YAML in a build without libyaml.
#include "read/reader.h"

static bool yaml_open(dataset *set, arena *a, diag *d, arena scratch)
{
    (void)a;
    (void)scratch;
    return diag_add(d, (diag_place){.file = set->file.path},
                    "this build of assay reads no YAML (it was built without "
                    "libyaml); write the file as JSON");
}

static record yaml_record(const dataset *set, ptrdiff_t i, arena *a)
{
    (void)set;
    (void)i;
    (void)a;
    return (record){0};
}

const reader reader_yaml = {yaml_open, yaml_record, NULL};
