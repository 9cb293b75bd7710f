/*
 * law_sqlite.c - random queries through the parser and the printer, SQLite
 * beside them.
 *
 * Laws   (1) What SQLite accepts, assay parses.
 *        (2) What is printed reads as the same tree, on one line and pretty.
 *        (3) SQLite gives the same rows for what is printed.
 *        (4) Comments change neither the tree nor get lost, and a text that was
 *            laid out is laid out the same again.
 *
 * Queries come from random_sql.c, and from changes of one token of them and,
 * where $ASSAY_DATA is, of real queries: of those SQLite only says, on its
 * three tables, whether the syntax was right.
 *
 * ASSAY_RUNS says how many (20000), ASSAY_SEED where to begin (1). A broken law
 * prints the query and its number.
 */
#include "law_option.h"
#include "random_sql.h"
#include "read/dataset.h"
#include "sql/outline.h"
#include "sql/print.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

enum {
    RUNS = 20000,
    STEPS = 1000,             // of SQLite's machine between two looks
    STEPS_MAX = 30,           // looks after which a query is cut
    FAILURES_MAX = 20,        // after which nothing more is tried
    CORPUS_BYTES_MAX = 2000,  // of a text of the corpora
};

typedef struct world {
    sqlite3 *db;
    rng r;
    arena_store stores[3];
    arena a;        // of one run
    arena scratch;  // likewise
    arena keep;
    str_list corpus;
    int steps;
    bool was_cut;
    int64_t run;
    int64_t n_accepted;
    int64_t n_compared;
    int64_t n_comments;
    int failures;
} world;

static int count_steps(void *context)
{
    world *w = context;
    w->was_cut |= ++w->steps > STEPS_MAX;
    return w->was_cut;
}

static bool fail(world *w, const char *law, str sql, str other)
{
    w->failures++;
    printf("run %lld: %s\n    %.*s\n    %.*s\n", (long long)w->run, law,
           STR_ARG(sql), STR_ARG(other));
    return false;
}

// Errors that SQLite only finds when it has read the whole statement.
static bool is_late(const char *message)
{
    return strncmp(message, "no such table", 13) == 0
           || strncmp(message, "no such column", 14) == 0
           || strncmp(message, "ambiguous column", 16) == 0
           || strncmp(message, "no such function", 16) == 0
           || strncmp(message, "misuse of", 9) == 0;
}

// Whether the syntax is right; *made is NULL where only that is known.
static bool sqlite_reads(world *w, str sql, sqlite3_stmt **made)
{
    const char *tail = NULL;
    *made = NULL;
    w->steps = 0;
    w->was_cut = false;
    int code = sqlite3_prepare_v2(w->db, sql.ptr, (int)sql.len, made, &tail);
    if (code != SQLITE_OK) {
        return is_late(sqlite3_errmsg(w->db));
    }
    return *made && sqlite3_stmt_readonly(*made);
}

static uint64_t mix(uint64_t h, const void *bytes, int n)
{
    const unsigned char *p = bytes;
    for (int i = 0; i < n; i++) {
        h = (h ^ p[i]) * 1099511628211u;
    }
    return h;
}

// A digest of all rows and of how they ended; false when the query was cut.
static bool digest(world *w, sqlite3_stmt *s, uint64_t *out)
{
    uint64_t h = 14695981039346656037u;
    w->steps = 0;
    w->was_cut = false;
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(s); i++) {
            int type = sqlite3_column_type(s, i);
            h = mix(h, &type, (int)sizeof type);
            const void *bytes = sqlite3_column_blob(s, i);
            h = mix(h, bytes, sqlite3_column_bytes(s, i));
        }
    }
    *out = mix(h, &code, (int)sizeof code);
    return !w->was_cut;
}

