/*
 * assay.h - score SQL written by models against gold SQL.
 *
 * The whole public interface; it reads top to bottom. For every function:
 *   Strings    bytes and a length, UTF-8, borrowed for the call only.
 *   Ownership  what comes back through `out` is yours: release it with its
 *              _free or _close (NULL is fine). All else belongs to the object
 *              that it came from.
 *   Errors     returns assay_status; on failure fills *err (may be NULL) and
 *              zeroes outputs. A broken prediction is a verdict, not an error.
 *   Units      _ms, _bytes; offsets are bytes from 0, lines and columns from 1.
 *   Threads    no hidden state; one thread at a time per assay_db.
 *   Safety     queries run in the calling process, read-only and under limits
 *              of time, rows and result bytes. An endless function call or a
 *              crash of the engine can be contained only by a separate
 *              process: see assay_scorer, further down.
 */
#ifndef ASSAY_H
#define ASSAY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#    define ASSAY_API __attribute__((visibility("default")))
#else
#    define ASSAY_API
#endif

typedef struct assay_db assay_db;            // one open database
typedef struct assay_verdict assay_verdict;  // what was found out, immutable

typedef struct assay_str {
    const char *ptr;  // not NUL-terminated; may be NULL when len is 0
    size_t len;       // bytes
} assay_str;

// A C string, borrowed; NULL is the empty one.
static inline assay_str assay_text(const char *text)
{
    assay_str s = {text, text ? strlen(text) : 0};
    return s;
}

typedef enum assay_status {
    ASSAY_OK = 0,
    ASSAY_ERR_USAGE,   // impossible argument: fix the caller
    ASSAY_ERR_ENGINE,  // the database cannot be opened, or the gold fails or
                       // its {a,b} template is wrong
    ASSAY_ERR_LIMIT,   // no memory or address space; the next call may have
} assay_status;

typedef struct assay_error {
    assay_status status;
    char message[256];  // "no such column: agee"; always NUL-terminated
} assay_error;

// All zero means the defaults: `assay_limits l = {0}` is right.
typedef struct assay_limits {
    uint32_t timeout_ms;  // wall clock per query; default 30000
    uint64_t max_bytes;   // of one result; default 1 GiB, at most 32 GiB
    uint64_t max_rows;    // of one result; default 1000000
    int64_t clock_ms;     // what queries take for now, ms since 1970 UTC;
                          // default: the time of opening
} assay_limits;

// Bits of the metrics wanted.
typedef enum assay_metric {
    ASSAY_STRING = 1u << 0,   // same tokens [001]
    ASSAY_EDIT = 1u << 1,     // edit distance over tokens [001]
    ASSAY_SET = 1u << 2,      // the same clauses; rules spider: its set match
    ASSAY_EXEC = 1u << 3,     // same result as a gold variant [000]
    ASSAY_SUBSET = 1u << 4,   // a gold variant's result lies within it [000]
    ASSAY_SOFT_F1 = 1u << 5,  // BIRD's partial score
    ASSAY_CELL_F1 = 1u << 6,  // partial score, rows paired by content
    ASSAY_EQUIV = 1u << 9,    // the same on every database; see assay_check
} assay_metric;

// How two results are compared for EXEC and SUBSET; docs/rules.md.
typedef enum assay_rules {
    ASSAY_RULES_ASSAY = 0,  // the default
    ASSAY_RULES_STRICT,
    ASSAY_RULES_SPIDER,
    ASSAY_RULES_BIRD,
    ASSAY_RULES_SPIDER2,
    ASSAY_RULES_DEFOG,
    ASSAY_RULES_SQL_EVAL,
} assay_rules;

typedef enum assay_answer {
    ASSAY_UNKNOWN = 0,  // not asked for or not decidable; the reason says why
    ASSAY_NO,
    ASSAY_YES,
} assay_answer;

// "0.1.0". Lives for ever.
ASSAY_API const char *assay_version(void);

/*
 * Open the SQLite database (or .sql dump) at `path`, read-only; it is never
 * written, created or locked. A URL names a database on a server (see
 * docs/servers.md). `limits` may be NULL.
 *
 * Fails with USAGE, ENGINE or LIMIT.
 */
ASSAY_API assay_status assay_db_open(assay_db **out,
                                     const char *path,
                                     const assay_limits *limits,
                                     assay_error *err);
ASSAY_API void assay_db_close(assay_db *db);

// The question that gold and prediction answer. All zero is fine: then only
// the gold decides whether the order of rows counts.
typedef struct assay_question {
    assay_str text;
    assay_str category;
    assay_rules rules;
} assay_question;

