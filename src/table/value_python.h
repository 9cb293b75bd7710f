// value_python.h - a value as Python's str() writes what the driver returns.
// The evaluators that we reproduce sort by such texts.
#ifndef ASSAY_TABLE_VALUE_PYTHON_H
#define ASSAY_TABLE_VALUE_PYTHON_H

#include "table/value_key.h"

// "None", "12", "1.0", "1e+16", "True", the text itself, "b'\\x00'".
void value_add_python(buf *b, value v);

// "NoneType", "int", "float", "str", ...
str value_python_type(value v);

// Equal for values of one type and one text; unlike value_key it tells 1 from
// 1.0 and 0.0 from -0.0.
hash128 value_python_key(value v);

#endif  // ASSAY_TABLE_VALUE_PYTHON_H
