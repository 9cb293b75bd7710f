/*
 * oracle_bind.c - the binder beside SQLite on real queries.
 *
 * SQLite prepares each query on its database (for pairs of $ASSAY_DATA that
 * come with CREATE statements: on an empty one). Where it says that a table or
 * column is unknown or ambiguous, that a position is out of range or that
 * numbers of columns differ, the binder must say it of the same name; where it
 * prepares, the binder must find nothing wrong and know the same columns by
 * the same names. Prints a line per corpus and every disagreement.
 */
#include "base/file.h"
#include "oracle/corpus.h"
#include "schema/bind.h"
#include "sql/parse.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    EXIT_SKIPPED = 77,
    SHOWN_MAX = 20,  // disagreements of a corpus
};

static const struct {
    const char *name;
    ptrdiff_t n_wrong;  // that are known
} pairs[] = {
    {"literature64", 0},    {"leetcode", 1},  // SQLite forgets the alias in JOIN (t AS x)
    {"bird_mini_pairs", 0}, {"spider_dev_pairs", 0}, {"calcite232", 0},
};

typedef struct bound_base {
    sqlite3 *db;
    schema schema;
    bool is_good;
} bound_base;

typedef struct tally {
    ptrdiff_t n;
    ptrdiff_t n_bound;      // parsed, and one query
    ptrdiff_t n_prepared;   // by SQLite
    ptrdiff_t n_refused;    // by SQLite, for a name
    ptrdiff_t n_otherwise;  // refused for something else
    ptrdiff_t n_wrong;
} tally;

typedef struct oracle {
    corpus_reader reader;
    arena keep;
    arena memory;
    arena scratch;
    map names;  // of bases
    vec_of(bound_base) bases;
} oracle;

static str text_at(sqlite3_stmt *row, int i, arena *a)
{
    return arena_str(a, str_from((const char *)sqlite3_column_text(row, i)));
}

static void read_columns(arena *a, sqlite3 *db, schema_table *t)
{
    enum {
        COLUMNS_MAX = 300
    };
    sqlite3_stmt *rows = NULL;
    sqlite3_prepare_v2(db, "SELECT name, type, pk FROM pragma_table_info(?)",
                       -1, &rows, NULL);
    sqlite3_bind_text(rows, 1, t->name.ptr, (int)t->name.len, SQLITE_STATIC);
    schema_column *columns = arena_new(a, schema_column, COLUMNS_MAX);
    while (sqlite3_step(rows) == SQLITE_ROW && t->n_columns < COLUMNS_MAX) {
        schema_column *c = &columns[t->n_columns++];
        c->name = text_at(rows, 0, a);
        c->type = text_at(rows, 1, a);
    }
    sqlite3_finalize(rows);
    t->columns = columns;
    t->has_rowid = true;
}

static schema read_schema(arena *a, sqlite3 *db)
{
    enum {
        TABLES_MAX = 300
    };
    schema s = {0};
    sqlite3_stmt *rows = NULL;
    schema_table *tables = arena_new(a, schema_table, TABLES_MAX);
    sqlite3_prepare_v2(
        db, "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')",
        -1, &rows, NULL);
    while (sqlite3_step(rows) == SQLITE_ROW && s.n_tables < TABLES_MAX) {
        schema_table *t = &tables[s.n_tables++];
        t->name = text_at(rows, 0, a);
        read_columns(a, db, t);
    }
    sqlite3_finalize(rows);
    s.tables = tables;
    return s;
}

static bound_base *new_base(oracle *o, str name)
{
    ptrdiff_t id = map_find(&o->names, name);
    if (id >= 0) {
        return &o->bases.ptr[id];
    }
    map_add(&o->names, &o->keep, name);
    return vec_push(&o->keep, &o->bases);
}

static bound_base *base_of_file(oracle *o, const char *folder, str db)
{
    str path =
        arena_printf(&o->keep, "%.*s/%s/database/%.*s/%.*s.sqlite",
                     STR_ARG(o->reader.data), folder, STR_ARG(db), STR_ARG(db));
    bound_base *b = new_base(o, path);
    if (!b->db && file_exists(path.ptr)) {
        b->is_good =
            sqlite3_open_v2(path.ptr, &b->db, SQLITE_OPEN_READONLY, NULL)
            == SQLITE_OK;
        b->schema = read_schema(&o->keep, b->db);
    }
    return b;
}

