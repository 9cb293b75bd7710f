/*
 * witness.c - from rows in memory to statements, and back.
 *
 * Method      Tables that are read are written, with those that their foreign
 *             keys lead to, as one text; the replay loads that text and
 *             nothing else, so what people get is what was tried. Witnesses of
 *             a few pairs have the same tables: a connection in which these
 *             were made is kept, and gets the rows of the next one.
 *
 * Cost        Linear in the rows; a connection for each of the first
 *             WITNESS_KEPT lists of tables, and for each witness of others.
 */
#include "check/witness.h"

#include "base/map.h"
#include "base/words.h"
#include "relation/relation_values.h"
#include "schema/schema_ddl.h"
#include "schema/schema_draft.h"
#include "sql/lex.h"
#include "sql/name.h"

#include <assert.h>

// Marks what the marked tables refer to.
static void mark_parents(const schema *s, bool *wanted)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (ptrdiff_t k = 0; k < s->n_keys; k++) {
            const schema_key *key = &s->keys[k];
            if (key->parent >= 0 && wanted[key->child]
                && !wanted[key->parent]) {
                wanted[key->parent] = true;
                changed = true;
            }
        }
    }
}

// Marks what a marked view reads, and the views among that.
static void mark_read_by_view(const schema *s,
                              const ast *view,
                              bool *wanted,
                              arena scratch)
{
    node_list all = relation_nodes_of(&scratch, view, NODES_ALL);
    for (ptrdiff_t i = 0; i < all.len; i++) {
        const ast *n = all.ptr[i];
        int32_t t = n->kind == AST_TABLE ? schema_find_table(s, n->text) : -1;
        if (t >= 0 && !wanted[t]) {
            wanted[t] = true;
            if (s->tables[t].view) {
                mark_read_by_view(s, s->tables[t].view, wanted, scratch);
            }
        }
    }
}

str witness_sql(arena *a,
                const instance *rows,
                const reading *reads,
                ptrdiff_t *rows_at,
                arena scratch)
{
    const schema *s = rows->schema;
    assert(reads->schema->n_tables == s->n_tables);  // one numbering
    bool *wanted = arena_new(&scratch, bool, s->n_tables);
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        wanted[t] = reads->tables[t] || rows->tables[t].n_rows > 0;
    }
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        if (wanted[t] && s->tables[t].view) {
            mark_read_by_view(s, s->tables[t].view, wanted, scratch);
        }
    }
    mark_parents(s, wanted);
    schema part = schema_part(&scratch, s, wanted);
    buf out = buf_new(a);
    schema_to_ddl(&out, &part, true, scratch);
    *rows_at = buf_str(&out).len;
    instance_to_sql(&out, rows, scratch);
    return buf_str(&out);
}

// "s.t", the name of a table, in two: *schema_name and the rest. False when it
// is no such name.
static bool is_qualified(const schema *s, str name, str *schema_name)
{
    str rest = name;
    *schema_name = str_cut(&rest, '.');
    return rest.len > 0 && schema_name->len > 0
           && schema_find_table(s, name) >= 0;
}

// Tables of other schemas as PostgreSQL has them: CREATE SCHEMA, and "s.t" as
// s.t.
static str with_schemas(arena *a, const schema *s, str sql, arena scratch)
{
    const dialect d = DIALECT_POSTGRES;
    map schemas = {0};
    buf text = buf_new(&scratch);
    ptrdiff_t from = 0;
    lexer l = lex_begin(sql, d);
    for (token t = lex_next_solid(&l); t.kind != TOKEN_END;
         t = lex_next_solid(&l)) {
        str name = t.kind == TOKEN_QUOTED_NAME ? token_content(a, sql, t, d)
                                               : (str){0};
        str schema_name;
        if (!is_qualified(s, name, &schema_name)) {
            continue;
        }
        buf_add(&text, str_sub(sql, from, t.pos));
        name_add(&text, schema_name, d);
        buf_char(&text, '.');
        name_add(&text, str_skip(name, schema_name.len + 1), d);
        from = t.pos + t.len;
        map_add(&schemas, a, schema_name);
    }
    str tables = buf_str(&text);
    buf head = buf_new(&scratch);
    for (ptrdiff_t i = 0; i < map_count(&schemas); i++) {
        buf_add(&head, S("CREATE SCHEMA "));
        name_add(&head, map_key_at(&schemas, i), d);
        buf_add(&head, S(";\n"));
    }
    return arena_printf(a, "%.*s%.*s%.*s", STR_ARG(buf_str(&head)),
                        STR_ARG(tables), STR_ARG(str_skip(sql, from)));
}

str witness_sql_for_user(arena *a,
                         const instance *rows,
                         str sql,
                         ptrdiff_t rows_at,
                         arena scratch)
{
    buf out = buf_new(a);
    buf_add(&out, str_sub(sql, 0, rows_at));
    instance_to_script(&out, rows, scratch);
    return rows->schema->dialect == DIALECT_POSTGRES
               ? with_schemas(a, rows->schema, buf_str(&out), scratch)
               : buf_str(&out);
}

