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
#include "read/extract_scan.h"
#include "read/writer.h"

#include <string.h>

static bool is_break(char c)
{
    return c == '\n' || c == '\r' || c == '\t';
}

static void write_line(writing *w, str sql, buf *out)
{
    ptrdiff_t has[CONVERT_LOSSES] = {0};
    sql = str_trim(sql);
    for (ptrdiff_t i = 0, next = 0; i < sql.len; i = next) {
        next = extract_step(sql, i);
        bool is_quoted = next > i + 1 && strchr("'\"`", sql.ptr[i]);
        bool is_comment = str_starts(str_skip(sql, i), S("--"));
        has[CONVERT_COMMENTS] |= is_comment;
        for (; i < next && !is_comment; i++) {
            char c = sql.ptr[i];
            has[CONVERT_LITERALS] |= is_quoted && is_break(c);
            has[CONVERT_BREAKS] |= !is_quoted && c == '\n';
            buf_char(out, is_break(c) ? ' ' : c);
        }
    }
    for (int i = 0; i < CONVERT_LOSSES; i++) {
        w->result->lost[i] += has[i];
    }
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
