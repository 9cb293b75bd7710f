/*
 * api_said.h - what a line of a journal, or a reply of `assay worker`, says of
 * a case, in the words of the public interface.
 */
#ifndef ASSAY_API_SAID_H
#define ASSAY_API_SAID_H

#include "api_call.h"
#include "report/case_line.h"

typedef struct api_verdict {
    assay_str key;
    assay_answer answer;
    assay_str reason;
    assay_str detail;
    double score;
} api_verdict;

typedef struct api_said {
    assay_str json;
    assay_str texts[LINE_TEXTS];  // see line_text_word()
    api_verdict *verdicts;
    size_t n;
} api_said;

// A line that was read.
typedef struct api_line {
    case_line c;
    str text;
    uint64_t ticket;  // of a reply
} api_line;

// An answer of so many bytes that begins with an api_said; its verdicts and all
// texts are behind it. NULL: no memory.
void *api_said_new(size_t bytes, api_fill *fill, const api_line *from);

// For `fill`, first of all: `end` is behind the answer.
void api_said_fill(api_said *to, void *end, api_texts *t, const api_line *from);

// Empty where nothing is said.
assay_str api_said_text(const api_said *s, str name);

// One without a key where there is none; NULL says nothing.
const api_verdict *api_said_verdict(const api_said *s, const char *key);

#endif  // ASSAY_API_SAID_H
