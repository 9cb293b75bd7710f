/*
 * suite_read.c - a suite from JSON lines.
 *
 * Invariants  The bytes may come from anywhere: everything that is used as a
 *             size or an index is checked here, so that those who use a suite
 *             need not. Rows have the width of their table, numbers of
 *             databases are in range, no gold comes twice.
 *
 * Cost        Linear in the text.
 */
#include "base/json.h"
#include "schema/schema_ddl.h"
#include "suite/suite.h"
#include "table/table.h"

#include <assert.h>

typedef struct reader {
    suite *s;
    arena *a;
    diag *d;
    str file;
    int64_t line;
} reader;

static bool wrong(reader *r, const char *what)
{
    return diag_add(r->d, (diag_place){r->file, r->line, 0}, "%s", what);
}

static bool read_value(reader *r, const json *j, value *out)
{
    return j->kind == JSON_KIND_OBJECT
               ? value_read_blob(r->a, json_get_text(j, S("blob")), out)
               : value_of_json(out, j) && out->kind != VALUE_BOOL;
}

static bool read_rows(reader *r,
                      const json *j,
                      const schema_table *t,
                      instance_table *out)
{
    *out = (instance_table){arena_new(r->a, value, j->n * t->n_columns), j->n};
    ptrdiff_t at = 0;
    for (const json *row = j->child; row; row = row->next) {
        if (row->kind != JSON_KIND_ARRAY || row->n != t->n_columns) {
            return wrong(
                r, "a row does not have a value for each column of its table");
        }
        for (const json *v = row->child; v; v = v->next) {
            if (!read_value(r, v, &out->cells[at++])) {
                return wrong(r, "a value that no database holds");
            }
        }
    }
    return true;
}

static bool read_database(reader *r, const json *j, instance *out)
{
    const schema *s = &r->s->schema;
    const json *tables = json_get(j, S("tables"));
    if (!tables || tables->kind != JSON_KIND_OBJECT) {
        return wrong(r, "expected the tables of a database");
    }
    *out = (instance){s, arena_new(r->a, instance_table, s->n_tables)};
    for (const json *t = tables->child; t; t = t->next) {
        int32_t no = schema_find_table(s, t->key);
        if (no < 0 || t->kind != JSON_KIND_ARRAY) {
            return wrong(r, "a table that the schema does not have");
        }
        if (!read_rows(r, t, &s->tables[no], &out->tables[no])) {
            return false;
        }
    }
    return true;
}

static str text_at(const json *list, int at)
{
    const json *m = json_at(list, at);
    return m && m->kind == JSON_KIND_STRING ? m->text : (str){0};
}

static int32_t int_of(const json *j)
{
    bool fits = j && j->kind == JSON_KIND_INT && j->i >= 0 && j->i < INT32_MAX;
    return fits ? (int32_t)j->i : -1;
}

static int32_t int_at(const json *list, int at)
{
    return int_of(json_at(list, at));
}

static bool is_database(const reader *r, int32_t no)
{
    return no >= 0 && no < r->s->n_databases;
}

static bool read_causes(reader *r, const json *list, unsigned *causes)
{
    for (const json *j = list ? list->child : NULL; j; j = j->next) {
        suite_cause c;
        if (!suite_cause_from_word(j->text, &c)) {
            return wrong(r, "an unknown reason to be strict");
        }
        *causes |= 1u << c;
    }
    return true;
}

static const json *first_of(const json *list)
{
    return list ? list->child : NULL;
}

static bool read_killers(reader *r, const json *list, suite_gold *g)
{
    for (const json *j = first_of(list); j; j = j->next) {
        suite_killer *k = vec_push(r->a, &g->killers);
        k->database = int_at(j, 0);
        k->n_killed = int_at(j, 1);
        k->neighbor = text_at(j, 3);
        if (!neighbor_from_word(text_at(j, 2), &k->kind)
            || !is_database(r, k->database)) {
            return wrong(r, "a killer that is not in the suite");
        }
    }
    return true;
}

static bool read_unstable(reader *r, const json *list, suite_gold *g)
{
    for (const json *j = first_of(list); j; j = j->next) {
        int32_t no = int_of(j);
        if (!is_database(r, no)) {
            return wrong(r, "a database that is not in the suite");
        }
        *vec_push(r->a, &g->unstable) = no;
    }
    return true;
}

static bool read_kinds(reader *r, const json *kinds, suite_gold *g)
{
    neighbor_kind kind;
    for (const json *k = kinds ? kinds->child : NULL; k; k = k->next) {
        if (neighbor_from_word(k->key, &kind)) {
            g->made[kind] = int_at(k, 0);
            g->killed[kind] = int_at(k, 1);
            if (g->killed[kind] < 0 || g->killed[kind] > g->made[kind]) {
                return wrong(r, "more neighbors killed than there are");
            }
        }
    }
    return true;
}

