// fact_refer.h - which column a column's name says that it refers to; for
// fact_mine.c.
#ifndef ASSAY_FACTS_FACT_REFER_H
#define ASSAY_FACTS_FACT_REFER_H

#include "schema/schema.h"

// singer_id, SingerID, singer and favourite_singer are called after the table
// singers; so is singer_id after a column of that name. Names that any table
// may have (id, name, code) refer to nothing. The column of `parent` that is
// meant: its key, or where it declares none the one that is called like one;
// -1: none is.
int32_t fact_named_target(const schema *s,
                          int32_t child,
                          int32_t column,
                          int32_t parent);

#endif  // ASSAY_FACTS_FACT_REFER_H
