// unnamed_file.h - files without a name, for what one step of a command writes
// and another reads: predictions that assay makes up itself.
#ifndef ASSAY_CLI_UNNAMED_FILE_H
#define ASSAY_CLI_UNNAMED_FILE_H

#include "base/diag.h"

#include <stdio.h>

// The file is there for this process and its children, until it is closed;
// `path` names it. NULL with a message.
FILE *unnamed_file_new(str *path, arena *a, diag *d);

// Adds the prediction of the next case; without an id it is paired by position.
void unnamed_file_add_pred(FILE *file, str id, str sql, arena scratch);

// All that was added can be read. False with a message.
bool unnamed_file_end(FILE *file, diag *d);

#endif  // ASSAY_CLI_UNNAMED_FILE_H
