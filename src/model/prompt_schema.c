/*
 * prompt_schema.c - see prompt_schema.h.
 *
 * Why         A comment in a predicted query is an instruction to whoever
 *             reads the prompt. A tree has no comments; literals stay, since
 *             they are what is judged.
 */
#include "model/prompt_schema.h"

#include "sql/lex.h"
#include "sql/print.h"

static void add_name(buf *out, str name)
{
    bool is_plain = name.len > 0 && !is_digit(name.ptr[0]);
    for (ptrdiff_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        is_plain = is_plain && (is_alpha(c) || is_digit(c) || c == '_');
    }
    if (is_plain) {
        buf_add(out, name);
        return;
    }
    buf_char(out, '"');
    for (ptrdiff_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.ptr[i];
        buf_char(out, c < ' ' || c == 0x7f ? ' ' : (char)c);
        if (name.ptr[i] == '"') {
            buf_char(out, '"');
        }
    }
    buf_char(out, '"');
}

static void add_columns(buf *out,
                        const schema_table *t,
                        const int32_t *columns,
                        ptrdiff_t n)
{
    buf_char(out, '(');
    for (ptrdiff_t i = 0; i < n; i++) {
        buf_add(out, i > 0 ? S(", ") : S(""));
        if (columns[i] >= 0) {
            add_name(out, t->columns[columns[i]].name);
        }
    }
    buf_char(out, ')');
}

static bool is_complete(const schema_key *k)
{
    for (ptrdiff_t i = 0; i < k->n; i++) {
        if (k->columns[i] < 0 || k->targets[i] < 0) {
            return false;
        }
    }
    return k->n > 0 && k->parent >= 0;
}

// A reference that no engine would enforce is still how tables join: said
// after the table, where it is no constraint.
static void add_hints(buf *out, const schema *s, int32_t table)
{
    const schema_table *t = &s->tables[table];
    for (ptrdiff_t i = 0; i < s->n_keys; i++) {
        const schema_key *k = &s->keys[i];
        if (k->child == table && is_complete(k) && !k->is_sound) {
            const schema_table *parent = &s->tables[k->parent];
            buf_add(out, S("-- "));
            add_name(out, t->name);
            add_columns(out, t, k->columns, k->n);
            buf_add(out, S(" refers to "));
            add_name(out, parent->name);
            add_columns(out, parent, k->targets, k->n);
            buf_char(out, '\n');
        }
    }
}

static void add_keys(buf *out, const schema *s, int32_t table)
{
    const schema_table *t = &s->tables[table];
    for (ptrdiff_t i = 0; i < t->n_uniques; i++) {
        const schema_unique *u = &t->uniques[i];
        buf_add(out,
                u->is_primary ? S(",\n  PRIMARY KEY ") : S(",\n  UNIQUE "));
        add_columns(out, t, u->columns, u->n);
    }
    for (ptrdiff_t i = 0; i < s->n_keys; i++) {
        const schema_key *k = &s->keys[i];
        if (k->child == table && is_complete(k) && k->is_sound) {
            const schema_table *parent = &s->tables[k->parent];
            buf_add(out, S(",\n  FOREIGN KEY "));
            add_columns(out, t, k->columns, k->n);
            buf_add(out, S(" REFERENCES "));
            add_name(out, parent->name);
            add_columns(out, parent, k->targets, k->n);
        }
    }
}

static void add_view(buf *out, const schema_table *t, arena scratch)
{
    buf_add(out, S("CREATE VIEW "));
    add_name(out, t->name);
    buf_add(out, S(" AS "));
    print_sql(out, t->view, DIALECT_SQLITE, PRINT_ONE_LINE, scratch);
    buf_add(out, S(";\n"));
}

