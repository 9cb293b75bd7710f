// value_python.h - a value as Python's str() writes what the driver returns.
// The evaluators that we reproduce sort by such texts.
#ifndef ASSAY_TABLE_VALUE_PYTHON_H
#define ASSAY_TABLE_VALUE_PYTHON_H

#include "table/value.h"

// "None", "12", "1.0", "1e+16", "True", the text itself, "b'\\x00'".
void value_add_python(buf *b, value v);

// "NoneType", "int", "float", "str", ...
str value_python_type(value v);

#endif  // ASSAY_TABLE_VALUE_PYTHON_H
