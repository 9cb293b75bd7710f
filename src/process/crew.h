// crew.h - how many workers a job gets.
#ifndef ASSAY_PROCESS_CREW_H
#define ASSAY_PROCESS_CREW_H

#include <stdbool.h>
#include <stddef.h>

enum {
    CREW_MOST = 256
};

// As many as are wanted, from 1 to CREW_MOST; no more than there are items (-1:
// nobody knows), nor than cores where items compute.
ptrdiff_t crew_size(ptrdiff_t wanted, ptrdiff_t n_items, bool computes);

#endif  // ASSAY_PROCESS_CREW_H
