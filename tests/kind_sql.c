/*
 * kind_sql.c - the kinds of what SQL says as text.
 *
 *   lex       sql: one token a line, line:column, kind, text
 *   template  gold (several with `list: yes`): one variant a line
 *   outline   sql: what the lexer alone knows about it
 *   asked     question, category: does it ask for an order?
 *   text      gold, pred: the string and the edit metric
 *
 * White space and odd bytes in a token are shown as escapes, so that a line is
 * a line. With `bytes: yes`, \xNN in the input of `lex` is one byte.
 */
#include "base/utf8.h"
#include "intent/order_asked.h"
#include "kind.h"
#include "metric/text.h"
#include "sql/lex.h"
#include "sql/outline.h"
#include "sql/template.h"

static bool read_dialect(test_case *c, dialect *d)
{
    *d = DIALECT_SQLITE;
    str word = case_key(c, "dialect");
    if (word.len > 0 && !dialect_from_word(word, d)) {
        case_broken(c, "no dialect '%.*s'", STR_ARG(word));
        return false;
    }
    return true;
}

static void add_escaped(buf *out, str s)
{
    for (ptrdiff_t i = 0; i < s.len; i++) {
        unsigned char byte = (unsigned char)s.ptr[i];
        if (byte == '\n') {
            buf_add(out, S("\\n"));
        } else if (byte == '\t') {
            buf_add(out, S("\\t"));
        } else if (byte < 0x20 || byte == 0x7F || utf8_size_at(s, i) == 0) {
            buf_printf(out, "\\x%02X", byte);
        } else {
            ptrdiff_t size = utf8_size_at(s, i);
            buf_add(out, str_sub(s, i, i + size));
            i += size - 1;
        }
    }
}

static str unescape(arena *a, str s)
{
    buf out = buf_new(a);
    for (ptrdiff_t i = 0; i < s.len; i++) {
        if (str_starts(str_skip(s, i), S("\\x")) && i + 3 < s.len) {
            int high = hex_digit(s.ptr[i + 2]);
            buf_char(&out, (char)(high * 16 + hex_digit(s.ptr[i + 3])));
            i += 3;
        } else {
            buf_char(&out, s.ptr[i]);
        }
    }
    return buf_str(&out);
}

static void add_token(buf *out, arena *a, str sql, token t, dialect d)
{
    diag_place place = diag_locate((str){0}, sql, t.pos);
    str kind = token_kind_word(t.kind);
    ptrdiff_t from = out->len;
    buf_printf(out, "%d:%d", (int)place.line, (int)place.column);
    ptrdiff_t width = out->len - from;
    buf_repeat(out, ' ', width < 4 ? 6 - width : 2);
    bool plain = t.kind != TOKEN_STRING || t.id == STRING_PLAIN;
    str text = plain ? token_content(a, sql, t, d) : token_text(sql, t);
    buf_printf(out, "%-9.*s", STR_ARG(kind));
    add_escaped(out, text);
    if (t.kind == TOKEN_ERROR) {
        buf_printf(out, "  (%.*s)", STR_ARG(lex_error_text((lex_error)t.id)));
    }
    buf_char(out, '\n');
}

static void run_lex(test_case *c)
{
    dialect d;
    if (!read_dialect(c, &d)) {
        return;
    }
    arena *a = case_arena(c);
    arena scratch = case_scratch(c);
    str sql = case_section(c, "sql");
    if (str_equal(case_key(c, "bytes"), S("yes"))) {
        sql = unescape(a, sql);
    }
    token_list all = lex_all(&scratch, sql, d, LEX_KEEP_COMMENTS);
    buf out = buf_new(a);
    for (ptrdiff_t i = 0; i + 1 < all.len; i++) {
        add_token(&out, &scratch, sql, all.ptr[i], d);
    }
    case_output(c, "", buf_str(&out));
}

const test_kind kind_lex = {
    .name = "lex",
    .sections = "sql",
    .keys = "dialect bytes",
    .run = run_lex,
};

enum {
    GOLDS_MAX = 16
};

