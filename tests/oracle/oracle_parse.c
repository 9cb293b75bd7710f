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
#include "base/json.h"
#include "law/random_sql.h"
#include "read/dataset.h"
#include "sql/outline.h"
#include "sql/parse.h"
#include "sql/print.h"
#include "sql/template.h"

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

typedef struct corpus {
    const char *path;
    dataset_role role;
    dialect dialect;
    const char *folder;  // of its databases; NULL: none
    int per_mille;       // of what SQLite accepts may fail
    bool has_templates;
    int n_damaged;  // texts that no program of the dialect reads
} corpus;

// clang-format off
static const corpus corpora[] = {
    {"spider/dev_gold.sql", DATASET_GOLD, DIALECT_SQLITE, "spider", 0, false, 0},
    {"sparc/dev_gold.txt", DATASET_GOLD, DIALECT_SQLITE, "spider", 0, false, 0},
    {"cosql/dev_gold.txt", DATASET_GOLD, DIALECT_SQLITE, "spider", 0, false, 0},
    {"bird/bird_mini_dev_sqlite.json", DATASET_GOLD, DIALECT_SQLITE, NULL, 0, false, 0},
    {"bird/bird_mini_dev_postgres.json", DATASET_GOLD, DIALECT_POSTGRES, NULL, 0, false, 0},
#define DEFOG(file, d) {"defog/questions/" file, DATASET_GOLD, d, d == DIALECT_SQLITE ? "defog" : NULL, 0, true, 0}
    DEFOG("questions_gen_sqlite.csv", DIALECT_SQLITE),
    DEFOG("instruct_basic_sqlite.csv", DIALECT_SQLITE),
    DEFOG("instruct_advanced_sqlite.csv", DIALECT_SQLITE),
    DEFOG("questions_gen_postgres.csv", DIALECT_POSTGRES),
    DEFOG("instruct_basic_postgres.csv", DIALECT_POSTGRES),
    DEFOG("instruct_advanced_postgres.csv", DIALECT_POSTGRES),
    DEFOG("questions_gen_mysql.csv", DIALECT_MYSQL),
    DEFOG("instruct_basic_mysql.csv", DIALECT_MYSQL),
    DEFOG("instruct_advanced_mysql.csv", DIALECT_MYSQL),
    DEFOG("questions_gen_bigquery.csv", DIALECT_BIGQUERY),
    DEFOG("instruct_basic_bigquery.csv", DIALECT_BIGQUERY),
    DEFOG("instruct_advanced_bigquery.csv", DIALECT_BIGQUERY),
    DEFOG("questions_gen_tsql.csv", DIALECT_TSQL),
    DEFOG("instruct_basic_tsql.csv", DIALECT_TSQL),
    DEFOG("instruct_advanced_tsql.csv", DIALECT_TSQL),
    DEFOG("questions_gen_snowflake.csv", DIALECT_SNOWFLAKE),
#undef DEFOG
#define SPIDER(name) {"spider/predictions/" name ".sql", DATASET_PRED, DIALECT_SQLITE, "spider", 1, false, 0}
    SPIDER("c3_chatgpt"),
    SPIDER("chatgpt_zero_shot"),
    SPIDER("dail_gpt4"),
    SPIDER("dbgpt_lora"),
    SPIDER("din_codex"),
    SPIDER("gpt4_few_shot"),
    SPIDER("spider_pred_example"),
    SPIDER("tse_dev_01"),
    SPIDER("tse_dev_03"),
    SPIDER("tse_dev_05"),
    SPIDER("tse_dev_07"),
    SPIDER("tse_dev_09"),
    SPIDER("tse_dev_11"),
    SPIDER("tse_dev_13"),
    SPIDER("tse_dev_15"),
    SPIDER("tse_dev_17"),
    SPIDER("tse_dev_19"),
    SPIDER("tse_dev_21"),
#undef SPIDER
};
// clang-format on

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
    str data;
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
    dataset spider;  // whose records say the databases of predictions
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
    str name =
        arena_printf(&o->paths, "%.*s/%s/database/%.*s/%.*s.sqlite",
                     STR_ARG(o->data), c->folder, STR_ARG(db), STR_ARG(db));
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

