/*
 * report_bill.h - what answers cost, how sure their models were and when they
 * gave none, as tables that every format prints in its way, and as JSON.
 */
#ifndef ASSAY_REPORT_REPORT_BILL_H
#define ASSAY_REPORT_REPORT_BILL_H

#include "report/abstained.h"
#include "report/bill.h"
#include "report/doc.h"

// Tables of runs beside each other; none where nothing is told. Of one run also
// its reliability, bin by bin.
void bill_tables(doc *d, const bill_run *runs, ptrdiff_t n);

// A run by one rule set.
typedef struct abstained_row {
    str name;
    const abstained *counts;
} abstained_row;

// The confusion of each, and the scores of all.
void abstained_tables(doc *d, const abstained_row *rows, ptrdiff_t n);

// Members of an object: "told":{...}, "confidence":{...}, "abstain":{...};
// nothing where nothing is told, or counted.
void bill_json(buf *out, const bill *b);
void sureness_json(buf *out, const sureness *s);
void abstained_json(buf *out, const abstained *c);

#endif  // ASSAY_REPORT_REPORT_BILL_H
