/*
 * template.h - a gold text with {a,b} groups, expanded to its variants.
 *
 * [000] lets a gold list a minimal set of acceptable columns in braces; every
 * non-empty choice of each group is one variant. The lexer of the dialect
 * decides what is text: braces, commas and semicolons inside literals, quoted
 * names and comments are never special. The definition is
 * definitions/gold.md#expansion, the idea of braces [000 braces].
 */
#ifndef ASSAY_SQL_TEMPLATE_H
#define ASSAY_SQL_TEMPLATE_H

#include "base/diag.h"
#include "sql/dialect.h"

typedef struct template_variants {
    const str *sql;  // in the order in which they are tried, equal ones once
    ptrdiff_t n;
} template_variants;

typedef struct template_options {
    dialect dialect;
    ptrdiff_t max;      // of variants, over all golds; 0: 4096
    bool keep_whole;    // golds come as a list: do not split at `;`
    bool as_reference;  // expand as Defog's program does, faults included
                        // (definitions/gold.md#expansion-by-defog)
} template_options;

// Expands all golds of a case. False with a message, positioned in the gold
// (file "gold"), when a template is wrong, has too many variants, or no gold
// holds a query. A variant without groups is a part of its gold, not a copy.
bool template_expand(template_variants *out,
                     arena *a,
                     const str *golds,
                     ptrdiff_t n_golds,
                     template_options options,
                     diag *d,
                     arena scratch);

// The same where nothing is said: none where a template is wrong.
template_variants template_queries(arena *a,
                                   const str *golds,
                                   ptrdiff_t n_golds,
                                   template_options options,
                                   arena scratch);

#endif  // ASSAY_SQL_TEMPLATE_H
