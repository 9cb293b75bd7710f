/*
 * used_types.h - columns of a type that the dialect of the queries does not
 * have, as the queries take them.
 *
 * A STRING is no type of PostgreSQL's: such tables are another system's, which
 * converts it where it stands beside a day. What two queries compare with days,
 * or cast to days, is then a column of days, and the verdict says that this was
 * assumed.
 */
#ifndef ASSAY_CHECK_USED_TYPES_H
#define ASSAY_CHECK_USED_TYPES_H

#include "schema/bind.h"

// NULL: there is no such column. Each binding may be NULL.
const schema *used_types(arena *a,
                         const schema *s,
                         const binding *const *queries,
                         int n);

#endif  // ASSAY_CHECK_USED_TYPES_H
