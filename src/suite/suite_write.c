/*
 * suite_write.c - a suite as JSON lines; suite_read.c is the inverse.
 *
 * Invariants  (1) The same suite gives the same bytes, everywhere.
 *             (2) What is written reads back equal.
 *
 * Cost        Linear in the suite.
 */
#include "base/json_write.h"
#include "suite/suite.h"
#include "table/table.h"

#include <assert.h>
#include <inttypes.h>

static void add_blob(buf *out, str bytes)
{
    buf_add(out, S("{\"blob\":\""));
    buf_hex(out, bytes);
    buf_add(out, S("\"}"));
}

static void add_value(buf *out, value v, arena scratch)
{
    (void)scratch;
    switch ((value_kind)v.kind) {
    case VALUE_NULL: buf_add(out, S("null")); return;
    case VALUE_INT:
    case VALUE_BOOL: buf_int(out, v.i); return;
    case VALUE_REAL: json_add_double(out, v.real); return;
    case VALUE_BLOB: add_blob(out, value_bytes(v)); return;
    case VALUE_TEXT:
    case VALUE_DECIMAL:
    case VALUE_DATE:
    case VALUE_TIMESTAMP:
    case VALUE_INSTANT:
    case VALUE_OTHER: json_add_text(out, value_bytes(v)); return;
    }
}

static void add_table(buf *out, const schema_table *t, const instance_table *r)
{
    const table rows = {
        .n_rows = r->n_rows, .n_columns = t->n_columns, .cells = r->cells};
    json_key(out, t->name);
    table_add_rows(out, &rows, add_value, (arena){0});
}

static void add_causes(buf *out, unsigned causes)
{
    if (causes == 0) {
        return;
    }
    json_write(out, member_open(S("strict"), '['));
    for (int c = 0; c < SUITE_CAUSE_COUNT; c++) {
        if (causes & 1u << c) {
            json_write(out, json_text(suite_cause_word((suite_cause)c)));
        }
    }
    buf_char(out, ']');
}

static void add_database(buf *out, const instance *i, unsigned causes)
{
    buf_char(out, '{');
    add_causes(out, causes);
    json_write(out, member_open(S("tables"), '{'));
    for (ptrdiff_t t = 0; t < i->schema->n_tables; t++) {
        if (i->tables[t].n_rows > 0) {
            add_table(out, &i->schema->tables[t], &i->tables[t]);
        }
    }
    buf_add(out, S("}}\n"));
}

static void add_killers(buf *out, const suite_gold *g)
{
    json_write(out, member_open(S("killers"), '['));
    for (ptrdiff_t i = 0; i < g->killers.len; i++) {
        const suite_killer *k = &g->killers.ptr[i];
        json_write(out, json_begin('['), json_int(k->database),
                   json_int(k->n_killed), json_text(neighbor_word(k->kind)),
                   json_text(k->neighbor), json_end("]"));
    }
    buf_char(out, ']');
}

static void add_kinds(buf *out, const suite_gold *g)
{
    json_write(out, member_open(S("kinds"), '{'));
    for (int k = 0; k < NEIGHBOR_KIND_COUNT; k++) {
        if (g->made[k] > 0) {
            json_key(out, neighbor_word((neighbor_kind)k));
            buf_printf(out, "[%d,%d]", g->made[k], g->killed[k]);
        }
    }
    buf_char(out, '}');
}

static void add_survivors(buf *out, const suite_gold *g, bool proved)
{
    json_write(out, member_open(proved ? S("proved") : S("survivors"), '['));
    for (ptrdiff_t i = 0; i < g->survivors.len; i++) {
        const suite_survivor *s = &g->survivors.ptr[i];
        if (s->is_proved == proved) {
            json_write(out, json_begin('['),
                       json_text(neighbor_word(s->neighbor.kind)),
                       json_text(s->neighbor.sql), json_text(s->why),
                       json_end("]"));
        }
    }
    buf_char(out, ']');
}

void suite_add_gold(buf *out, const suite_gold *g)
{
    suite_count n = suite_count_gold(g);
    json_write(out, json_begin('{'), member_text(S("gold"), g->sql),
               member_int(S("neighbors"), n.neighbors),
               member_int(S("killed"), n.killed),
               member_int(S("equivalent"), n.equivalent),
               member_int(S("alive"), n.alive));
    if (g->error.len > 0) {
        json_write(out, member_text(S("error"), g->error));
    }
    add_killers(out, g);
    json_write(out, member_open(S("unstable"), '['));
    for (ptrdiff_t i = 0; i < g->unstable.len; i++) {
        json_write(out, json_int(g->unstable.ptr[i]));
    }
    buf_char(out, ']');
    add_kinds(out, g);
    add_survivors(out, g, true);
    add_survivors(out, g, false);
    buf_char(out, '}');
}

void suite_head_begin(buf *out, str db, str key)
{
    json_write(out, json_begin('{'),
               member_int(S("assay_suite"), SUITE_VERSION),
               member_text(S("db"), db), member_text(S("key"), key));
}

void suite_to_text(buf *out, const suite *s)
{
    assert(s->n_databases >= 0 && s->n_golds >= 0);
    suite_head_begin(out, s->db, s->key);
    if (s->schema.dialect != DIALECT_SQLITE) {
        json_write(out,
                   member_text(S("engine"), dialect_word(s->schema.dialect)));
    }
    json_write(out, member_int(S("databases"), s->n_databases),
               member_int(S("golds"), s->n_golds),
               member_int(S("tries"), s->tries));
    if (s->notes.len > 0) {
        json_write(out, member_texts(S("notes"), s->notes.ptr, s->notes.len));
    }
    json_write(out, member_open(S("curve"), '['));
    for (ptrdiff_t i = 0; i < s->curve.len; i++) {
        json_next(out);
        buf_printf(out, "[%" PRId64 ",%" PRId64 "]", s->curve.ptr[i].tries,
                   s->curve.ptr[i].killed);
    }
    json_write(out, json_end("]"), member_text(S("ddl"), s->ddl),
               json_end("}\n"));
    for (ptrdiff_t i = 0; i < s->n_databases; i++) {
        add_database(out, &s->databases[i], suite_causes(s, i));
    }
    for (ptrdiff_t i = 0; i < s->n_golds; i++) {
        suite_add_gold(out, &s->golds[i]);
        buf_char(out, '\n');
    }
}
