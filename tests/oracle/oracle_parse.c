/*
 * oracle_parse.c - the parser and the printer on real queries, SQLite beside
 * them.
 *
 * Reads the corpora of $ASSAY_DATA. What is parsed must print as text that
 * reads as the same tree. What SQLite accepts must be parsed, and the printed
 * text must be accepted as well and, where the database is at hand, give the
 * same result. Without the database SQLite is asked on an empty one, where
 * only syntax counts; of other dialects nobody is asked, and a few texts are
 * known to be damaged. Prints a table with one line per corpus:
 *
 *     texts    that were read        SQLite   that SQLite accepts
 *     parsed   without a mistake     same     whose results were compared
 *     not      accepted by SQLite, but not parsed or printed otherwise; in
 *              other dialects: not parsed
 *     law      printed, they read otherwise, or comments are lost
 *
 * and the first failures of each; with ASSAY_VERBOSE set all of them, and what
 * neither SQLite nor assay can read.
 */
#include "base/file.h"
#include "law/random_sql.h"
#include "oracle/corpus.h"
#include "sql/parse.h"
#include "sql/print.h"

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EXIT_SKIPPED = 77,
    MAX_SHOWN = 3,
    MAX_DATABASES = 64,
    STEPS = 1000,         // of SQLite's machine between two looks at the count
    STEPS_MAX = 200,      // looks after which a query is cut
    STEPS_MAX_PRED = 40,  // a prediction, of which there are many
};

// clang-format off
static const corpus equivalence[] = {
    {"spider_neq179", DATASET_GOLD, DIALECT_SQLITE, NULL, 0, false, 0},
    {"spider_dev_pairs", DATASET_GOLD, DIALECT_SQLITE, "spider", 0, false, 0},
    {"spider_natsql", DATASET_GOLD, DIALECT_SQLITE, "spider", 0, false, 0},
    {"bird_mini_pairs", DATASET_GOLD, DIALECT_SQLITE, NULL, 0, false, 0},
    // Quotes around more than a word ('M THEN F'), and entities of HTML.
    {"leetcode", DATASET_GOLD, DIALECT_MYSQL, NULL, 0, false, 9},
    {"calcite232", DATASET_GOLD, DIALECT_POSTGRES, NULL, 0, false, 0},
    {"literature64", DATASET_GOLD, DIALECT_POSTGRES, NULL, 0, false, 0},
};
// clang-format on

typedef struct tally {
    ptrdiff_t n;
    ptrdiff_t n_parsed;
    ptrdiff_t n_accepted;  // by SQLite
    ptrdiff_t n_compared;  // results
    ptrdiff_t n_missed;    // accepted and not parsed, or printed wrong
    ptrdiff_t n_unlawful;
} tally;

typedef struct oracle {
    arena memory;
    arena scratch;
    arena paths;  // of the open databases
    sqlite3 *open[MAX_DATABASES];
    str names[MAX_DATABASES];
    int n_open;
    sqlite3 *none;
    int steps;
    int steps_max;
    bool is_verbose;
    corpus_reader reader;
} oracle;

static int count_steps(void *context)
{
    oracle *o = context;
    return ++o->steps > o->steps_max;
}

static sqlite3 *database_of(oracle *o, const corpus *c, str db)
{
    if (!c->folder || db.len == 0) {
        return o->none;
    }
    str name = arena_printf(&o->paths, "%.*s/%s/database/%.*s/%.*s.sqlite",
                            STR_ARG(o->reader.data), c->folder, STR_ARG(db),
                            STR_ARG(db));
    for (int i = 0; i < o->n_open; i++) {
        if (str_equal(o->names[i], name)) {
            return o->open[i];
        }
    }
    if (o->n_open == MAX_DATABASES || !file_exists(name.ptr)
        || sqlite3_open_v2(name.ptr, &o->open[o->n_open], SQLITE_OPEN_READONLY,
                           NULL)
               != SQLITE_OK) {
        return o->none;
    }
    sqlite3_progress_handler(o->open[o->n_open], STEPS, count_steps, o);
    o->names[o->n_open] = name;
    return o->open[o->n_open++];
}

static bool is_syntax(const char *message)
{
    return strstr(message, "syntax error") || strstr(message, "unrecognized")
           || strstr(message, "incomplete") || strstr(message, "stack overflow")
           || strstr(message, "clause should come");
}

