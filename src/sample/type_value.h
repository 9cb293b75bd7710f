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
// OTHER, by its name.
type_form type_form_named(str type, dialect d);

// What a declared type says of its values: varchar(3), smallint, numeric(4,1).
typedef struct column_type {
    schema_kind kind;
    type_form form;  // never OTHER where the system itself keeps the rows
    double least;    // of numbers
    double most;
    double scale;     // 10 to the power of the decimals; 0: any digits
    double below;     // what they are less than, with a scale
    int64_t letters;  // of a text at most; 0: any
    bool is_filled;   // it has no fewer
    int64_t seconds;  // digits of one that are kept; -1: no seconds
    bool has_years;   // of a date or a moment: only these
    int first_year;
    int last_year;
} column_type;

column_type type_read(const schema_column *c, const schema *s);

// Of all columns, table by table.
const column_type *types_read(arena *a, const schema *s);

// The i-th of the words of ENUM('a', 'b'), round and round.
str type_word(str type, int64_t i, arena *a);

// The numbers in the parentheses of a type; 0: there is none.
void type_sizes(str type, int64_t *first, int64_t *second);

// Below the first plain number of a type: 0 but for YEAR.
int64_t type_start(const column_type *t);

// Is the value of the kind of the column one of the type?
bool type_holds(const column_type *t, value v);

bool type_is_time(str s);  // 10:00, 10:00:00.5

#endif  // ASSAY_SAMPLE_TYPE_VALUE_H