static void run_template(test_case *c)
{
    template_options options = {
        .max = (ptrdiff_t)case_key_int(c, "max", 0),
        .keep_whole = str_equal(case_key(c, "list"), S("yes")),
        .as_reference = str_equal(case_key(c, "reference"), S("yes")),
    };
    if (!read_dialect(c, &options.dialect)) {
        return;
    }
    str golds[GOLDS_MAX];
    ptrdiff_t n = 0;
    while (n < GOLDS_MAX && case_section_at(c, "gold", n, NULL, &golds[n])) {
        n++;
    }
    arena *a = case_arena(c);
    diag d = diag_new(a);
    template_variants variants;
    bool ok =
        template_expand(&variants, a, golds, n, options, &d, case_scratch(c));
    buf out = buf_new(a);
    for (ptrdiff_t i = 0; ok && i < variants.n; i++) {
        add_escaped(&out, variants.sql[i]);
        buf_char(&out, '\n');
    }
    for (ptrdiff_t i = 0; i < d.messages.len; i++) {
        buf_add(&out, diag_format(a, d.messages.ptr[i]));
        buf_char(&out, '\n');
    }
    if (ok == (d.count > 0)) {
        buf_add(&out, S("the result and the messages contradict each other\n"));
    }
    case_output(c, "", buf_str(&out));
}

const test_kind kind_template = {
    .name = "template",
    .sections = "gold",
    .keys = "dialect max list reference",
    .run = run_template,
};

static void run_outline(test_case *c)
{
    dialect d;
    if (!read_dialect(c, &d)) {
        return;
    }
    arena *a = case_arena(c);
    sql_outline o = sql_outline_of(case_section(c, "sql"), d);
    buf out = buf_new(a);
    buf_printf(&out, "statements %td\n", o.n_statements);
    if (o.verb.len > 0) {
        buf_printf(&out, "verb %.*s\n", STR_ARG(o.verb));
    }
    buf_add(&out, o.has_outer_order ? S("outer order\n") : S(""));
    buf_add(&out, o.has_limit ? S("limit\n") : S(""));
    if (o.first.len > 0) {
        buf_add(&out, S("first "));
        add_escaped(&out, o.first);
    }
    case_output(c, "", buf_str(&out));
}

const test_kind kind_outline = {
    .name = "outline",
    .sections = "sql",
    .keys = "dialect",
    .run = run_outline,
};

// Several questions, one a line, each with its answer before it; "gold": the
// gold decides.
static void run_asked(test_case *c)
{
    static const str words[] = {
        [ORDER_NOT_KNOWN] = S_INIT("gold"),
        [ORDER_NOT_SAID] = S_INIT("no"),
        [ORDER_SAID] = S_INIT("yes"),
    };
    buf out = buf_new(case_arena(c));
    str rest = case_section(c, "question");
    do {
        str question = str_cut(&rest, '\n');
        order_said said =
            order_asked(question, case_section(c, "category"), *case_arena(c));
        buf_add(&out, words[said]);
        if (question.len > 0) {
            buf_printf(&out, "%s%.*s", said == ORDER_NOT_SAID ? "   " : "  ",
                       STR_ARG(question));
        }
        buf_char(&out, '\n');
    } while (rest.ptr);
    case_output(c, "", buf_str(&out));
}

const test_kind kind_asked = {
    .name = "asked",
    .sections = "question category",
    .keys = "",
    .run = run_asked,
};

static void add_verdict(buf *out, const char *metric, verdict v)
{
    str word = answer_word(v.v);
    buf_printf(out, "%-7s %.*s", metric, STR_ARG(word));
    if (v.has_score) {
        buf_printf(out, "  distance %td, similarity %.3f", v.distance, v.score);
    }
    if (v.reason != REASON_NONE) {
        str why = reason_word(v.reason);
        buf_printf(out, "  %.*s: %.*s", STR_ARG(why), STR_ARG(v.detail));
    }
    buf_char(out, '\n');
}

static void run_text(test_case *c)
{
    dialect d;
    if (!read_dialect(c, &d)) {
        return;
    }
    arena *a = case_arena(c);
    arena scratch = case_scratch(c);
    str gold = case_section(c, "gold");
    str pred = case_section(c, "pred");
    buf out = buf_new(a);
    add_verdict(&out, "string", metric_string(gold, pred, d, a, scratch));
    add_verdict(&out, "edit", metric_edit(gold, pred, d, a, scratch));
    case_output(c, "", buf_str(&out));
}

const test_kind kind_text = {
    .name = "text",
    .sections = "gold pred",
    .keys = "dialect",
    .run = run_text,
};
