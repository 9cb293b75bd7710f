/*
 * prompt_schema.c - see prompt_schema.h.
 *
 * Why         A comment in a predicted query is an instruction to whoever
 *             reads the prompt. A tree has no comments; literals stay, since
 *             they are what is judged.
 */
#include "model/prompt_schema.h"

#include "schema/schema_ddl.h"
#include "sql/lex.h"
#include "sql/print.h"

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
            arena rest = arena_half(&local);
            schema_show_table(&one, s, t, rest);
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
    return on_one_line(a, print_line(a, r.statements, DIALECT_SQLITE, scratch));
}