static void add_table(buf *out, const schema *s, int32_t table)
{
    const schema_table *t = &s->tables[table];
    buf_add(out, S("CREATE TABLE "));
    add_name(out, t->name);
    buf_add(out, S(" ("));
    for (int32_t c = 0; c < t->n_columns; c++) {
        const schema_column *column = &t->columns[c];
        buf_add(out, c > 0 ? S(",\n  ") : S("\n  "));
        add_name(out, column->name);
        if (column->type.len > 0) {
            buf_char(out, ' ');
            buf_add(out, column->type);
        }
        buf_add(out, column->is_not_null ? S(" NOT NULL") : S(""));
    }
    add_keys(out, s, table);
    buf_add(out, S("\n);\n"));
    add_hints(out, s, table);
}

// Does a query name the table?
static bool is_named(str table, const str *queries, ptrdiff_t n, arena scratch)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        lexer l = lex_begin(queries[i], DIALECT_SQLITE);
        for (token t = lex_next_solid(&l); t.kind != TOKEN_END;
             t = lex_next_solid(&l)) {
            arena local = scratch;
            str word = token_content(&local, queries[i], t, DIALECT_SQLITE);
            if (str_equal_fold(word, table)) {
                return true;
            }
        }
    }
    return false;
}

str prompt_schema(arena *a,
                  const schema *s,
                  const str *queries,
                  ptrdiff_t n_queries,
                  ptrdiff_t max_bytes,
                  arena scratch)
{
    buf out = buf_new(a);
    ptrdiff_t n_left_out = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t t = 0; t < s->n_tables; t++) {
            str name = s->tables[t].name;
            bool is_first = is_named(name, queries, n_queries, scratch);
            if (str_starts_fold(name, S("sqlite_"))
                || is_first != (pass == 0)) {
                continue;
            }
            arena local = scratch;
            buf one = buf_new(&local);
            arena rest = local;
            rest.next += (local.end - local.next) / 2;
            if (s->tables[t].view) {
                add_view(&one, &s->tables[t], rest);
            } else {
                add_table(&one, s, t);
            }
            if (pass == 0 || out.len + one.len <= max_bytes) {
                buf_add(&out, buf_str(&one));
            } else {
                n_left_out++;
            }
        }
    }
    if (n_left_out > 0) {
        buf_printf(&out, "-- and %td tables that neither query names\n",
                   n_left_out);
    }
    return str_trim(buf_str(&out));
}

// A text that is no SQL we know: its tokens, without the comments.
static str without_comments(arena *a, str sql)
{
    buf out = buf_new(a);
    lexer l = lex_begin(sql, DIALECT_SQLITE);
    ptrdiff_t end = 0;
    for (token t = lex_next_solid(&l); t.kind != TOKEN_END;
         t = lex_next_solid(&l)) {
        bool is_comment = t.kind == TOKEN_ERROR && t.id == LEX_UNCLOSED_COMMENT;
        buf_add(&out, out.len > 0 && t.pos > end ? S(" ") : S(""));
        buf_add(&out, is_comment ? S("") : token_text(sql, t));
        end = t.pos + t.len;
    }
    return buf_str(&out);
}

// A query stands on a line of its own, so that no literal of several lines can
// pretend to be the next part of the prompt; nor can it close a fence.
static str on_one_line(arena *a, str sql)
{
    buf out = buf_new(a);
    for (ptrdiff_t i = 0; i < sql.len; i++) {
        unsigned char c = (unsigned char)sql.ptr[i];
        if (str_starts(str_skip(sql, i), S("```"))) {
            buf_add(&out, S("` ` `"));
            i += 2;
        } else {
            buf_char(&out, c < ' ' || c == 0x7f ? ' ' : (char)c);
        }
    }
    return str_trim(buf_str(&out));
}

str prompt_query(arena *a, str sql, arena scratch)
{
    parse_result r = parse_sql(&scratch, sql, DIALECT_SQLITE, *a);
    if (r.errors.len > 0 || !r.statements || r.statements->next) {
        return on_one_line(a, without_comments(a, sql));
    }
    buf out = buf_new(a);
    print_sql(&out, r.statements, DIALECT_SQLITE, PRINT_ONE_LINE, scratch);
    return on_one_line(a, buf_str(&out));
}
