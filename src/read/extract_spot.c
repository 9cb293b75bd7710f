/*
 * extract_spot.c - see extract_spot.h.
 *
 * Method      SQL may begin where a wrapper, a line or a text after a colon
 *             begins; in the middle of a sentence only in capitals, and only
 *             when the parser reads it whole, since prompts that are echoed and
 *             refusals are full of "select". It ends where extract_end.c says,
 *             or at the partner of the quote before it.
 */
#include "read/extract_spot.h"

#include "base/utf8.h"
#include "read/extract_end.h"
#include "read/extract_line.h"
#include "read/extract_mark.h"
#include "read/extract_scan.h"
#include "read/literal.h"

#include <string.h>

enum {
    TRIES = 8,   // for SQL in sentences
    NAMES = 24,  // in quotes of the kind that stands around the SQL
    VAIN = 8,    // times the text may be read for SQL that is not whole
};

// A quote or mark of emphasis directly before the SQL, and where it ends: its
// partner.
typedef struct span {
    str mark;
    ptrdiff_t end;  // of what is in it
    bool is_quote;
} span;

// Where the text between two marks ends: of a program at a quote that is not
// escaped, with a line end or a sign behind it; or with a whole query before
// it, since names may be quoted, too; -1: nowhere. A loose sign may multiply:
// one that closes touches what is before it, and no word behind.
static ptrdiff_t span_end(spot *s,
                          str sign,
                          bool is_quote,
                          bool is_loose,
                          arena scratch)
{
    str text = s->text;
    ptrdiff_t first = str_find(text, sign, s->at);
    ptrdiff_t end = first;
    for (int tries = 0; end > 0; end = str_find(text, sign, end + 1)) {
        ptrdiff_t after = end + sign.len;
        char next = after < text.len ? text.ptr[after] : '\n';
        bool is_escaped = text.ptr[end - 1] == '\\';
        bool is_over = is_quote && strchr("\n),.];}#", next);
        bool touches =
            !is_loose
            || (!is_space(text.ptr[end - 1]) && !extract_is_word(next));
        bool may_be = (!is_quote || next == ' ') && tries++ < NAMES;
        str inside = str_sub(text, s->at, end);
        if (!is_escaped && touches
            && (is_over || (may_be && extract_is_whole(inside, scratch)))) {
            break;
        }
        s->vain += may_be ? inside.len : 0;
    }
    return end < 0 && !is_quote && !is_loose ? first : end;
}

static span span_before(spot *s, arena scratch)
{
    str text = s->text;
    str before = extract_trim(str_sub(text, 0, s->at));
    str closing = mark_closing_quote(before);
    ptrdiff_t close = closing.len > 0 ? str_find(text, closing, s->at) : -1;
    if (close > 0) {
        return (span){closing, close, true};
    }
    // Those of some languages have a text of its own lines.
    bool is_block = str_ends(before, S("\"\"\"")) || str_ends(before, S("'''"))
                    || (str_ends(before, S("`")) && line_is_code(before, true));
    ptrdiff_t to = is_block ? before.ptr + before.len - text.ptr : s->at;
    ptrdiff_t from = to;
    char c = from > 0 ? text.ptr[from - 1] : ' ';
    while (from > 0 && to - from < 3 && text.ptr[from - 1] == c) {
        from--;
    }
    str sign = str_sub(text, from, strchr("`\"'*_", c) ? to : from);
    bool is_quote = sign.len > 0 && (c == '"' || c == '\'');
    bool is_all = is_quote && from == 0 && str_ends(text, sign);
    bool is_loose = sign.len == 1 && (c == '*' || c == '_');
    bool is_mark = sign.len > 0 && (!is_loose || to == s->at);
    ptrdiff_t end = is_all    ? text.len - sign.len
                    : is_mark ? span_end(s, sign, is_quote, is_loose, scratch)
                              : -1;
    return (span){sign, end > 0 ? end : text.len, is_quote};
}

// "SQL query" of "SQL query ->" and "SQL query =".
static str without_arrow(str before)
{
    before = str_trim(before);
    while (before.len > 0 && strchr("=->", before.ptr[before.len - 1])) {
        before = str_sub(before, 0, before.len - 1);
    }
    return before;
}

// Whether text[s->at] may begin SQL at all, and whether it must be whole.
static bool may_begin(const spot *s, bool *must_be_whole)
{
    str rest = str_skip(s->text, s->at);
    char c = rest.ptr[0];
    bool is_comment = s->is_direct && (c == '-' || c == '/');
    if (!is_alpha(c) && c != '(' && !is_comment) {
        return false;
    }
    str line = str_sub(s->text, s->line, s->at);
    char before = s->at > 0 ? s->text.ptr[s->at - 1] : '\n';
    *must_be_whole = !s->is_fresh || before == '"' || before == '\'';
    if (str_ends(line, S("\": \""))) {
        return false;  // a member of JSON that is broken
    }
    if (s->is_direct) {
        return extract_starts_sql(rest);
    }
    bool is_upper =
        str_starts(rest, S("SELECT")) || str_starts(rest, S("WITH"));
    bool is_literal = (before == '"' || before == '\'' || before == '`')
                      && line_is_code(line, s->is_inside);
    str lead = str_trim(str_sub(line, 0, line.len - 1));
    bool is_quoted = (before == '"' || before == '\'') && lead.len > 0
                     && extract_is_word(lead.ptr[lead.len - 1]);
    bool is_free = s->is_fresh || before == '`' || is_literal
                   || (is_upper && s->tries < TRIES
                       && (is_quoted || line_is_words(without_arrow(line))));
    return is_free && extract_starts_query(rest);
}