// Whether SQLite takes all of `sql` as one statement. *made is NULL where
// names are missing and only the syntax is right.
static bool sqlite_accepts(oracle *o, sqlite3 *db, str sql, sqlite3_stmt **made)
{
    const char *tail = NULL;
    *made = NULL;
    int code = sqlite3_prepare_v2(db, sql.ptr, (int)sql.len, made, &tail);
    if (code != SQLITE_OK) {
        return db == o->none && !is_syntax(sqlite3_errmsg(db));
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

// A digest of all rows in their order; false when the query is cut or fails.
static bool digest(oracle *o, sqlite3_stmt *s, uint64_t *out)
{
    uint64_t h = 14695981039346656037u;
    o->steps = 0;
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(s); i++) {
            int type = sqlite3_column_type(s, i);
            h = mix(h, &type, (int)sizeof type);
            const void *bytes = sqlite3_column_blob(s, i);
            h = mix(h, bytes, sqlite3_column_bytes(s, i));
        }
    }
    *out = h;
    return code == SQLITE_DONE;
}

// Prints every statement; false when the law of print.h is broken.
static bool print_lawfully(arena *a,
                           const parse_result *r,
                           dialect d,
                           str *text,
                           arena scratch)
{
    buf all = buf_new(a);
    for (const ast *n = r->statements; n; n = n->next) {
        print_sql(&all, n, d, PRINT_PRETTY, scratch);
        buf_add(&all, n->next ? S(";\n") : S(""));
    }
    *text = arena_str(a, buf_str(&all));
    parse_result again = parse_sql(a, *text, d, scratch);
    const ast *x = r->statements;
    const ast *y = again.statements;
    while (x && y && ast_equal(x, y)) {
        x = x->next;
        y = y->next;
    }
    return again.errors.len == 0 && !x && !y;
}

// With comments between its tokens it is the same, and all of them are there
// when it is printed, twice the same.
static bool keeps_comments(arena *a,
                           str sql,
                           const parse_result *plain,
                           dialect d,
                           arena scratch)
{
    rng random = {.state = (uint64_t)sql.len};
    str text = random_comments(a, &random, sql, d, scratch);
    parse_result r = parse_file(a, text, d, scratch);
    buf first = buf_new(a);
    print_script(&first, text, &r, d, PRINT_PRETTY, scratch);
    str printed = arena_str(a, buf_str(&first));
    parse_result again = parse_file(a, printed, d, scratch);
    buf second = buf_new(a);
    print_script(&second, printed, &again, d, PRINT_PRETTY, scratch);
    const ast *x = plain->statements;
    const ast *y = again.statements;
    while (x && y && ast_equal(x, y)) {
        x = x->next;
        y = y->next;
    }
    return !x && !y && r.comments.len == again.comments.len
           && str_equal(printed, buf_str(&second));
}

static bool same_result(oracle *o,
                        sqlite3 *db,
                        sqlite3_stmt *made,
                        str printed,
                        tally *t)
{
    sqlite3_stmt *other;
    if (!sqlite_accepts(o, db, printed, &other)) {
        return false;
    }
    uint64_t left = 0;
    uint64_t right = 0;
    // What is drawn at random differs from itself.
    bool both = made && other && str_find_fold(printed, S("random("), 0) < 0
                && digest(o, made, &left) && digest(o, other, &right);
    sqlite3_finalize(other);
    t->n_compared += both;
    return !both || left == right;
}

static void show(const oracle *o, const tally *t, const char *what, str sql)
{
    if (o->is_verbose || t->n_missed + t->n_unlawful <= MAX_SHOWN) {
        printf("    %s: %.*s\n", what, STR_ARG(sql));
    }
}

// The first mistake, for those who asked for all.
static void show_mistake(oracle *o, str sql, const parse_result *r)
{
    if (o->is_verbose && r->errors.len > 0) {
        str text = parse_error_show(&o->paths, S("sql"), sql, r->errors.ptr[0]);
        printf("    not read: %.*s", STR_ARG(text));
    }
}

static void judge(oracle *o, tally *t, const corpus *c, sqlite3 *db, str sql)
{
    arena a = o->memory;
    t->n++;
    parse_result r = parse_sql(&a, sql, c->dialect, o->scratch);
    bool parsed = r.errors.len == 0 && r.statements;
    t->n_parsed += parsed;
    str printed = {0};
    if (parsed && !print_lawfully(&a, &r, c->dialect, &printed, o->scratch)) {
        t->n_unlawful++;
        show(o, t, "printed, it reads otherwise", sql);
    } else if (parsed && !keeps_comments(&a, sql, &r, c->dialect, o->scratch)) {
        t->n_unlawful++;
        show(o, t, "comments in it are lost or move", sql);
    }
    if (!parsed) {
        show_mistake(o, sql, &r);
        t->n_missed += c->dialect != DIALECT_SQLITE;
    }
    sqlite3_stmt *made = NULL;
    if (c->dialect != DIALECT_SQLITE || !corpus_is_query(sql)) {
        return;
    }
    if (sqlite_accepts(o, db, sql, &made)) {
        t->n_accepted++;
        if (!parsed) {
            t->n_missed++;
            show(o, t, "SQLite accepts, we do not", sql);
        } else if (!same_result(o, db, made, printed, t)) {
            t->n_missed++;
            show(o, t, "printed, SQLite does otherwise", sql);
        }
    }
    sqlite3_finalize(made);
}

