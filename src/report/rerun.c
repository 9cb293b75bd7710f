/*
 * rerun.c - see rerun.h.
 *
 * Method      The first line of a journal says what the verdicts depend on.
 *             What has the value that assay takes by itself is left out, so
 *             that the command stays short; the clock is set only where a query
 *             reads it.
 */
#include "report/rerun.h"

#include "base/utf8.h"
#include "report/case_line.h"

// Members of the head, the value that is not worth an option, and the option.
// A switch has its value in its words.
static const struct {
    str key;
    str usual;
    str is;  // only when it is this; empty: any
    const char *option;
    bool takes_value;
} switches[] = {
    {S_INIT("metrics"), S_INIT("string,exec,subset"), {0}, "--metrics", true},
    {S_INIT("rules"), S_INIT("assay"), {0}, "--rules", true},
    {S_INIT("pass_at"), {0}, {0}, "--pass-at", true},
    {S_INIT("ordered"), S_INIT("auto"), {0}, "--ordered", true},
    {S_INIT("tolerance"), {0}, {0}, "--tolerance", true},
    {S_INIT("distinct"), {0}, S_INIT("keep"), "--keep-distinct", false},
    {S_INIT("distinct"), {0}, S_INIT("ignore"), "--ignore-distinct", false},
    {S_INIT("plug_values"), {0}, S_INIT("true"), "--plug-values", false},
    {S_INIT("extra_rows"), {0}, S_INIT("true"), "--extra-rows", false},
    {S_INIT("same_column_order"),
     {0},
     S_INIT("true"),
     "--columns same-order",
     false},
};

str rerun_word(arena *a, str word)
{
    bool is_plain = word.len > 0;
    for (ptrdiff_t i = 0; i < word.len; i++) {
        char c = word.ptr[i];
        is_plain &=
            is_alpha(c) || is_digit(c)
            || str_find(S("_./:-,=+%@"), str_sub(word, i, i + 1), 0) >= 0;
    }
    if (is_plain) {
        return word;
    }
    word = buf_replaced(a, utf8_visible(a, word), S("'"), S("'\\''"));
    return arena_printf(a, "'%.*s'", STR_ARG(word));
}

static void add_option(buf *b, const char *option, str value)
{
    arena *a = b->a;
    if (value.len > 0) {
        str word = rerun_word(a, value);
        buf_printf(b, " %s %.*s", option, STR_ARG(word));
    }
}

// A value as an option takes it: a list with commas; null is empty. A judge
// would need its model as well and is not asked again.
static str value_text(arena *a, const json *j)
{
    buf b = buf_new(a);
    if (!j || j->kind == JSON_KIND_NULL) {
        return (str){0};
    }
    if (j->kind == JSON_KIND_STRING) {
        return j->text;
    }
    if (j->kind != JSON_KIND_ARRAY) {
        json_add(&b, j);
        return buf_str(&b);
    }
    for (const json *item = j->child; item; item = item->next) {
        str text = value_text(a, item);
        if (!str_equal(text, S("judge"))) {
            buf_add(&b, b.len > 0 ? S(",") : S(""));
            buf_add(&b, text);
        }
    }
    return buf_str(&b);
}

// A run without a limit of work says nothing of one.
static void add_work(buf *b, const json *limits)
{
    str work = value_text(b->a, json_get(limits, S("work")));
    bool is_usual = str_equal(work, S("auto"));
    add_option(b, "--work",
               is_usual || !limits ? (str){0}
               : work.len > 0      ? work
                                   : S("none"));
}

static void add_switches(buf *b, const json *head)
{
    for (ptrdiff_t i = 0; i < countof(switches); i++) {
        str value = value_text(b->a, json_get(head, switches[i].key));
        if (switches[i].takes_value) {
            bool is_usual = str_equal(value, switches[i].usual);
            add_option(b, switches[i].option, is_usual ? (str){0} : value);
        } else if (str_equal(value, switches[i].is)) {
            buf_printf(b, " %s", switches[i].option);
        }
    }
}

static void add_clock(buf *b, const json *head, const json *line)
{
    const json *gold = json_get(line, S("gold"));
    str golds = value_text(b->a, gold);
    if (case_text_reads_clock(golds)
        || case_text_reads_clock(json_get_text(line, S("pred")))) {
        add_option(b, "--now", json_get_text(head, S("clock")));
    }
}

str rerun_command(arena *a, const json *head, const json *line)
{
    str gold = json_get_text(json_get(head, S("gold")), S("file"));
    if (gold.len == 0) {
        return (str){0};
    }
    str run = json_get_text(line, S("run"));
    const json *pred = json_get(json_get(head, S("runs")), run);
    const json *source = json_get(head, S("source"));
    const json *db = json_get(source, S("db"));
    const json *tables = json_get(head, S("tables"));
    buf b = buf_new(a);
    buf_add(&b, S("assay score"));
    add_option(&b, "--gold", gold);
    add_option(&b, "--gold-results", json_get_text(source, S("gold_results")));
    add_option(&b, "--pred", json_get_text(pred, S("file")));
    for (const json *f = json_children(head, S("fields")); f; f = f->next) {
        add_option(&b, "--field", f->text);
    }
    add_option(&b, "--db", db ? value_text(a, db) : S("DB"));
    add_option(&b, "--gold-db", json_get_text(head, S("gold_db")));
    add_option(&b, "--setup", json_get_text(source, S("setup")));
    add_option(&b, "--tables", json_get_text(tables, S("file")));
    add_option(&b, "--suite", json_get_text(source, S("suite")));
    add_switches(&b, head);
    add_work(&b, json_get(head, S("limits")));
    add_clock(&b, head, line);
    add_option(&b, "--only", json_get_text(line, S("id")));
    return buf_str(&b);
}