// The SQL at the start of `piece`; empty: none is whole.
static str sql_of(spot *s,
                  span in,
                  str piece,
                  bool must_be_whole,
                  extract_end *why,
                  arena scratch)
{
    bool is_inner = !s->is_direct;
    ptrdiff_t size = extract_sql_size(piece, is_inner, why, scratch);
    str sql = extract_trim(str_sub(piece, 0, size));
    bool is_span =
        in.mark.len > 0 && in.end == s->text.len && str_ends(sql, in.mark);
    sql = extract_trim(str_sub(sql, 0, sql.len - (is_span ? in.mark.len : 0)));
    bool has_stop = is_inner && str_ends(sql, S("."));
    sql = str_sub(sql, 0, sql.len - (has_stop ? 1 : 0));
    if (!must_be_whole) {
        return sql;
    }
    s->tries++;
    // "the SELECT clause" reads as a query, too.
    if (!s->is_fresh && str_find_fold(sql, S("from"), 0) < 0
        && str_find(sql, S("("), 0) < 0) {
        return (str){0};
    }
    ptrdiff_t whole = extract_whole_size(sql, scratch);
    s->vain += whole > 0 ? 0 : sql.len;
    *why = whole < sql.len ? EXTRACT_END_PROSE : *why;
    return extract_trim(str_sub(sql, 0, whole));
}

spotted spot_sql(spot *s, arena *a, arena scratch)
{
    bool must_be_whole = false;
    if (!may_begin(s, &must_be_whole)
        || (must_be_whole && s->vain > VAIN * s->text.len)) {
        return (spotted){0};
    }
    extract_end why = EXTRACT_END_TEXT;
    span in = span_before(s, scratch);
    str piece = str_sub(s->text, s->at, in.end);
    str sql = sql_of(s, in, piece, must_be_whole, &why, scratch);
    ptrdiff_t end = s->at + sql.len;
    if (sql.len == 0 && in.is_quote && str_find(piece, S("\\"), 0) > 0) {
        arena kept = *a;
        s->vain += piece.len;
        piece = literal_unescaped(piece, &kept);
        sql = sql_of(s, in, piece, must_be_whole, &why, scratch);
        *a = sql.len > 0 ? kept : *a;
        end = in.end;
    }
    return (spotted){
        .sql = sql,
        .end = end,
        .is_quoted = in.is_quote,
        .is_marked = in.mark.len > 0,
        .has_prose = why == EXTRACT_END_PROSE,
        .has_mark = why == EXTRACT_END_MARKER,
    };
}

static bool opens(char c)
{
    return c == '(' || c == ' ';
}

// Of ASCII: signs of other scripts and marks may touch the word.
static bool is_name_byte(char c)
{
    return is_alpha(c) || is_digit(c) || c == '_';
}

// "7" and, at the start of a line, "7." or "7)", the mark of a list.
static ptrdiff_t step_number(spot *s)
{
    str text = s->text;
    ptrdiff_t end = str_run(text, s->at, is_digit);
    bool is_item = s->is_fresh && end < text.len
                   && (text.ptr[end] == '.' || text.ptr[end] == ')');
    s->is_fresh = is_item;
    return end + is_item - s->at;
}

// Bytes of the sign that ends the prompt of a shell: "sqlite> ", "db=# ".
static ptrdiff_t prompt_sign(str text)
{
    return str_starts(text, S("> "))                                  ? 2
           : str_starts(text, S("=# ")) || str_starts(text, S("=> ")) ? 3
                                                                      : 0;
}

// Bytes at which nothing begins in the middle of a sentence, and after which
// nothing does: they are run over.
static bool is_dull(char c)
{
    static const bool is[128] = {
        [' '] = true, ['\t'] = true, [';'] = true, [','] = true, ['.'] = true,
        ['='] = true, ['+'] = true,  ['*'] = true, ['?'] = true, ['!'] = true,
        ['@'] = true, ['$'] = true,  ['%'] = true, ['^'] = true, ['&'] = true,
        ['|'] = true, [')'] = true,  ['/'] = true, ['-'] = true, ['>'] = true,
        ['"'] = true, ['\''] = true, ['_'] = true,
    };
    return (unsigned char)c < countof(is) && is[(unsigned char)c];
}

// May SQL begin after it?
void spot_step(spot *s)
{
    str text = s->text;
    ptrdiff_t size = 1;
    int32_t c = utf8_char_at(text, s->at, &size);
    bool was_fresh = s->is_fresh;
    char after = s->at + 1 < text.len ? text.ptr[s->at + 1] : '\0';
    if (c == '-' && after == '-' && was_fresh) {
        size = str_find_end(text, S("\n"), s->at) - s->at;  // a comment
    } else if (c == '\n' || c == ':' || c == ']' || c == '}' || c == 0xFF1A) {
        s->is_fresh = true;
        s->line = c == '\n' ? s->at + 1 : s->line;
    } else if (c >= 0 && c < 0x80 && is_alpha((char)c)) {
        size = str_run(text, s->at, is_name_byte) - s->at;
        ptrdiff_t sign =
            s->at == s->line ? prompt_sign(str_skip(text, s->at + size)) : 0;
        size += sign;
        s->is_fresh = sign > 0;
    } else if (c == '(') {
        size = str_run(text, s->at, opens) - s->at;
    } else if (c < 0x80 && is_digit((char)c)) {
        size = step_number(s);
    } else if (c >= 0x80) {
        s->is_fresh = was_fresh && !utf8_is_word(c);
    } else {
        bool is_mark =
            was_fresh && c > 0 && strchr(" \t\r\v\f*_`>-=#+~|\"'(", (int)c);
        s->is_fresh = is_mark;
        size = is_mark ? 1 : str_run(text, s->at + 1, is_dull) - s->at;
    }
    s->is_direct = s->is_direct && extract_is_blank(c);
    s->at += size;
}