/*
 * Score `pred` against `gold` with every metric in the bit set `metrics`.
 *
 * gold may contain {a,b} alternatives and several statements: each choice is
 * one variant, and a metric says YES if pred matches one of them. pred is SQL
 * (see assay_extract); if it does not parse, fails or hits a limit, it scores
 * NO with a reason. `question` may be NULL. A gold whose result is known from
 * an earlier call is not run again.
 *
 * The gold `null` says that no query answers the question: then the metrics
 * that score answers call a prediction without a query right.
 *
 * Fails with USAGE, ENGINE or LIMIT, always about the gold side.
 */
ASSAY_API assay_status assay_score(assay_verdict **out,
                                   assay_db *db,
                                   assay_str gold,
                                   assay_str pred,
                                   const assay_question *question,
                                   uint32_t metrics,
                                   assay_error *err);
ASSAY_API void assay_verdict_free(assay_verdict *v);

// UNKNOWN for a metric that was not asked for.
ASSAY_API assay_answer assay_verdict_answer(const assay_verdict *v,
                                            assay_metric metric);

// A word of the published list, "rows_differ"; empty for a plain yes. Lives as
// long as v.
ASSAY_API assay_str assay_verdict_reason(const assay_verdict *v,
                                         assay_metric metric);

// One line for people, "row 3: 12 != 13". Lives as long as v.
ASSAY_API assay_str assay_verdict_detail(const assay_verdict *v,
                                         assay_metric metric);

// EDIT: the similarity; SOFT_F1, CELL_F1: the score; else 1 for yes and 0 for
// no. From 0 to 1.
ASSAY_API double assay_verdict_score(const assay_verdict *v,
                                     assay_metric metric);

// The gold variant that matches, from 0; -1 when there is none.
ASSAY_API ptrdiff_t assay_verdict_variant(const assay_verdict *v,
                                          assay_metric metric);

// The first rows of both results, those that the other lacks before the
// others: "('a', 1) ('b', 2) and 3 more rows", "no rows". Empty unless EXEC
// says no to two queries that ran. They live as long as v.
ASSAY_API assay_str assay_verdict_gold_result(const assay_verdict *v,
                                              assay_metric metric);
ASSAY_API assay_str assay_verdict_pred_result(const assay_verdict *v,
                                              assay_metric metric);

// All of it as a line of the journal (docs/formats/journal.md) that names no
// run, id or database, and no times; empty for assay_compare, which has no
// queries. Lives as long as v. See assay_explain.
ASSAY_API assay_str assay_verdict_json(const assay_verdict *v);

/*
 * Find the SQL in a model's answer, for assay_score(), which takes only SQL.
 * The result is a part of the answer, without thoughts, tags, Markdown fences
 * and prose (docs/formats/inputs.md). Prose without SQL gives an empty result;
 * any other text in which no SQL is found is returned whole. An answer that
 * continues a SELECT of the prompt gets that word in front. Takes time in
 * proportion to the length of the answer.
 *
 * Fails with USAGE or LIMIT.
 */
typedef struct assay_extraction assay_extraction;  // immutable

ASSAY_API assay_status assay_extract(assay_extraction **out,
                                     assay_str answer,
                                     assay_error *err);
ASSAY_API void assay_extraction_free(assay_extraction *e);

// Empty if the answer is empty, if the model only thought, or if it wrote prose
// without SQL. Lives as long as e, as does the note.
ASSAY_API assay_str assay_extraction_sql(const assay_extraction *e);

// What was removed: "think block, markdown fence", "no SQL found"; empty if
// nothing was.
ASSAY_API assay_str assay_extraction_note(const assay_extraction *e);

// What the name of a column or member of a data set means, whatever its letter
// case and punctuation: "id", "db", "question", "gold", "pred", "category",
// "sql" (bare SQL: the gold, unless another name is the gold's), ...; empty if
// assay does not know the name. If several names mean the same, the one with
// the lowest *rank counts; from ASSAY_FIELD_HINT on, a name is only a hint,
// which the contents have to confirm. `rank` may be NULL. Lives forever.
#define ASSAY_FIELD_HINT 10
ASSAY_API assay_str assay_field(assay_str name, int *rank);

/*
 * Parse SQL, and format it as `assay fmt` does: the meaning and the comments
 * stay the same, and formatting the result again changes nothing.
 */
typedef struct assay_formatted assay_formatted;  // immutable

