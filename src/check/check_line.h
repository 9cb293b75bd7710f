// check_line.h - a verdict of `assay check` as one line of JSON.
#ifndef ASSAY_CHECK_CHECK_LINE_H
#define ASSAY_CHECK_CHECK_LINE_H

#include "check/checker.h"

// The pair that the verdict is about; what is empty is left out.
typedef struct check_asked {
    str id;
    str left;
    str right;
    str label;  // what people say of it
} check_asked;

// {"id":...,"verdict":...}, with the line end. `with_times`: also ms.
void check_line_add(buf *out,
                    const check_asked *asked,
                    const check_verdict *v,
                    bool with_times,
                    arena scratch);

#endif  // ASSAY_CHECK_CHECK_LINE_H
