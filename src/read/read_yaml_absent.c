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

const reader reader_yaml = {yaml_open, reader_json_value};
