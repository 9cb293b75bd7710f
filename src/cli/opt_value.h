// opt_value.h - what the values of options must be, by the table
// opt_value.def.
#ifndef ASSAY_CLI_OPT_VALUE_H
#define ASSAY_CLI_OPT_VALUE_H

#include "cli/opt.h"

// The words that an option of a command takes, of a CHOICE its own; none: it
// takes other values.
str_list opt_value_words(arena *a, opt_id id, command c);

// What is wrong with one value, and what may be meant; empty: nothing.
str opt_value_problem(arena *a, opt_id id, command c, str value);

// Adds the words between the separators, without blanks around them; not empty
// ones.
void opt_value_split(str_list *list, arena *a, str words, char separator);

#endif  // ASSAY_CLI_OPT_VALUE_H
