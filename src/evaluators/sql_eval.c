/*
 * sql_eval.c - string match and edit distance as the program behind [001]
 * computes them. [definitions/sql_eval.md#text, #distance]
 *
 * Method      string: both texts are laid out statement by statement and
 *             compared. edit: the top-level groups of both first statements,
 *             as numbers, go to sql_eval_matched; the distance is
 *             |gold| + |pred| - 2 * matched, so one group that differs costs 2.
 *             The similarity is 1 - distance / (|gold| + |pred|), difflib's
 *             ratio. A prediction with nothing in it costs three times the
 *             gold's groups and has similarity 0.
 *
 * Cost        Near-linear, up to MAX_BYTES a text. Beyond that, texts that
 *             differ in more than blanks and comments are still told apart for
 *             `string`; all else is unknown, too_long. So is an edit distance
 *             for which sql_eval_matched gives up.
 *
 * Invariants  The agreement with the reference is complete on the recorded
 *             pairs (tests/oracle/oracle_sql_eval.c). Known differences, all on
 *             texts that are hardly SQL: lists inside `:=` assignments, CASE
 *             around BEGIN, an AS or :: that takes a parenthesis's own "(".
 *
 * Not here    Tokens, groups and layout (sql_eval_token.c, sql_eval_group.c,
 *             sql_eval_layout.c), difflib (sql_eval_diff.c).
 */
#include "evaluators/sql_eval.h"

#include "base/map.h"
#include "base/utf8.h"

enum {
    MAX_BYTES = 1 << 20,
    SHOWN = 40,  // characters of a text in a detail
};

static bool has_words(str sql)
{
    sqlparse_lexer l = sqlparse_lex(sql);
    sqlparse_token t = {0};
    return sqlparse_next_solid(&l, &t);
}

static verdict no_prediction(void)
{
    return verdict_no(REASON_NO_PREDICTION,
                      S("nothing but blanks or comments"));
}

/* --- string ------------------------------------------------------------ */

// The next statement of a text as it is compared; appends nothing at the end.
static void add_statement(buf *b, sqlparse_lexer *l, arena scratch)
{
    sql_eval_text t = sql_eval_read(&scratch, l, SQL_EVAL_AS_TYPED);
    sql_eval_span *groups = arena_new(&scratch, sql_eval_span, t.len);
    sql_eval_group(groups, &t, scratch);
    sql_eval_layout(b, &t, scratch);
}

str sql_eval_string(arena *a, str sql, arena scratch)
{
    buf b = buf_new(a);
    sqlparse_lexer l = sqlparse_lex(sql);
    while (l.at < sql.len) {
        buf_add(&b, b.len > 0 ? S("\n\n") : S(""));
        add_statement(&b, &l, scratch);
    }
    return str_trim(buf_str(&b));
}

// A text for one line of a message: from byte `at`, in quotes, cut, runs of
// blanks and control characters as one blank.
static str excerpt(arena *a, str text, ptrdiff_t at)
{
    if (at >= text.len) {
        return S("the end");
    }
    const str rest = str_skip(text, at);
    const str shown = str_sub(rest, 0, utf8_prefix(rest, SHOWN));
    buf b = buf_new(a);
    buf_char(&b, '\'');
    for (ptrdiff_t i = 0; i < shown.len; i++) {
        const unsigned char byte = (unsigned char)shown.ptr[i];
        if (byte > 0x20 && byte != 0x7F) {
            buf_char(&b, shown.ptr[i]);
        } else if (b.ptr[b.len - 1] != ' ') {
            buf_char(&b, ' ');
        }
    }
    buf_add(&b, shown.len < rest.len ? S("...'") : S("'"));
    return buf_str(&b);
}

// "'...' against '...'" from the start of the line where the texts part.
static str first_difference(arena *a, str gold, str pred)
{
    ptrdiff_t at = 0;
    ptrdiff_t line = 0;
    while (at < gold.len && at < pred.len && gold.ptr[at] == pred.ptr[at]) {
        at++;
        line = gold.ptr[at - 1] == '\n' ? at : line;
    }
    return arena_printf(a, "%.*s against %.*s", STR_ARG(excerpt(a, gold, line)),
                        STR_ARG(excerpt(a, pred, line)));
}

/* --- texts that are too long to group ----------------------------------- */

// The compared bytes of a text without blanks and comments.
static str without_blanks(arena *a, str sql, arena scratch)
{
    buf b = buf_new(a);
    sqlparse_lexer l = sqlparse_lex(sql);
    sqlparse_token t = {0};
    while (sqlparse_next_solid(&l, &t)) {
        arena local = scratch;
        const str text = sql_eval_token_text(&local, t);
        for (ptrdiff_t i = 0; i < text.len; i++) {
            if (!is_space(text.ptr[i])) {
                buf_char(&b, text.ptr[i]);
            }
        }
    }
    return buf_str(&b);
}

