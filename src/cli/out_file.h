/*
 * out_file.h - where the result of a command goes: a file that gets its name
 * when it is whole, or standard output.
 *
 * Order of    out_file_open()
 * calls         out_file_write(), or write to its `file`
 *             out_file_end()
 */
#ifndef ASSAY_CLI_OUT_FILE_H
#define ASSAY_CLI_OUT_FILE_H

#include "base/file_atomic.h"
#include "cli/cli.h"

typedef struct out_file {
    const cli *c;
    FILE *file;
    str path;          // empty: standard output
    file_atomic part;  // no file in it: likewise
    int error;         // errno of the first write that failed
} out_file;

// Nothing, or "-", is standard output. False with a message.
bool out_file_open(out_file *o, const cli *c, str path);

// As cli_write().
bool out_file_write(out_file *o, str text);

// The file gets its name; where it is not all there, with a message, or not
// `ok`, what stood under the name before stays. Is all well? Does nothing where
// nothing was opened.
bool out_file_end(out_file *o, bool ok);

// All at once.
bool out_file_put(const cli *c, str path, str text);

#endif  // ASSAY_CLI_OUT_FILE_H
