/*
 * case_line.h - one line of a journal as a value.
 *
 * The line is what docs/formats/journal.md shows. Read here: run, id, db,
 * category, hardness, hardness_from, features, clauses, question, gold, pred,
 * gold_status, pred_status, interaction, turn, of, tokens_in, tokens_out, cost,
 * latency_ms, confidence and of each verdict v, reason, class, detail, score
 * (or similarity), distance, notes (a list of words) and parts, in_gold,
 * in_pred (components of set). Other members are passed over, so that journals
 * of later versions can still be counted.
 */
#ifndef ASSAY_REPORT_CASE_LINE_H
#define ASSAY_REPORT_CASE_LINE_H

#include "base/diag.h"
#include "base/told.h"
#include "table/verdict.h"

enum {
    LINE_PARTS = 10,
    LINE_TEXTS = 10,
};

// The members of a line that are texts: "run", "id", "db", "category",
// "hardness", "question", "gold", "pred", "gold_status", "pred_status".
str line_text_word(ptrdiff_t text);

// The components of set that are counted, in the order in which Spider prints
// them: "select", "select(no AGG)", ...
str line_part_word(ptrdiff_t part);

// Components as bits, 1 << part. Those with other names are passed over.
typedef struct line_parts {
    bool is_there;
    uint32_t right;    // f1 is 1
    uint32_t in_gold;  // gold has it at all
    uint32_t in_pred;
} line_parts;

typedef struct line_verdict {
    str key;  // "exec", "exec:spider", "soft_f1"
    answer v;
    str reason;  // empty: none
    str class;   // of pragmatic
    str detail;
    bool is_both_empty;  // the note both_empty
    double score;        // NaN: none
    double confidence;   // of a judge with several votes: the share of them
                         // that its answer has; NaN: there is none
    bool has_distance;
    int64_t distance;
    line_parts parts;
} line_verdict;

// How often the gold uses a feature of SQL: "join", 2.
typedef struct line_feature {
    str word;
    int64_t n;
} line_feature;

typedef struct case_line {
    str run;
    str id;
    str db;
    str category;
    str hardness;
    bool hardness_is_ours;  // Spider's grammar does not read the gold
    str_list clauses;       // in which it differs, in words
    bool has_features;
    vec_of(line_feature) features;  // those it uses
    str question;
    str gold;
    str pred;
    str gold_status;
    str pred_status;
    str of;  // id of the question that this one is a change of; empty: of none
    answer_told told;
    int64_t interaction;            // -1: none
    int64_t turn;                   // -1: none
    int64_t line;                   // of the file of golds; 0: none
    vec_of(line_verdict) verdicts;  // in the order of the line
} case_line;

typedef enum case_line_kind {
    CASE_LINE_BROKEN,  // no JSON object, or cut
    CASE_LINE_OTHER,   // an object without verdicts: the head of a journal
    CASE_LINE_CASE,
} case_line_kind;

// Texts are borrowed from `line` where they hold no escapes, else in `a`, which
// needs room for at most twice the bytes of the line.
case_line_kind case_line_read(case_line *out, arena *a, str line);

// Says that the line at `place` is none of a journal, and for the first line
// that the file is none; false.
bool case_line_refuse(diag_place place, diag *d);

// False with a message for a head in the middle of a file: several journals in
// one. True for any other line.
bool case_line_is_of_one_journal(str line, diag_place place, diag *d);

// The text called `name`.
str case_line_text(const case_line *line, str name);

// The verdict called `key`, or NULL.
const line_verdict *case_line_verdict(const case_line *line, str key);

// The verdict that a line is first asked about: exec's, else the first; NULL
// when there is none.
const line_verdict *case_line_main(const case_line *line);

// "left of UNION: where: ..." -> "where"
str case_line_clause(str text);

// Does a query read the clock? By words: yes of a column called "now", too.
bool case_text_reads_clock(str sql);

#endif  // ASSAY_REPORT_CASE_LINE_H