static bool is_query(str sql)
{
    str verb = sql_outline_of(sql, DIALECT_SQLITE).verb;
    return str_equal_fold(verb, S("select")) || str_equal_fold(verb, S("with"))
           || str_equal_fold(verb, S("values"));
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
    if (c->dialect != DIALECT_SQLITE || !is_query(sql)
        || sql_outline_of(sql, DIALECT_SQLITE).n_statements != 1) {
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

static void judge_gold(oracle *o,
                       tally *t,
                       const corpus *c,
                       sqlite3 *db,
                       const record *r)
{
    arena *a = &o->memory;
    arena before = *a;
    diag d = diag_new(a);
    template_variants v = {r->golds, r->n_golds};
    template_options options = {.dialect = c->dialect};
    if (!c->has_templates
        || template_expand(&v, a, r->golds, r->n_golds, options, &d,
                           o->scratch)) {
        for (ptrdiff_t i = 0; i < v.n; i++) {
            judge(o, t, c, db, v.sql[i]);
        }
    }
    *a = before;
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

// Predictions do not say their database; their line does.
static str db_of(const oracle *o, const corpus *c, const record *r, ptrdiff_t i)
{
    if (c->role == DATASET_GOLD || !c->folder) {
        return r->db;
    }
    int32_t db = i < o->spider.entries.len ? o->spider.entries.ptr[i].db : -1;
    return db >= 0 ? map_key_at(&o->spider.dbs, db) : (str){0};
}

static bool judge_corpus(oracle *o, arena a, const corpus *c)
{
    str path = arena_printf(&a, "%.*s/%s", STR_ARG(o->data), c->path);
    dataset set;
    diag d = diag_new(&a);
    dataset_options options = {.role = c->role};
    if (!dataset_open(&set, &a, path, options, &d, o->scratch)) {
        printf("%s cannot be read\n", c->path);
        return false;
    }
    tally t = {0};
    o->steps_max = c->role == DATASET_GOLD ? STEPS_MAX : STEPS_MAX_PRED;
    for (ptrdiff_t i = 0; i < set.entries.len; i++) {
        arena each = a;
        record r = dataset_record(&set, i, &each);
        sqlite3 *db = database_of(o, c, db_of(o, c, &r, i));
        if (r.n_golds > 0) {
            judge_gold(o, &t, c, db, &r);
        }
        for (ptrdiff_t k = 0; k < r.n_preds; k++) {
            judge(o, &t, c, db, r.preds[k].sql);
        }
    }
    dataset_close(&set);
    return report(c->path, &t, c);
}

static bool judge_pairs(oracle *o, arena a, const corpus *c)
{
    str path = arena_printf(&a, "%.*s/equivalence/%s.jsonl", STR_ARG(o->data),
                            c->path);
    diag d = diag_new(&a);
    file_map file;
    if (!file_open(&file, &a, path, &d)) {
        printf("%s cannot be read\n", c->path);
        return false;
    }
    tally t = {0};
    o->steps_max = STEPS_MAX_PRED;
    str rest = file.bytes;
    while (rest.len > 0) {
        arena each = a;
        const json *pair = json_parse(&each, str_cut(&rest, '\n'), NULL);
        if (pair) {
            sqlite3 *db = database_of(o, c, json_get_text(pair, S("db_id")));
            judge(o, &t, c, db, json_get_text(pair, S("q1")));
            judge(o, &t, c, db, json_get_text(pair, S("q2")));
        }
    }
    file_close(&file);
    return report(c->path, &t, c);
}

static int is_json(const struct dirent *entry)
{
    return str_ends(str_from(entry->d_name), S(".json"));
}

// All files of predictions of BIRD; their databases are not at hand.
static bool judge_bird(oracle *o, arena keep)
{
    str folder = arena_printf(&keep, "%.*s/bird/predictions", STR_ARG(o->data));
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
    for (ptrdiff_t i = 0; i < countof(corpora); i++) {
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
    const char *folder = getenv("ASSAY_DATA");
    o.data = str_from(folder ? folder : "../shared/data");
    str probe =
        arena_printf(&keep, "%.*s/spider/dev_gold.sql", STR_ARG(o.data));
    if (!file_exists(probe.ptr)) {
        printf("skipped: no data\n");
        return EXIT_SKIPPED;
    }
    if (sqlite3_open(":memory:", &o.none) != SQLITE_OK) {
        return 1;
    }
    o.is_verbose = getenv("ASSAY_VERBOSE") != NULL;
    diag d = diag_new(&keep);
    dataset_options options = {.role = DATASET_GOLD};
    if (!dataset_open(&o.spider, &keep, probe, options, &d, o.scratch)) {
        return 1;
    }
    bool ok = judge_all(&o, keep);
    dataset_close(&o.spider);
    for (int i = 0; i < o.n_open; i++) {
        sqlite3_close(o.open[i]);
    }
    sqlite3_close(o.none);
    return ok ? 0 : 1;
}
