/*
 * type_value.h - which values a column takes, by its declared type and by the
 * system whose types count: type_value.def.
 *
 * SQLite keeps anything in any column. In the place of a system that has types
 * it may hold only what that system would take: a wrong yes makes a database
 * that nobody can have, a wrong no costs one candidate.
 */
#ifndef ASSAY_SAMPLE_TYPE_VALUE_H
#define ASSAY_SAMPLE_TYPE_VALUE_H

#include "schema/schema.h"
#include "table/value.h"

// The system whose types the columns have: the one in whose place SQLite keeps
// the rows, or the one that keeps them. SQLITE: they have none.
dialect type_system(const schema *s);

typedef enum type_form {
    FORM_NONE,
    FORM_UUID,
    FORM_JSON,
    FORM_INTERVAL,
    FORM_ADDRESS,
    FORM_ARRAY,
    FORM_BITS,
    FORM_WORDS,  // of a list that the type names
    FORM_OTHER,  // not known
} type_form;

// Which form do the texts of the type have? Of one that nobody here knows it is
// OTHER, by its name; of a column where it is not the system itself that keeps
// the rows.
type_form type_form_named(str type, dialect d);
type_form type_form_of(const schema_column *c, const schema *s);

// The i-th of the words of ENUM('a', 'b'), round and round.
str type_word(str type, int64_t i, arena *a);

// The numbers in the parentheses of a type; 0: there is none.
void type_sizes(str type, int64_t *first, int64_t *second);

// Below the first plain number of a type: 0 but for YEAR.
int64_t type_start(const schema_column *c, dialect d);

// Is the value of the kind of the column one of the type? What the type says of
// a length, of a size or of years counts: varchar(3), smallint, numeric(4,1).
bool type_holds(const schema_column *c, dialect d, value v);

bool type_is_time(str s);  // 10:00, 10:00:00.5

#endif  // ASSAY_SAMPLE_TYPE_VALUE_H