typedef enum assay_dialect {
    ASSAY_DIALECT_SQLITE = 0,  // the default
    ASSAY_DIALECT_POSTGRES,
    ASSAY_DIALECT_MYSQL,
    ASSAY_DIALECT_BIGQUERY,
    ASSAY_DIALECT_TSQL,
    ASSAY_DIALECT_SNOWFLAKE,
    ASSAY_DIALECT_DUCKDB,
} assay_dialect;

typedef enum assay_layout {
    ASSAY_LAYOUT_PRETTY = 0,  // the default: a clause a line
    ASSAY_LAYOUT_ONE_LINE,    // a statement a line
    ASSAY_LAYOUT_TREE,        // "(select (items ...", a tree a statement
} assay_layout;

// All zero means the defaults.
typedef struct assay_format_options {
    assay_dialect dialect;
    assay_layout layout;
} assay_format_options;

// Something that the parser cannot read.
typedef struct assay_mistake {
    size_t offset;   // of the token that does not fit
    size_t len;      // bytes of it; 0 at the end of the text
    size_t line;     // of the offset
    size_t column;   // likewise, in bytes
    assay_str text;  // "expected a table or a subquery, found ';'"
} assay_mistake;

// SQL with mistakes is a result, not an error. `options` may be NULL. Fails
// with USAGE or LIMIT.
ASSAY_API assay_status assay_format(assay_formatted **out,
                                    assay_str sql,
                                    const assay_format_options *options,
                                    assay_error *err);
ASSAY_API void assay_formatted_free(assay_formatted *f);

// Each statement with its `;` and line end. Empty if there are mistakes, except
// for trees, in which (error) marks what was not understood. Lives as long as
// f, as do the mistakes.
ASSAY_API assay_str assay_formatted_text(const assay_formatted *f);

// The *n mistakes in the order of the text: at most the first 20, and none if
// the SQL was understood.
ASSAY_API const assay_mistake *assay_formatted_mistakes(
    const assay_formatted *f,
    size_t *n);

/*
 * What a query reads: each name is looked up in the tables of a schema by the
 * rules of the dialect, in any clause, subquery and view. A query that reads a
 * generated column also reads the columns that it is computed from.
 */
typedef struct assay_binding assay_binding;  // immutable

typedef struct assay_read {
    assay_str table;   // or view, as the schema calls it
    assay_str column;  // likewise; empty: the table as a whole
} assay_read;

// `ddl`: CREATE statements in the same dialect. A broken query is a result, not
// an error. Fails with USAGE, ENGINE (the ddl) or LIMIT.
ASSAY_API assay_status assay_bind(assay_binding **out,
                                  assay_str ddl,
                                  assay_str query,
                                  assay_dialect d,
                                  assay_error *err);
ASSAY_API void assay_binding_free(assay_binding *b);

// What it reads, *n entries in the order of the schema: for each table one
// without a column, then one for each column that is read; for a view, the
// columns of its tables that it reads. Live as long as b.
ASSAY_API const assay_read *assay_binding_reads(const assay_binding *b,
                                                size_t *n);

// What cannot be parsed (then nothing is read), or names that are unknown or
// ambiguous: "no column 'agee' in singer; did you mean 'age'?". Like those of
// assay_format.
ASSAY_API const assay_mistake *assay_binding_mistakes(const assay_binding *b,
                                                      size_t *n);

// A cell. The members that do not belong to its type are ignored.
typedef enum assay_type {
    ASSAY_NULL = 0,
    ASSAY_INTEGER,
    ASSAY_REAL,
    ASSAY_TEXT,
    ASSAY_BLOB,
} assay_type;

typedef struct assay_value {
    assay_type type;
    int64_t integer;
    double real;
    assay_str bytes;  // of TEXT and BLOB, less than 4 GiB
} assay_value;

// A result: a table without rows still has columns.
typedef struct assay_table {
    size_t n_rows;
    size_t n_columns;
    const assay_value *cells;  // n_rows * n_columns, row by row
    const assay_str *names;    // n_columns; NULL: they have none
} assay_table;

// All zero means the defaults.
typedef struct assay_compare_options {
    assay_rules rules;  // not DEFOG or SQL_EVAL, which read the queries
    int is_ordered;     // the order of rows counts
    int same_column_order;
} assay_compare_options;

/*
 * Is the result `pred` the same as the result `gold`? Compares as assay_score
 * does, but without a database or queries, for results that you already have.
 * `metrics`: EXEC, SUBSET, SOFT_F1, CELL_F1. `options` may be NULL.
 *
 * Fails with USAGE or LIMIT.
 */
ASSAY_API assay_status assay_compare(assay_verdict **out,
                                     const assay_table *gold,
                                     const assay_table *pred,
                                     const assay_compare_options *options,
                                     uint32_t metrics,
                                     assay_error *err);

