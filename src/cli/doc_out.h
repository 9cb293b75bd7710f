// doc_out.h - documents (report/doc.h) as the options ask for them.
#ifndef ASSAY_CLI_DOC_OUT_H
#define ASSAY_CLI_DOC_OUT_H

#include "cli/cli.h"
#include "report/doc.h"

// Empty; as wide as the terminal, else `width`.
doc doc_out_new(const cli *c, arena *a, ptrdiff_t width);

// To a standard stream. False with a message.
bool doc_out_print(const cli *c, const doc *d, FILE *to);

#endif  // ASSAY_CLI_DOC_OUT_H
