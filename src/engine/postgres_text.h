/*
 * postgres_text.h - the text of a query as it is run on a scratch database.
 *
 * Two things are said otherwise there. Words that tell the time become that
 * time, so that the same query on the same rows is the same tomorrow; and the
 * names of schemas go: the scratch tables stand for those of the schema, and
 * no query may reach past them.
 */
#ifndef ASSAY_ENGINE_POSTGRES_TEXT_H
#define ASSAY_ENGINE_POSTGRES_TEXT_H

#include "schema/schema.h"

// In `a`. *reads_state: it asks for what is no row of the schema, the system's
// own tables and functions. False when it cannot be parsed and names a schema.
bool postgres_text_for_scratch(str *out,
                               str sql,
                               const schema *s,
                               int64_t clock_ms,
                               bool *reads_state,
                               arena *a,
                               arena scratch);

#endif  // ASSAY_ENGINE_POSTGRES_TEXT_H