/*
 * Are two queries equivalent: do they have the same results on every database
 * with these tables? Proofs, assumptions and search are those of the command
 * `assay check`.
 */
typedef struct assay_checker assay_checker;  // the tables of one schema
typedef struct assay_check_result assay_check_result;  // immutable

typedef enum assay_relation {
    ASSAY_RELATION_UNKNOWN = 0,  // neither was found
    ASSAY_EQUIVALENT,            // proved
    ASSAY_DIFFERENT,             // there is a database that tells them apart
} assay_relation;

// All zero means the defaults.
typedef struct assay_check_options {
    uint32_t databases;   // tried for a pair; default 300
    int assumes_nothing;  // keys, NOT NULL and types may be broken
    int same_column_order;
    int64_t clock_ms;  // what queries take for now, ms since 1970 UTC;
                       // default: the time of opening
} assay_check_options;

// `ddl`: CREATE statements as SQLite accepts them. `options` may be NULL. Fails
// with USAGE, ENGINE or LIMIT.
ASSAY_API assay_status assay_checker_open(assay_checker **out,
                                          assay_str ddl,
                                          const assay_check_options *options,
                                          assay_error *err);
ASSAY_API void assay_checker_close(assay_checker *c);

// A broken query is a result, not an error. Fails with USAGE or LIMIT.
ASSAY_API assay_status assay_check(assay_check_result **out,
                                   assay_checker *c,
                                   assay_str left,
                                   assay_str right,
                                   assay_error *err);
ASSAY_API void assay_check_free(assay_check_result *r);

ASSAY_API assay_relation assay_check_answer(const assay_check_result *r);

// A word, "missing_rows"; empty when there is none. Lives as long as r, as do
// the others.
ASSAY_API assay_str assay_check_reason(const assay_check_result *r);

// CREATE and INSERT statements of the smallest database on which the queries
// differ; empty when there is none.
ASSAY_API assay_str assay_check_witness(const assay_check_result *r);

// All of it as the line of JSON that `assay check --pairs` writes, with the
// id "".
ASSAY_API assay_str assay_check_json(const assay_check_result *r);

/*
 * A scorer scores requests in separate processes: an endless call or a crash of
 * the engine there affects nobody else. It starts the program `assay worker`
 * with posix_spawn, because a fork of a process with threads may call next to
 * nothing, and because then the verdicts come from the same code.
 *
 * Requests and replies are matched by tickets, 1, 2, 3, ... in the order of
 * submission; replies come in any order. Threads may share a scorer. It leaves
 * signals alone, and prints nothing.
 */
typedef struct assay_scorer assay_scorer;
typedef struct assay_reply assay_reply;  // to one request, immutable

typedef struct assay_scorer_options {
    const char *db;       // where the databases are: docs/cli/worker.md, --db
    const char *program;  // NULL: what ASSAY_PROGRAM names, or assay on PATH
    const char *const *words;  // further words for `assay worker`: "--jobs",
                               // "2", NULL at the end; may be NULL
} assay_scorer_options;

// Fails with USAGE, ENGINE (the program does not start) or LIMIT. If the
// program rejects its options, assay_scorer_next reports that.
ASSAY_API assay_status assay_scorer_open(assay_scorer **out,
                                         const assay_scorer_options *options,
                                         assay_error *err);

// Ends the program, whatever it is doing; no other thread may use the scorer.
ASSAY_API void assay_scorer_close(assay_scorer *s);

typedef struct assay_request {
    assay_str db;  // its name; may be empty where there is one only
    assay_str gold;
    assay_str pred;      // what the model wrote, chatter and all
    assay_str question;  // may be empty
    assay_str category;  // may be empty
} assay_request;

// Submits `n` requests of at most 8 MiB each, and does not wait: requests that
// the program does not take yet are kept. *first is the ticket of the first. A
// request without a reply after deadline_ms (0: no such limit) gets one with
// the reason "not_run". Fails with USAGE, ENGINE or LIMIT; then none is
// submitted.
ASSAY_API assay_status assay_scorer_submit(assay_scorer *s,
                                           const assay_request *requests,
                                           size_t n,
                                           uint32_t deadline_ms,
                                           uint64_t *first,
                                           assay_error *err);

// A file descriptor that poll() calls readable when assay_scorer_next has
// something to do; it belongs to the scorer. Requests go out and replies come
// in only during calls of assay_scorer_next and assay_scorer_submit.
ASSAY_API int assay_scorer_fd(const assay_scorer *s);

