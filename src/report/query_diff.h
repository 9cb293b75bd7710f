/*
 * query_diff.h - which words of two queries are not in both.
 *
 * Tokens are aligned by a longest common subsequence. Keywords and names are
 * equal in any case, all else as it is written. Blanks, comments and a `;` at
 * the end do not count, nor does how tables and results are called: what is
 * marked is what would have to change.
 */
#ifndef ASSAY_REPORT_QUERY_DIFF_H
#define ASSAY_REPORT_QUERY_DIFF_H

#include "base/buf.h"
#include "sql/lex.h"

typedef struct query_words {
    str text;
    const token *tokens;
    const bool *is_other;  // by token: the other query has no such word here
    ptrdiff_t n;
} query_words;

typedef struct query_diff {
    query_words left;
    query_words right;
    bool is_cut;  // too long to align: every word counts as common
} query_diff;

query_diff query_diff_of(str left, str right, dialect d, arena *a);

// Appends the text, each line indented and led by `sign` where it holds a word
// that the other query lacks; below such a line carets mark the words. With
// `color`, an escape like "\033[31m", they are coloured too.
void query_diff_print(buf *out, const query_words *w, char sign, str color);

#endif  // ASSAY_REPORT_QUERY_DIFF_H
