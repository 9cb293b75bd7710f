/*
 * kind_sql_eval.c - kinds about texts as sqlparse and the programs on top of it
 * see them.
 *
 * sqlparse         tokens of a text, `--` after each statement
 * sql_eval_tokens  the groups that edit counts, one a line, line breaks in them
 *                  as \n; `want text`: what string compares
 * sql_eval_text    the verdicts of --like sql_eval on a gold and a prediction
 * spider_text      what --rules spider runs; `want flags`: what it knows of it
 */
#include "evaluators/family.h"
#include "evaluators/sql_eval.h"
#include "kind.h"
#include "metric/text.h"

// Control characters as escapes.
static void add_escaped(buf *out, str text)
{
    for (ptrdiff_t i = 0; i < text.len; i++) {
        const char c = text.ptr[i];
        switch (c) {
        case '\n': buf_add(out, S("\\n")); break;
        case '\r': buf_add(out, S("\\r")); break;
        case '\t': buf_add(out, S("\\t")); break;
        default: buf_char(out, c); break;
        }
    }
}

// A section with \t and \r for characters that an editor would not keep. \\ is
// one backslash.
static str unescaped(test_case *c, const char *section)
{
    const str text = case_section(c, section);
    buf b = buf_new(case_arena(c));
    for (ptrdiff_t i = 0; i < text.len; i++) {
        const char next = i + 1 < text.len ? text.ptr[i + 1] : ' ';
        const bool escapes =
            text.ptr[i] == '\\' && (next == 't' || next == 'r' || next == '\\');
        i += escapes;
        const char plain = next == 't' ? '\t' : next == 'r' ? '\r' : '\\';
        buf_char(&b, escapes ? plain : text.ptr[i]);
    }
    return buf_str(&b);
}

static void run_sqlparse(test_case *c)
{
    const str sql = unescaped(c, "sql");
    buf out = buf_new(case_arena(c));
    sqlparse_lexer l = sqlparse_lex(sql);
    sqlparse_splitter s = {0};
    sqlparse_token t;
    while (sqlparse_next(&l, &t)) {
        const str word = sqlparse_class_word(t.class);
        if (t.class != SQLPARSE_BLANK) {
            buf_printf(&out, "%-11.*s ", STR_ARG(word));
            add_escaped(&out, t.text);
            buf_char(&out, '\n');
        }
        buf_add(&out, sqlparse_splits(&s, t) ? S("--\n") : S(""));
    }
    case_output(c, "", buf_str(&out));
}

const test_kind kind_sqlparse = {
    .name = "sqlparse",
    .sections = "sql",
    .keys = "",
    .run = run_sqlparse,
};

static void run_tokens(test_case *c)
{
    const str sql = unescaped(c, "sql");
    arena *a = case_arena(c);
    const str_list parts = sql_eval_edit(a, sql, case_scratch(c));
    const str text = sql_eval_string(a, sql, case_scratch(c));
    buf out = buf_new(a);
    for (ptrdiff_t i = 0; i < parts.len; i++) {
        add_escaped(&out, parts.ptr[i]);
        buf_char(&out, '\n');
    }
    case_output(c, "", buf_str(&out));
    case_output(c, "text", text);
}

const test_kind kind_sql_eval_tokens = {
    .name = "sql_eval_tokens",
    .sections = "sql",
    .keys = "",
    .run = run_tokens,
};

static void add_verdict(buf *out, const char *metric, verdict v)
{
    const str word = answer_word(v.v);
    buf_printf(out, "%-7s %.*s", metric, STR_ARG(word));
    if (v.has_score) {
        buf_printf(out, "  distance %td, similarity %.3f", v.distance, v.score);
    }
    if (v.reason != REASON_NONE) {
        const str why = reason_word(v.reason);
        buf_printf(out, "  %.*s: %.*s", STR_ARG(why), STR_ARG(v.detail));
    }
    buf_char(out, '\n');
}

static void run_text(test_case *c)
{
    const str gold = unescaped(c, "gold");
    const str pred = unescaped(c, "pred");
    arena *a = case_arena(c);
    const arena scratch = case_scratch(c);
    buf out = buf_new(a);
    add_verdict(&out, "string", metric_string_sql_eval(gold, pred, a, scratch));
    add_verdict(&out, "edit", metric_edit_sql_eval(gold, pred, a, scratch));
    case_output(c, "", buf_str(&out));
}

const test_kind kind_sql_eval_text = {
    .name = "sql_eval_text",
    .sections = "gold pred",
    .keys = "",
    .run = run_text,
};

static bool read_choice(test_case *c, const char *key, str first, str second)
{
    const str word = case_key(c, key);
    if (word.len > 0 && !str_equal(word, first) && !str_equal(word, second)) {
        case_broken(c, "%s: '%.*s' is neither '%.*s' nor '%.*s'", key,
                    STR_ARG(word), STR_ARG(first), STR_ARG(second));
    }
    return str_equal(word, second);
}

static void run_spider_text(test_case *c)
{
    const bool is_pred = read_choice(c, "role", S("gold"), S("pred"));
    const bool keeps = read_choice(c, "distinct", S("drop"), S("keep"));
    const family_options how = {.keeps_distinct = keeps};
    const str text = unescaped(c, "sql");
    const family_text t = is_pred
                              ? family_spider.pred(case_arena(c), text, how)
                              : family_spider.gold(case_arena(c), text, how);
    buf out = buf_new(case_arena(c));
    buf_add(&out, t.has_order ? S("order matters\n") : S(""));
    buf_add(&out, t.returns_nothing ? S("returns nothing\n") : S(""));
    buf_add(&out, out.len == 0 ? S("none\n") : S(""));
    case_output(c, "flags", buf_str(&out));
    buf sql = buf_new(case_arena(c));
    buf_char(&sql, '|');
    buf_add(&sql, t.sql);
    buf_char(&sql, '|');
    case_output(c, "", buf_str(&sql));
}

const test_kind kind_spider_text = {
    .name = "spider_text",
    .sections = "sql",
    .keys = "role distinct",
    .run = run_spider_text,
};