// The next reply; waits for it for timeout_ms at most (0: not at all; below 0:
// as long as it takes). *out is NULL if there was none in that time, or if no
// request is under way. Fails with LIMIT, and with ENGINE if the program has
// ended; the message then is what it said.
ASSAY_API assay_status assay_scorer_next(assay_scorer *s,
                                         assay_reply **out,
                                         int timeout_ms,
                                         assay_error *err);
ASSAY_API void assay_reply_free(assay_reply *r);

// Cancels a request: it gets no reply, and its running query is stopped, as at
// its deadline. A ticket that was answered, or does not exist, is ignored.
ASSAY_API void assay_scorer_cancel(assay_scorer *s, uint64_t ticket);

ASSAY_API uint64_t assay_reply_ticket(const assay_reply *r);

// The verdict under a key of the journal, "exec", "exec:bird": ASSAY_UNKNOWN
// if there is none. `key` is NUL-terminated.
ASSAY_API assay_answer assay_reply_answer(const assay_reply *r,
                                          const char *key);

// Its reason, a word of the published list; empty for a plain yes. Lives as
// long as r, as does what follows.
ASSAY_API assay_str assay_reply_reason(const assay_reply *r, const char *key);

// All of it: the line of JSON that `assay worker` writes (docs/cli/worker.md),
// with the ticket as id. A request that could not be read has "error" in it.
ASSAY_API assay_str assay_reply_json(const assay_reply *r);

/*
 * Reads a journal that `assay score --out` wrote, one scored prediction at a
 * time, like `assay show`.
 */
typedef struct assay_journal assay_journal;  // for one thread at a time
typedef struct assay_case assay_case;        // a line of it, immutable

// The file must not become shorter while it is open. Fails with USAGE, ENGINE
// (it cannot be opened, or is not a journal) or LIMIT.
ASSAY_API assay_status assay_journal_open(assay_journal **out,
                                          const char *path,
                                          assay_error *err);
ASSAY_API void assay_journal_close(assay_journal *j);

// The first line, JSON: what was run, on what, how; empty when there is none.
// Lives as long as j.
ASSAY_API assay_str assay_journal_head(const assay_journal *j);

// The next case; *out is NULL at the end. Fails with USAGE, LIMIT, or ENGINE:
// "line 17: not a line of a journal"; the next call continues after that line.
ASSAY_API assay_status assay_journal_next(assay_journal *j,
                                          assay_case **out,
                                          assay_error *err);
ASSAY_API void assay_case_free(assay_case *c);

// A member by its name: run, id, db, category, hardness, question, gold, pred,
// gold_status or pred_status; empty when there is none. Lives as long as c, as
// do the texts below; c may outlive the journal.
ASSAY_API assay_str assay_case_text(const assay_case *c, const char *name);

// The verdict under a key, "exec", "exec:bird"; UNKNOWN, empty and 0 when there
// is none. Reason, detail and score are those of assay_verdict.
ASSAY_API assay_answer assay_case_answer(const assay_case *c, const char *key);
ASSAY_API assay_str assay_case_reason(const assay_case *c, const char *key);
ASSAY_API assay_str assay_case_detail(const assay_case *c, const char *key);
ASSAY_API double assay_case_score(const assay_case *c, const char *key);

// The whole line (docs/formats/journal.md).
ASSAY_API assay_str assay_case_json(const assay_case *c);

/*
 * Explains a verdict in words, as `assay show` does: gold and prediction in the
 * same layout with the differing words marked, and each verdict with its reason
 * and its evidence.
 */
typedef struct assay_explanation assay_explanation;  // immutable

// All zero means the defaults.
typedef struct assay_explain_options {
    const assay_request *request;  // that a reply is to: its line does not hold
                                   // the texts; NULL: none
    assay_str head;    // assay_journal_head(): adds the command that runs the
                       // case again
    assay_str metric;  // whose verdict comes first, "exec:bird"; default: exec
    assay_dialect dialect;
    uint32_t width;  // columns of a line; default 100
} assay_explain_options;

// `line`: assay_verdict_json(), assay_case_json() or assay_reply_json().
// `options` may be NULL. Fails with USAGE (also of a line without verdicts) or
// LIMIT.
ASSAY_API assay_status assay_explain(assay_explanation **out,
                                     assay_str line,
                                     const assay_explain_options *options,
                                     assay_error *err);
ASSAY_API void assay_explanation_free(assay_explanation *e);

// Lines for people, without colors; control characters are escaped. Lives as
// long as e.
ASSAY_API assay_str assay_explanation_text(const assay_explanation *e);

#ifdef __cplusplus
}
#endif

#endif  // ASSAY_H