static bool same_rows(world *w, str sql, sqlite3_stmt *made, str printed)
{
    sqlite3_stmt *other = NULL;
    // With a name that is wrong, which error comes first depends on
    // parentheses.
    if (!sqlite_reads(w, printed, &other)
        && (made || strstr(sqlite3_errmsg(w->db), "syntax error"))) {
        fail(w, "SQLite refuses what is printed", sql, printed);
        printf("    %s\n", sqlite3_errmsg(w->db));
        return false;
    }
    uint64_t left = 0;
    uint64_t right = 0;
    bool both =
        made && other && digest(w, made, &left) && digest(w, other, &right);
    sqlite3_finalize(other);
    w->n_compared += both;
    return !both || left == right
           || fail(w, "printed, it gives other rows", sql, printed);
}

static bool equal_lists(const ast *x, const ast *y)
{
    while (x && y && ast_equal(x, y)) {
        x = x->next;
        y = y->next;
    }
    return !x && !y;
}

// Prints a text that was parsed with all its comments, and checks what is said
// of that.
static bool check_print(world *w,
                        str sql,
                        const parse_result *r,
                        print_layout layout,
                        str *printed)
{
    buf first = buf_new(&w->a);
    print_script(&first, sql, r, DIALECT_SQLITE, layout, w->scratch);
    *printed = arena_str(&w->a, buf_str(&first));
    parse_result again = parse_sql(&w->a, *printed, DIALECT_SQLITE, w->scratch);
    if (again.errors.len > 0 || !equal_lists(r->statements, again.statements)) {
        return fail(w, "printed, it reads as another tree", sql, *printed);
    }
    if (again.comments.len != r->comments.len) {
        return fail(w, "comments are lost", sql, *printed);
    }
    buf second = buf_new(&w->a);
    print_script(&second, *printed, &again, DIALECT_SQLITE, layout, w->scratch);
    return str_equal(*printed, buf_str(&second))
           || fail(w, "laid out again, it changes", *printed, buf_str(&second));
}

static bool check_comments(world *w, str sql, const parse_result *plain)
{
    str text = random_comments(&w->a, &w->r, sql, DIALECT_SQLITE, w->scratch);
    parse_result r = parse_sql(&w->a, text, DIALECT_SQLITE, w->scratch);
    str printed;
    w->n_comments += r.comments.len;
    if (r.errors.len > 0 || !equal_lists(r.statements, plain->statements)) {
        return fail(w, "comments change the tree", sql, text);
    }
    return check_print(w, text, &r, PRINT_PRETTY, &printed)
           && check_print(w, text, &r, PRINT_ONE_LINE, &printed);
}

static bool is_query(str sql)
{
    sql_outline o = sql_outline_of(sql, DIALECT_SQLITE);
    return o.n_statements == 1
           && (str_equal_fold(o.verb, S("select"))
               || str_equal_fold(o.verb, S("with"))
               || str_equal_fold(o.verb, S("values")));
}

static void check(world *w, str sql)
{
    sqlite3_stmt *made = NULL;
    if (!is_query(sql) || !sqlite_reads(w, sql, &made)) {
        sqlite3_finalize(made);
        return;
    }
    w->n_accepted++;
    parse_result r = parse_sql(&w->a, sql, DIALECT_SQLITE, w->scratch);
    if (r.errors.len > 0) {
        str shown = parse_error_show(&w->a, S("sql"), sql, r.errors.ptr[0]);
        fail(w, "SQLite accepts it", sql, shown);
        sqlite3_finalize(made);
        return;
    }
    str printed;
    bool pretty = rng_below(&w->r, 2) == 0;
    bool ok = check_print(w, sql, &r, PRINT_PRETTY, &printed);
    if (ok && pretty) {
        ok = same_rows(w, sql, made, printed);
    }
    ok = ok && check_print(w, sql, &r, PRINT_ONE_LINE, &printed);
    if (ok && !pretty) {
        ok = same_rows(w, sql, made, printed);
    }
    if (ok && rng_below(&w->r, 4) == 0) {
        check_comments(w, sql, &r);
    }
    sqlite3_finalize(made);
}

