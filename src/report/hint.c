/*
 * hint.c - see hint.h.
 *
 * Method      Models that were made for exact set match write `value`,
 *             `terminal` or 1 where a value belongs. A prediction has
 *             placeholders when all its values are such words while the gold
 *             has a text that is none. That many of the wrong predictions do,
 *             one could do by chance.
 */
#include "report/hint.h"

#include "report/rerun.h"
#include "sql/lex.h"

enum {
    PLACEHOLDERS_LEAST = 3,    // fewer are chance
    PLACEHOLDERS_PERCENT = 20  // of the wrong ones that need a value
};

static bool is_placeholder(str word)
{
    return str_among_fold(word, "value terminal");
}

typedef struct values {
    int64_t n_texts;  // strings that are no placeholders
    int64_t n_numbers;
    int64_t n_placeholders;  // the number 1 among them
} values;

// Tokenizers of models leave blanks: ' value '.
static str without_quotes(str s)
{
    return s.len >= 2 ? str_trim(str_sub(s, 1, s.len - 1)) : s;
}

// A bare `value` counts only after a sign of comparison: it may be a column.
static void count_name(values *v, str text, bool follows_sign)
{
    v->n_placeholders += follows_sign && is_placeholder(text);
}

static void count_string(values *v, str text)
{
    bool is_one = is_placeholder(without_quotes(text));
    v->n_placeholders += is_one;
    v->n_texts += !is_one;
}

static values values_of(str sql)
{
    values v = {0};
    lexer l = lex_begin(sql, DIALECT_SQLITE);
    token_kind last = TOKEN_END;
    for (token t = lex_next(&l); t.kind != TOKEN_END; t = lex_next(&l)) {
        str text = str_sub(sql, t.pos, t.pos + t.len);
        if (t.kind == TOKEN_STRING || t.kind == TOKEN_STRING_OR_NAME) {
            count_string(&v, text);
        } else if (t.kind == TOKEN_NUMBER && str_equal(text, S("1"))) {
            v.n_placeholders++;
        } else if (t.kind == TOKEN_NUMBER) {
            v.n_numbers++;
        } else if (t.kind == TOKEN_NAME || t.kind == TOKEN_WORD) {
            count_name(&v, text, last == TOKEN_OP);
        }
        last = t.kind;
    }
    return v;
}

void hint_add(hint *h, const case_line *line)
{
    const line_verdict *main = case_line_main(line);
    if (!main || main->v != ANSWER_NO || values_of(line->gold).n_texts == 0) {
        return;
    }
    values pred = values_of(line->pred);
    h->n_valued++;
    h->n_placeholders +=
        pred.n_placeholders > 0 && pred.n_texts == 0 && pred.n_numbers == 0;
}

static ptrdiff_t main_metric(const tally *t)
{
    ptrdiff_t exec = map_find(&t->metrics, S("exec"));
    return exec >= 0 || map_count(&t->metrics) == 0 ? exec : 0;
}

// The number of noes, and their most frequent reason.
static int64_t most_frequent(const tally *t, ptrdiff_t metric, str *why)
{
    int64_t n_no = 0;
    int64_t most = 0;
    for (ptrdiff_t word = 0; word < map_count(&t->words); word++) {
        int64_t n = tally_reasons(t, -1, metric, ANSWER_NO, word);
        if (n > most) {
            most = n;
            *why = map_key_at(&t->words, word);
        }
    }
    for (ptrdiff_t run = 0; run < t->by_run.len; run++) {
        const tally_metric *m = tally_metric_at(t, run, metric);
        n_no += m ? m->all.answers[ANSWER_NO] : 0;
    }
    return n_no;
}

static str show_command(arena *a, str journal, str metric, str why)
{
    str file = rerun_word(a, journal);
    buf b = buf_new(a);
    buf_printf(&b, "see why: assay show %.*s", STR_ARG(file));
    if (!str_equal(metric, S("exec"))) {
        buf_printf(&b, " --metric %.*s", STR_ARG(metric));
    }
    if (why.len > 0) {
        buf_printf(&b, " --reason %.*s", STR_ARG(why));
    }
    return buf_str(&b);
}

str hint_text(arena *a,
              const hint *h,
              const tally *t,
              const hint_context *context)
{
    str why = {0};
    ptrdiff_t metric = main_metric(t);
    if (metric < 0 || most_frequent(t, metric, &why) == 0) {
        return (str){0};
    }
    if (!context->plugs_values && h->n_placeholders >= PLACEHOLDERS_LEAST
        && h->n_placeholders * 100 >= h->n_valued * PLACEHOLDERS_PERCENT) {
        return arena_printf(a,
                            "placeholders found instead of values (%lld "
                            "predictions): try --plug-values",
                            (long long)h->n_placeholders);
    }
    if (context->journal.len > 0) {
        return show_command(a, context->journal,
                            map_key_at(&t->metrics, metric), why);
    }
    return context->has_out ? (str){0}
                            : S("add --out run.jsonl to keep the "
                                "evidence, then: assay show run.jsonl");
}
