// field_names.h - the option --field: what the user calls the fields of files.
#ifndef ASSAY_CLI_FIELD_NAMES_H
#define ASSAY_CLI_FIELD_NAMES_H

#include "cli/cli.h"
#include "read/field.h"

// Its values in c->a; false when one is wrong, with a message: wrong usage.
bool field_names_read(const cli *c, field_aliases *out);

#endif  // ASSAY_CLI_FIELD_NAMES_H