static bool report(const char *path, const tally *t, const corpus *c)
{
    ptrdiff_t slash = str_find(str_from(path), S("/"), 0);
    printf("%-40.40s %6td %6td %6td %6td %5td %5td\n", path + slash + 1, t->n,
           t->n_parsed, t->n_accepted, t->n_compared, t->n_missed,
           t->n_unlawful);
    ptrdiff_t allowed = c->dialect == DIALECT_SQLITE
                            ? t->n_accepted * c->per_mille / 1000
                            : c->n_damaged;
    return t->n > 0 && t->n_unlawful == 0 && t->n_missed <= allowed;
}

// A corpus that is being judged.
typedef struct judged {
    oracle *o;
    tally t;
    const corpus *c;
} judged;

static void judge_text(void *context, str db, str sql)
{
    judged *j = context;
    judge(j->o, &j->t, j->c, database_of(j->o, j->c, db), sql);
}

static bool judge_corpus(oracle *o, arena a, const corpus *c)
{
    judged j = {.o = o, .c = c};
    o->steps_max = c->role == DATASET_GOLD ? STEPS_MAX : STEPS_MAX_PRED;
    return corpus_each(&o->reader, c, a, judge_text, &j)
           && report(c->path, &j.t, c);
}

static void judge_pair(void *context, const json *pair)
{
    judged *j = context;
    sqlite3 *db = database_of(j->o, j->c, json_get_text(pair, S("db_id")));
    judge(j->o, &j->t, j->c, db, json_get_text(pair, S("q1")));
    judge(j->o, &j->t, j->c, db, json_get_text(pair, S("q2")));
}

static bool judge_pairs(oracle *o, arena a, const corpus *c)
{
    judged j = {.o = o, .c = c};
    o->steps_max = STEPS_MAX_PRED;
    return corpus_pairs(&o->reader, c->path, a, judge_pair, &j)
           && report(c->path, &j.t, c);
}

static int is_json(const struct dirent *entry)
{
    return str_ends(str_from(entry->d_name), S(".json"));
}

// All files of predictions of BIRD; their databases are not at hand.
static bool judge_bird(oracle *o, arena keep)
{
    str folder =
        arena_printf(&keep, "%.*s/bird/predictions", STR_ARG(o->reader.data));
    struct dirent **entries = NULL;
    int n = scandir(folder.ptr, &entries, is_json, alphasort);
    bool ok = n > 0;
    for (int i = 0; i < n; i++) {
        arena each = keep;
        str path =
            arena_printf(&each, "bird/predictions/%s", entries[i]->d_name);
        corpus c = {.path = path.ptr,
                    .role = DATASET_PRED,
                    .dialect = DIALECT_SQLITE,
                    .per_mille = 1};
        ok &= judge_corpus(o, each, &c);
        free(entries[i]);
    }
    free(entries);
    return ok;
}

static bool judge_all(oracle *o, arena keep)
{
    bool ok = true;
    printf("%-40s %6s %6s %6s %6s %5s %5s\n", "corpus", "texts", "parsed",
           "SQLite", "same", "not", "law");
    for (ptrdiff_t i = 0; i < n_corpora; i++) {
        ok &= judge_corpus(o, keep, &corpora[i]);
    }
    for (ptrdiff_t i = 0; i < countof(equivalence); i++) {
        ok &= judge_pairs(o, keep, &equivalence[i]);
    }
    return judge_bird(o, keep) && ok;
}

int main(void)
{
    arena_store stores[4];
    for (int i = 0; i < 4; i++) {
        if (!arena_store_open(&stores[i], (ptrdiff_t)1 << 30)) {
            return 1;
        }
    }
    arena keep = arena_store_clear(&stores[0]);
    oracle o = {.memory = arena_store_clear(&stores[1]),
                .scratch = arena_store_clear(&stores[2]),
                .paths = arena_store_clear(&stores[3])};
    if (!corpus_open(&o.reader, &keep, o.scratch)) {
        return EXIT_SKIPPED;
    }
    if (sqlite3_open(":memory:", &o.none) != SQLITE_OK) {
        return 1;
    }
    o.is_verbose = getenv("ASSAY_VERBOSE") != NULL;
    bool ok = judge_all(&o, keep);
    corpus_close(&o.reader);
    for (int i = 0; i < o.n_open; i++) {
        sqlite3_close(o.open[i]);
    }
    sqlite3_close(o.none);
    return ok ? 0 : 1;
}