// Which columns of a table to show: those that are read, else the first.
static ptrdiff_t shown_columns(const reading *reads,
                               int32_t t,
                               int32_t *columns)
{
    ptrdiff_t n = 0;
    assert(t < reads->schema->n_tables);
    for (int32_t c = 0; c < reads->schema->tables[t].n_columns; c++) {
        if (reads->columns[t][c]) {
            columns[n++] = c;
        }
    }
    if (n == 0 && reads->schema->tables[t].n_columns > 0) {
        columns[n++] = 0;
    }
    return n;
}

static check_table show_table(const instance *rows,
                              const reading *reads,
                              int32_t t,
                              arena *a)
{
    const schema_table *from = &rows->schema->tables[t];
    int32_t *columns = arena_new(a, int32_t, from->n_columns);
    ptrdiff_t n = shown_columns(reads, t, columns);
    ptrdiff_t n_rows = rows->tables[t].n_rows;
    str *names = arena_new(a, str, n);
    value *cells = arena_new(a, value, n_rows * n);
    for (ptrdiff_t c = 0; c < n; c++) {
        names[c] = from->columns[columns[c]].name;
        for (ptrdiff_t r = 0; r < n_rows; r++) {
            cells[r * n + c] = instance_at(rows, t, r, columns[c]);
        }
    }
    table shown = {
        .n_rows = n_rows, .n_columns = n, .names = names, .cells = cells};
    return (check_table){from->name, shown};
}

void witness_tables(check_witness *w,
                    const instance *rows,
                    const reading *reads,
                    arena *a)
{
    const schema *s = rows->schema;
    assert(reads->schema->n_tables == s->n_tables);  // one numbering
    w->tables = arena_new(a, check_table, s->n_tables);
    for (int32_t t = 0; t < s->n_tables; t++) {
        bool is_shown = reads->tables[t] || rows->tables[t].n_rows > 0;
        if (is_shown && !s->tables[t].view) {
            w->tables[w->n_tables++] = show_table(rows, reads, t, a);
        }
    }
}

void witness_stage_close(witness_stage *s)
{
    for (ptrdiff_t i = 0; i < s->n; i++) {
        scratch_close(s->db[i]);
    }
    s->n = 0;
}

// A connection with these tables, that is kept; NULL: there is none.
static scratch_db *kept_for(witness_stage *stage, scratch_db *like, str ddl)
{
    ptrdiff_t kept = words_in(stage->ddl, stage->n, ddl);
    if (kept >= 0) {
        return stage->db[kept];
    }
    assert(stage->n <= WITNESS_KEPT);
    if (stage->n == WITNESS_KEPT) {
        return NULL;
    }
    diag ignored = diag_new(stage->a);
    str text = arena_str(stage->a, ddl);
    scratch_db *db = scratch_open_beside(stage->a, like, text, &ignored);
    if (!db) {
        return NULL;
    }
    stage->ddl[stage->n] = text;
    stage->db[stage->n++] = db;
    return db;
}

static pair_run run_on(const pair *p,
                       scratch_db *db,
                       arena *a,
                       arena *results,
                       arena scratch)
{
    pair_run run = {.finding = FINDING_OPEN, .is_illegal = true};
    pair again = *p;
    again.db = db;
    again.left = pair_query_on(&p->left, db, a);
    again.right = pair_query_on(&p->right, db, a);
    if (pair_query_runs(&again.left) && pair_query_runs(&again.right)) {
        run = pair_try_loaded(&again, results, scratch);
    }
    pair_query_close(&again.left);
    pair_query_close(&again.right);
    return run;
}

pair_run witness_again(const pair *p,
                       witness_stage *stage,
                       str sql,
                       ptrdiff_t rows_at,
                       arena *a,
                       arena *results,
                       arena scratch)
{
    diag d = diag_new(a);
    pair_run run = {.finding = FINDING_OPEN, .is_illegal = true};
    assert(rows_at >= 0 && rows_at <= sql.len);  // the rows follow the tables
    bool can_load = scratch_can_load(p->db);
    str ddl = str_sub(sql, 0, rows_at);
    scratch_db *kept = can_load ? kept_for(stage, p->db, ddl) : NULL;
    if (kept) {
        return scratch_load(kept, str_skip(sql, rows_at), &d)
                   ? run_on(p, kept, a, results, scratch)
                   : run;
    }
    scratch_db *db = can_load ? scratch_open_beside(a, p->db, sql, &d)
                              : scratch_open(a, scratch_schema(p->db), sql,
                                             stage->options, stage->limits, &d);
    if (db) {
        run = run_on(p, db, a, results, scratch);
        scratch_close(db);
    }
    return run;
}