static bool read_survivors(reader *r,
                           const json *list,
                           bool proved,
                           suite_gold *g)
{
    for (const json *j = first_of(list); j; j = j->next) {
        suite_survivor *s = vec_push(r->a, &g->survivors);
        if (!neighbor_from_word(text_at(j, 0), &s->neighbor.kind)) {
            return wrong(r, "an unknown kind of neighbor");
        }
        s->neighbor.sql = text_at(j, 1);
        s->why = text_at(j, 2);
        s->is_proved = proved;
    }
    return true;
}

static bool read_gold(reader *r, const json *j, suite_gold *g)
{
    g->sql = json_get_text(j, S("gold"));
    g->error = json_get_text(j, S("error"));
    if (g->sql.len == 0) {
        return wrong(r, "expected a gold");
    }
    return read_kinds(r, json_get(j, S("kinds")), g)
           && read_killers(r, json_get(j, S("killers")), g)
           && read_unstable(r, json_get(j, S("unstable")), g)
           && read_survivors(r, json_get(j, S("proved")), true, g)
           && read_survivors(r, json_get(j, S("survivors")), false, g);
}

static void read_curve(reader *r, const json *curve)
{
    for (const json *j = first_of(curve); j; j = j->next) {
        *vec_push(r->a, &r->s->curve) =
            (suite_point){int_at(j, 0), int_at(j, 1)};
    }
}

static void read_notes(reader *r, const json *notes)
{
    for (const json *j = first_of(notes); j; j = j->next) {
        *vec_push(r->a, &r->s->notes) = j->text;
    }
}

static ptrdiff_t count_lines(str text)
{
    ptrdiff_t n = 0;
    while (text.len > 0) {
        str_cut(&text, '\n');
        n++;
    }
    return n;
}

// How many lines are promised; what is not there is found missing later.
static ptrdiff_t promised(const json *head, str key, ptrdiff_t most)
{
    ptrdiff_t n = int_of(json_get(head, key));
    return n <= most ? n : -1;
}

static bool read_head(reader *r,
                      const json *head,
                      ptrdiff_t n_lines,
                      arena scratch)
{
    suite *s = r->s;
    const json *version = json_get(head, S("assay_suite"));
    if (!version || version->kind != JSON_KIND_INT) {
        return wrong(r, "this is not a suite");
    }
    if (version->i != SUITE_VERSION) {
        return wrong(r, "the suite was written by another version of assay");
    }
    s->db = json_get_text(head, S("db"));
    s->key = json_get_text(head, S("key"));
    s->ddl = json_get_text(head, S("ddl"));
    s->n_databases = promised(head, S("databases"), n_lines);
    s->n_golds = promised(head, S("golds"), n_lines);
    if (s->n_databases < 0 || s->n_golds < 0) {
        return wrong(r, "the head does not describe what follows");
    }
    const json *tries = json_get(head, S("tries"));
    s->tries = tries ? tries->i : 0;
    read_curve(r, json_get(head, S("curve")));
    read_notes(r, json_get(head, S("notes")));
    str engine = json_get_text(head, S("engine"));
    dialect d = DIALECT_SQLITE;
    if (engine.len > 0
        && (!dialect_from_word(engine, &d)
            || (d != DIALECT_SQLITE && d != DIALECT_POSTGRES
                && d != DIALECT_DUCKDB))) {
        return wrong(r, "a suite for an unknown engine");
    }
    return schema_from_ddl(&s->schema, r->a, r->file, s->ddl, d, d, r->d,
                           scratch);
}

static const json *read_line(reader *r, str *rest)
{
    json_error error;
    str line = str_cut(rest, '\n');
    r->line++;
    const json *j = json_parse(r->a, line, &error);
    if (!j || j->kind != JSON_KIND_OBJECT) {
        wrong(r, "expected a line of JSON");
        return NULL;
    }
    return j;
}

bool suite_from_text(suite *s,
                     arena *a,
                     str file,
                     str text,
                     diag *d,
                     arena scratch)
{
    *s = (suite){0};
    reader r = {.s = s, .a = a, .d = d, .file = file};
    str rest = text;
    const json *j = read_line(&r, &rest);
    if (!j || !read_head(&r, j, count_lines(text), scratch)) {
        return false;
    }
    instance *databases = arena_new(a, instance, s->n_databases);
    unsigned *strict = arena_new(a, unsigned, s->n_databases);
    suite_gold *golds = arena_new(a, suite_gold, s->n_golds);
    for (ptrdiff_t i = 0; i < s->n_databases; i++) {
        j = read_line(&r, &rest);
        if (!j || !read_database(&r, j, &databases[i])
            || !read_causes(&r, json_get(j, S("strict")), &strict[i])) {
            return false;
        }
    }
    for (ptrdiff_t i = 0; i < s->n_golds; i++) {
        j = read_line(&r, &rest);
        if (!j || !read_gold(&r, j, &golds[i])) {
            return false;
        }
        if (map_add(&s->by_sql, a, golds[i].sql) != i) {
            return wrong(&r, "a gold that occurs twice");
        }
    }
    s->databases = databases;
    s->strict = strict;
    s->golds = golds;
    return true;
}
