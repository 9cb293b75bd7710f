/*
 * report_csv.c - one row a case (RFC 4180: quotes where needed, CRLF).
 *
 * A metric has four columns: its key with the answer, key_reason, key_score
 * and key_detail. What the answer cost and how sure its model was stand last.
 *
 * A program that shows tables takes a text that begins with = + - @, a tab or a
 * carriage return for a formula, and runs it. Such a text gets an apostrophe in
 * front; a number stays a number.
 */
#include "report/render.h"
#include "report/report.h"

#include <math.h>

static bool is_formula(str s)
{
    return s.len > 0 && str_find(S("=+-@\t\r"), str_sub(s, 0, 1), 0) >= 0
           && !str_to_double(s, NULL);
}

static void add_field(buf *b, str s)
{
    static const char *const doubled[128] = {['"'] = "\"\""};
    static const char signs[] = {'"', ',', '\n', '\r'};
    bool is_quoted = false;
    for (ptrdiff_t i = 0; i < countof(signs); i++) {
        is_quoted |= str_find(s, (str){&signs[i], 1}, 0) >= 0;
    }
    buf_add(b, is_quoted ? S("\"") : S(""));
    buf_add(b, is_formula(s) ? S("'") : S(""));
    buf_escape(b, s, doubled);
    buf_add(b, is_quoted ? S("\"") : S(""));
}

static void add_next(buf *b, str s)
{
    buf_char(b, ',');
    add_field(b, s);
}

static void add_number(buf *b, bool is_there, double x)
{
    buf_char(b, ',');
    if (is_there) {
        buf_double(b, x);
    }
}

void report_csv_header(buf *out, const str *keys, ptrdiff_t n)
{
    buf_add(out, S("run,id,db,category,hardness,question,gold,pred,gold_status,"
                   "pred_status"));
    static const char *const suffixes[] = {"", "_reason", "_score", "_detail"};
    for (ptrdiff_t i = 0; i < n; i++) {
        for (ptrdiff_t k = 0; k < countof(suffixes); k++) {
            buf_char(out, ',');
            buf_add(out, keys[i]);
            buf_add(out, str_from(suffixes[k]));
        }
    }
    for (int k = 0; k < TOLD_COUNT; k++) {
        add_next(out, told_word((told_kind)k));
    }
    buf_add(out, S("\r\n"));
}

static void add_verdict(buf *b, const line_verdict *v)
{
    if (!v) {
        buf_add(b, S(",,,,"));
        return;
    }
    add_next(b, answer_word(v->v));
    add_next(b, v->reason);
    add_number(b, !isnan(v->score), v->score);
    add_next(b, v->detail);
}

void report_csv_row(buf *out,
                    const case_line *line,
                    const str *keys,
                    ptrdiff_t n)
{
    const str texts[] = {
        line->id,       line->db,          line->category,
        line->hardness, line->question,    line->gold,
        line->pred,     line->gold_status, line->pred_status,
    };
    add_field(out, line->run);
    for (ptrdiff_t i = 0; i < countof(texts); i++) {
        add_next(out, texts[i]);
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        add_verdict(out, case_line_verdict(line, keys[i]));
    }
    for (int k = 0; k < TOLD_COUNT; k++) {
        add_number(out, told_has(&line->told, (told_kind)k), line->told.at[k]);
    }
    buf_add(out, S("\r\n"));
}

void csv_head(render *r, buf *out, arena scratch)
{
    (void)scratch;
    report_csv_header(out, r->keys.ptr, r->keys.len);
}

void csv_line(render *r, buf *out, const render_line *l, arena scratch)
{
    (void)scratch;
    report_csv_row(out, l->c, r->keys.ptr, r->keys.len);
}