static str draw(world *w)
{
    ptrdiff_t n = w->corpus.len;
    int die = (int)rng_below(&w->r, 10);
    str sql = n > 0 && die < 3 ? w->corpus.ptr[rng_below(&w->r, n)]
                               : random_sql(&w->a, &w->r, w->scratch);
    for (int changes = die < 6 ? 1 + (int)rng_below(&w->r, 2) : 0; changes > 0;
         changes--) {
        sql = random_change(&w->a, &w->r, sql, DIALECT_SQLITE, w->scratch);
    }
    return sql;
}

static void add_text(world *w, str sql)
{
    if (sql.len > 0 && sql.len < CORPUS_BYTES_MAX) {
        *vec_push(&w->keep, &w->corpus) = arena_str(&w->keep, sql);
    }
}

// The golds, or the predictions, of a file; none where it is absent.
static void read_corpus(world *w, const char *name, dataset_role role)
{
    const char *folder = getenv("ASSAY_DATA");
    str path = arena_printf(&w->keep, "%s/%s",
                            folder ? folder : "../shared/data", name);
    diag d = diag_new(&w->keep);
    dataset set;
    dataset_options options = {.role = role};
    if (!dataset_open(&set, &w->keep, path, options, &d, w->scratch)) {
        return;
    }
    for (ptrdiff_t i = 0; i < set.entries.len; i++) {
        arena each = w->a;
        record r = dataset_record(&set, i, &each);
        for (ptrdiff_t k = 0; k < r.n_golds; k++) {
            add_text(w, r.golds[k]);
        }
        r.preds = dataset_extract(r.preds, r.n_preds, false, &each);
        for (ptrdiff_t k = 0; k < r.n_preds; k++) {
            add_text(w, r.preds[k].sql);
        }
    }
    dataset_close(&set);
}

static void read_corpora(world *w)
{
    w->a = arena_store_clear(&w->stores[0]);
    w->scratch = arena_store_clear(&w->stores[1]);
    read_corpus(w, "spider/dev_gold.sql", DATASET_GOLD);
    read_corpus(w, "cosql/dev_gold.txt", DATASET_GOLD);
    read_corpus(w, "bird/bird_mini_dev_sqlite.json", DATASET_GOLD);
    read_corpus(w, "defog/questions/questions_gen_sqlite.csv", DATASET_GOLD);
    read_corpus(w, "defog/questions/instruct_advanced_sqlite.csv",
                DATASET_GOLD);
    read_corpus(w, "spider/predictions/dail_gpt4.sql", DATASET_PRED);
    read_corpus(w, "spider/predictions/tse_dev_21.sql", DATASET_PRED);
}

int main(void)
{
    world w = {0};
    for (int i = 0; i < 3; i++) {
        if (!arena_store_open(&w.stores[i], (ptrdiff_t)1 << 30)) {
            return 1;
        }
    }
    w.keep = arena_store_clear(&w.stores[2]);
    if (sqlite3_open(":memory:", &w.db) != SQLITE_OK
        || sqlite3_exec(w.db, random_sql_schema, NULL, NULL, NULL)
               != SQLITE_OK) {
        printf("%s\n", sqlite3_errmsg(w.db));
        return 1;
    }
    sqlite3_progress_handler(w.db, STEPS, count_steps, &w);
    read_corpora(&w);
    int64_t seed = law_option("ASSAY_SEED", 1);
    int64_t runs = law_option("ASSAY_RUNS", RUNS);
    for (int64_t i = 0; i < runs && w.failures < FAILURES_MAX; i++) {
        w.run = seed + i;
        w.r = (rng){(uint64_t)w.run};
        w.a = arena_store_clear(&w.stores[0]);
        w.scratch = arena_store_clear(&w.stores[1]);
        check(&w, draw(&w));
        if ((i + 1) % 1000000 == 0) {
            printf("%lld runs\n", (long long)(i + 1));
            fflush(stdout);
        }
    }
    printf("%lld runs, %lld queries that SQLite accepts, %lld results "
           "compared, %lld comments kept, %d failures\n",
           (long long)(w.run - seed + 1), (long long)w.n_accepted,
           (long long)w.n_compared, (long long)w.n_comments, w.failures);
    sqlite3_close(w.db);
    return w.failures > 0 || w.n_compared == 0;
}