static bound_base *base_of_ddl(oracle *o, str name, str ddl)
{
    bound_base *b = new_base(o, name);
    if (!b->db) {
        const char *sql = arena_cstr(&o->keep, ddl);
        b->is_good = sqlite3_open(":memory:", &b->db) == SQLITE_OK
                     && sqlite3_exec(b->db, sql, NULL, NULL, NULL) == SQLITE_OK;
        b->schema = read_schema(&o->keep, b->db);
    }
    return b;
}

static bound_base *base_of_path(oracle *o, str path)
{
    str full = arena_printf(&o->keep, "%.*s/equivalence/%.*s",
                            STR_ARG(o->reader.data), STR_ARG(path));
    bound_base *b = new_base(o, full);
    file_map f;
    diag d = diag_new(&o->keep);
    if (!b->db && file_open(&f, &o->keep, full, &d)) {
        str ddl = arena_str(&o->keep, f.bytes);
        file_close(&f);
        return base_of_ddl(o, full, ddl);
    }
    return b;
}

// What SQLite complains of, as a kind of ours; -1: of something else.
static int complaint(str message, str *name)
{
    static const struct {
        const char *begin;
        bind_problem_kind kind;
    } known[] = {
        {"no such table: ", BIND_NO_TABLE},
        {"no such column: ", BIND_NO_COLUMN},
        {"ambiguous column name: ", BIND_AMBIGUOUS},
        {"cannot join using column ", BIND_NO_COLUMN},
    };
    static const struct {
        const char *part;
        bind_problem_kind kind;
    } parts[] = {
        {"term out of range", BIND_NO_POSITION},
        {"same number of result columns", BIND_COLUMN_COUNT},
        {"does not match any column in the result set", BIND_NO_COLUMN},
        {"duplicate WITH table name", BIND_DUPLICATE_NAME},
        {"circular reference", BIND_NO_TABLE},
    };
    *name = (str){0};
    for (ptrdiff_t i = 0; i < countof(known); i++) {
        str begin = str_from(known[i].begin);
        if (str_starts(message, begin)) {
            *name = str_skip(message, begin.len);
            str_cut(name, '.');
            *name = str_skip(message, begin.len);
            return (int)known[i].kind;
        }
    }
    for (ptrdiff_t i = 0; i < countof(parts); i++) {
        if (str_find(message, str_from(parts[i].part), 0) >= 0) {
            return (int)parts[i].kind;
        }
    }
    return -1;
}

static bool has_problem(const binding *b, int kind, str name)
{
    str last = name;
    while (str_find(last, S("."), 0) >= 0) {
        str_cut(&last, '.');
    }
    for (ptrdiff_t i = 0; i < b->problems.len; i++) {
        const bind_problem *p = &b->problems.ptr[i];
        bool names = name.len == 0 || str_find_fold(p->text, last, 0) >= 0
                     || str_find_fold(p->text, name, 0) >= 0
                     || kind == BIND_NO_COLUMN;
        if ((int)p->kind == kind && names) {
            return true;
        }
    }
    return false;
}

static bool same_columns(const binding *b, sqlite3_stmt *made)
{
    const bound_query *q = b->query;
    if (q->n_outputs != sqlite3_column_count(made)) {
        return false;
    }
    for (ptrdiff_t i = 0; i < q->n_outputs; i++) {
        str name = str_from(sqlite3_column_name(made, (int)i));
        if (q->outputs[i].name.len > 0
            && !str_equal(q->outputs[i].name, name)) {
            return false;
        }
    }
    return true;
}

static void show(tally *t, str sql, const binding *b, const char *message)
{
    t->n_wrong++;
    if (t->n_wrong > SHOWN_MAX) {
        return;
    }
    printf("  %.*s\n    SQLite: %s\n", STR_ARG(sql), message);
    for (ptrdiff_t i = 0; i < b->problems.len; i++) {
        printf("    binder: %.*s\n", STR_ARG(b->problems.ptr[i].text));
    }
}

