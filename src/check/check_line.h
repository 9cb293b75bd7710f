// check_line.h - a verdict of `assay check` as one line of JSON.
#ifndef ASSAY_CHECK_CHECK_LINE_H
#define ASSAY_CHECK_CHECK_LINE_H

#include "check/checker.h"

// {"id":...,"verdict":...}, with the line end. `with_times`: also ms.
void check_line_add(buf *out,
                    str id,
                    const check_verdict *v,
                    bool with_times,
                    arena scratch);

#endif  // ASSAY_CHECK_CHECK_LINE_H
