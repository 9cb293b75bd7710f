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

static const json *member(const json *list, int at)
{
    assert(at >= 0);
    const json *m = list ? list->child : NULL;
    while (m && at > 0) {
        m = m->next;
        at--;
    }
    return m;
}

static str text_at(const json *list, int at)
{
    const json *m = member(list, at);
    return m && m->kind == JSON_KIND_STRING ? m->text : (str){0};
}

static int32_t int_at(const json *list, int at)
{
    const json *m = member(list, at);
    bool fits = m && m->kind == JSON_KIND_INT && m->i >= 0 && m->i < INT32_MAX;
    return fits ? (int32_t)m->i : -1;
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

static bool read_killers(reader *r, const json *list, suite_gold *g)
{
    ptrdiff_t n = list ? list->n : 0;
    suite_killer *killers = arena_new(r->a, suite_killer, n);
    const json *j = list ? list->child : NULL;
    for (ptrdiff_t i = 0; j; i++, j = j->next) {
        killers[i].database = int_at(j, 0);
        killers[i].n_killed = int_at(j, 1);
        killers[i].neighbor = text_at(j, 3);
        if (!neighbor_from_word(text_at(j, 2), &killers[i].kind)
            || !is_database(r, killers[i].database)) {
            return wrong(r, "a killer that is not in the suite");
        }
    }
    g->killers = killers;
    g->n_killers = n;
    return true;
}

static bool read_unstable(reader *r, const json *list, suite_gold *g)
{
    ptrdiff_t n = list ? list->n : 0;
    int32_t *unstable = arena_new(r->a, int32_t, n);
    const json *j = list ? list->child : NULL;
    for (ptrdiff_t i = 0; j; i++, j = j->next) {
        unstable[i] =
            j->kind == JSON_KIND_INT && j->i < INT32_MAX ? (int32_t)j->i : -1;
        if (!is_database(r, unstable[i])) {
            return wrong(r, "a database that is not in the suite");
        }
    }
    g->unstable = unstable;
    g->n_unstable = n;
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

static bool read_survivors(reader *r, const json *j, suite_gold *g)
{
    const json *lists[] = {json_get(j, S("proved")),
                           json_get(j, S("survivors"))};
    ptrdiff_t n = (lists[0] ? lists[0]->n : 0) + (lists[1] ? lists[1]->n : 0);
    suite_survivor *out = arena_new(r->a, suite_survivor, n);
    for (int l = 0; l < 2; l++) {
        for (const json *v = lists[l] ? lists[l]->child : NULL; v;
             v = v->next) {
            suite_survivor *s = &out[g->n_survivors++];
            if (!neighbor_from_word(text_at(v, 0), &s->neighbor.kind)) {
                return wrong(r, "an unknown kind of neighbor");
            }
            s->neighbor.sql = text_at(v, 1);
            s->why = text_at(v, 2);
            s->is_proved = l == 0;
        }
    }
    g->survivors = out;
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
           && read_survivors(r, j, g);
}

static void read_curve(reader *r, const json *curve)
{
    ptrdiff_t n = curve ? curve->n : 0;
    suite_point *points = arena_new(r->a, suite_point, n);
    ptrdiff_t at = 0;
    for (const json *p = curve ? curve->child : NULL; p; p = p->next) {
        points[at++] = (suite_point){int_at(p, 0), int_at(p, 1)};
    }
    r->s->curve = points;
    r->s->n_curve = n;
}

static void read_notes(reader *r, const json *notes)
{
    ptrdiff_t n = notes ? notes->n : 0;
    str *out = arena_new(r->a, str, n);
    for (const json *j = notes ? notes->child : NULL; j; j = j->next) {
        out[r->s->n_notes++] = j->text;
    }
    r->s->notes = out;
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
    const json *n = json_get(head, key);
    bool fits = n && n->kind == JSON_KIND_INT && n->i >= 0 && n->i <= most;
    return fits ? (ptrdiff_t)n->i : -1;
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