static void judge(oracle *o, tally *t, bound_base *base, str sql)
{
    arena a = o->memory;
    t->n++;
    if (!base->is_good || !corpus_is_query(sql)) {
        return;
    }
    parse_result r = parse_sql(&a, sql, DIALECT_SQLITE, o->scratch);
    if (r.errors.len > 0 || !r.statements || !ast_is_query(r.statements)) {
        return;
    }
    t->n_bound++;
    binding *b =
        bind_query(&a, r.statements, &base->schema, DIALECT_SQLITE, o->scratch);
    sqlite3_stmt *made = NULL;
    int code = sqlite3_prepare_v2(base->db, sql.ptr, (int)sql.len, &made, NULL);
    str name;
    const char *message = sqlite3_errmsg(base->db);
    int kind = code == SQLITE_OK ? -1 : complaint(str_from(message), &name);
    t->n_prepared += code == SQLITE_OK;
    t->n_refused += kind >= 0;
    t->n_otherwise += code != SQLITE_OK && kind < 0;
    if (code == SQLITE_OK && b->problems.len > 0) {
        show(t, sql, b, "nothing wrong");
    } else if (code == SQLITE_OK && !same_columns(b, made)) {
        show(t, sql, b, "other columns");
    } else if (kind >= 0 && !has_problem(b, kind, name)) {
        show(t, sql, b, message);
    }
    sqlite3_finalize(made);
}

static bool report(const char *path, const tally *t, ptrdiff_t n_wrong)
{
    printf("%-44s %6td %6td %6td %6td %6td %5td\n", path, t->n, t->n_bound,
           t->n_prepared, t->n_refused, t->n_otherwise, t->n_wrong);
    return t->n > 0 && t->n_wrong == n_wrong;
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
    judge(j->o, &j->t, base_of_file(j->o, j->c->folder, db), sql);
}

static bool judge_corpus(oracle *o, arena a, const corpus *c)
{
    judged j = {.o = o, .c = c};
    return corpus_each(&o->reader, c, a, judge_text, &j)
           && report(c->path, &j.t, 0);
}

static void judge_pair(void *context, const json *pair)
{
    judged *j = context;
    str from = json_get_text(pair, S("schema"));
    str ddl = json_get_text(pair, S("ddl"));
    if (from.len > 0 || ddl.len > 0) {
        bound_base *b = ddl.len > 0 ? base_of_ddl(j->o, ddl, ddl)
                                    : base_of_path(j->o, from);
        judge(j->o, &j->t, b, json_get_text(pair, S("q1")));
        judge(j->o, &j->t, b, json_get_text(pair, S("q2")));
    }
}

static bool judge_pairs(oracle *o, arena a, const char *name, ptrdiff_t n_wrong)
{
    judged j = {.o = o};
    return corpus_pairs(&o->reader, name, a, judge_pair, &j)
           && report(name, &j.t, n_wrong);
}

// Of a dialect and with databases that SQLite has.
static bool is_bound(const corpus *c)
{
    return c->dialect == DIALECT_SQLITE && c->folder;
}

static bool judge_all(oracle *o, arena a)
{
    bool ok = true;
    printf("%-44s %6s %6s %6s %6s %6s %5s\n", "corpus", "texts", "bound",
           "SQLite", "names", "other", "wrong");
    for (ptrdiff_t i = 0; i < n_corpora; i++) {
        ok &= !is_bound(&corpora[i]) || judge_corpus(o, a, &corpora[i]);
    }
    for (ptrdiff_t i = 0; i < countof(pairs); i++) {
        ok &= judge_pairs(o, a, pairs[i].name, pairs[i].n_wrong);
    }
    return ok;
}

int main(void)
{
    arena_store stores[4];
    for (int i = 0; i < 4; i++) {
        if (!arena_store_open(&stores[i], (ptrdiff_t)1 << 30)) {
            return 1;
        }
    }
    arena lists = arena_store_clear(&stores[0]);
    static oracle o;
    o.memory = arena_store_clear(&stores[1]);
    o.scratch = arena_store_clear(&stores[2]);
    o.keep = arena_store_clear(&stores[3]);
    if (!corpus_open(&o.reader, &lists, o.scratch)) {
        return EXIT_SKIPPED;
    }
    bool ok = judge_all(&o, lists);
    for (ptrdiff_t i = 0; i < o.bases.len; i++) {
        sqlite3_close(o.bases.ptr[i].db);
    }
    corpus_close(&o.reader);
    return ok ? 0 : 1;
}
