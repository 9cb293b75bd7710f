/*
 * write_text.c - one SQL a line: Spider's files, and plain lines.
 *
 * Method      A line cannot hold a line break, so white space that has one
 *             becomes a blank; a comment up to the end of its line would then
 *             swallow the rest and is left out. Inside quotes a line break
 *             means something; it becomes a blank too, and that is reported.
 *             An empty line would end a session, so an empty prediction is
 *             written as the words NO PREDICTION, which no engine accepts.
 */
#include "read/writer.h"

// The state of the copy from SQL into one line.
typedef struct one_line {
    buf *out;
    char quote;  // open quote, 0: none
    bool had_break;
    bool had_literal;
    bool had_comment;
} one_line;

static void add_char(one_line *l, char c)
{
    if (l->quote) {
        l->quote = c == l->quote ? '\0' : l->quote;
    } else if (c == '\'' || c == '"' || c == '`') {
        l->quote = c;
    }
    bool is_break = c == '\n' || c == '\r' || c == '\t';
    l->had_break = l->had_break || (c == '\n' && !l->quote);
    l->had_literal = l->had_literal || (is_break && l->quote);
    buf_char(l->out, is_break ? ' ' : c);
}

static void write_line(writing *w, str sql, buf *out)
{
    one_line l = {.out = out};
    sql = str_trim(sql);
    for (ptrdiff_t i = 0; i < sql.len; i++) {
        bool is_comment = !l.quote && str_starts(str_skip(sql, i), S("--"));
        if (is_comment) {
            l.had_comment = true;
            i = str_find_end(sql, S("\n"), i);
        }
        if (i < sql.len) {
            add_char(&l, sql.ptr[i]);
        }
    }
    w->result->lost[CONVERT_BREAKS] += l.had_break ? 1 : 0;
    w->result->lost[CONVERT_LITERALS] += l.had_literal ? 1 : 0;
    w->result->lost[CONVERT_COMMENTS] += l.had_comment ? 1 : 0;
}

static void text_write(writing *w, const record *r, buf *out)
{
    if (w->has_sessions && w->n > 0 && r->interaction != w->last_session) {
        buf_char(out, '\n');
    }
    ptrdiff_t before = out->len;
    bool is_gold = w->side == WRITER_GOLD;
    write_line(w, is_gold ? writer_golds(w, r) : writer_pred(w, r), out);
    if (str_trim(str_skip(buf_str(out), before)).len == 0) {
        buf_add(out, S("NO PREDICTION"));
        w->result->lost[CONVERT_EMPTY]++;
    }
    if (w->format == FORMAT_SPIDER_TEXT && is_gold) {
        buf_char(out, '\t');
        buf_add(out, r->db);
    }
    buf_char(out, '\n');
}

const writer writer_text = {"", text_write, ""};