static bool words_differ(str gold, str pred, arena scratch)
{
    arena local = arena_half(&scratch);
    const str g = without_blanks(&scratch, gold, local);
    return !str_equal(g, without_blanks(&scratch, pred, local));
}

static bool is_too_long(str gold, str pred)
{
    return gold.len > MAX_BYTES || pred.len > MAX_BYTES;
}

static verdict too_long(void)
{
    return verdict_unknown(REASON_TOO_LONG,
                           S("too long for the rules of sql_eval"));
}

verdict metric_string_sql_eval(str gold, str pred, arena *a, arena scratch)
{
    if (!has_words(pred)) {
        return no_prediction();
    }
    if (str_equal(gold, pred)) {
        return verdict_yes();
    }
    if (is_too_long(gold, pred)) {
        return words_differ(gold, pred, scratch)
                   ? verdict_no(REASON_TEXT_DIFFERS, S("the words differ"))
                   : too_long();
    }
    const str g = sql_eval_string(a, gold, scratch);
    const str p = sql_eval_string(a, pred, scratch);
    return str_equal(g, p)
               ? verdict_yes()
               : verdict_no(REASON_TEXT_DIFFERS, first_difference(a, g, p));
}

/* --- edit --------------------------------------------------------------- */

typedef vec_of(int32_t) group_ids;

str_list sql_eval_edit(arena *a, str sql, arena scratch)
{
    buf text = buf_new(a);
    sqlparse_lexer l = sqlparse_lex(sql);
    add_statement(&text, &l, scratch);
    l = sqlparse_lex(buf_str(&text));
    sql_eval_text t = sql_eval_read(&scratch, &l, SQL_EVAL_LAID_OUT);
    sql_eval_span *groups = arena_new(&scratch, sql_eval_span, t.len);
    str_list parts = {0};
    const ptrdiff_t n = sql_eval_group(groups, &t, scratch);
    for (ptrdiff_t i = 0; i < n; i++) {
        const str first = t.ptr[groups[i].first].text;
        const str last = t.ptr[groups[i].last].text;
        const ptrdiff_t len = last.ptr + last.len - first.ptr;
        *vec_push(a, &parts) = str_trim((str){first.ptr, len});
    }
    return parts;
}

// Equal groups get the same number.
static group_ids number_groups(arena *a, str sql, map *known, arena scratch)
{
    const str_list parts = sql_eval_edit(a, sql, scratch);
    group_ids ids = {0};
    for (ptrdiff_t i = 0; i < parts.len; i++) {
        *vec_push(a, &ids) = (int32_t)map_add(known, a, parts.ptr[i]);
    }
    return ids;
}

static str group_text(const map *known, group_ids ids, ptrdiff_t i)
{
    return i < ids.len ? map_key_at(known, ids.ptr[i]) : S("");
}

// "group 2: ... against ..."
static str differing_group(arena *a, const map *known, group_ids g, group_ids p)
{
    ptrdiff_t i = 0;
    while (i < g.len && i < p.len && g.ptr[i] == p.ptr[i]) {
        i++;
    }
    return arena_printf(a, "group %td: %.*s against %.*s", i + 1,
                        STR_ARG(excerpt(a, group_text(known, g, i), 0)),
                        STR_ARG(excerpt(a, group_text(known, p, i), 0)));
}

static verdict with_distance(verdict v, ptrdiff_t distance, double similarity)
{
    v.distance = distance;
    v.has_score = true;
    v.score = similarity;
    return v;
}

verdict metric_edit_sql_eval(str gold, str pred, arena *a, arena scratch)
{
    if (is_too_long(gold, pred)) {
        return str_equal(gold, pred) && has_words(pred)
                   ? with_distance(verdict_yes(), 0, 1)
                   : too_long();
    }
    map known = {0};
    const group_ids g = number_groups(a, gold, &known, scratch);
    if (!has_words(pred)) {
        return with_distance(no_prediction(), 3 * g.len, 0);
    }
    const group_ids p = number_groups(a, pred, &known, scratch);
    const ptrdiff_t matched =
        sql_eval_matched(g.ptr, g.len, p.ptr, p.len, scratch);
    if (matched < 0) {
        return too_long();
    }
    const ptrdiff_t all = g.len + p.len;
    const ptrdiff_t distance = all - 2 * matched;
    const verdict v =
        distance == 0
            ? verdict_yes()
            : verdict_no(REASON_TEXT_DIFFERS, differing_group(a, &known, g, p));
    const double similarity = all > 0 ? 1 - (double)distance / (double)all : 1;
    return with_distance(v, distance, similarity);
}
