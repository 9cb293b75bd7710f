/*
 * kind_score.c - kind `score`: the whole road of one case, from gold template
 * and prediction to verdicts, on a database made by `setup`, of SQLite or
 * of the case's engine.
 *
 * Output: one line a verdict, "key  answer  reason: detail  [notes]", with `clauses:
 * yes` in which clauses the prediction differs, then the statuses when they are
 * not ok.
 */
#include "case_database.h"
#include "score/scorer.h"

static void read_metrics(test_case *c, score_options *o)
{
    str words = case_key(c, "metrics");
    if (words.len == 0) {
        words = S("exec,subset");
    }
    while (words.ptr) {
        str word = str_trim(str_cut(&words, ','));
        metric_id m;
        if (metric_from_word(word, &m)) {
            o->metrics |= METRIC_BIT(m);
        } else {
            case_broken(c, "no metric '%.*s'", STR_ARG(word));
        }
    }
}

static void read_rules(test_case *c, score_options *o)
{
    str words = case_key(c, "rules");
    if (words.len == 0) {
        words = S("assay");
    }
    while (words.ptr) {
        str word = str_trim(str_cut(&words, ','));
        rules r;
        if (rules_from_word(word, &r)) {
            o->rules[o->n_rules++] = r;
        } else {
            case_broken(c, "no rules '%.*s'", STR_ARG(word));
        }
    }
}

static score_options read_options(test_case *c)
{
    score_options o = {0};
    read_metrics(c, &o);
    read_rules(c, &o);
    str ordered = case_key(c, "ordered");
    str distinct = case_key(c, "distinct");
    o.ordered = str_equal(ordered, S("always"))  ? ORDERED_ALWAYS
                : str_equal(ordered, S("never")) ? ORDERED_NEVER
                                                 : ORDERED_AUTO;
    o.distinct = str_equal(distinct, S("keep"))     ? DISTINCT_KEEP
                 : str_equal(distinct, S("ignore")) ? DISTINCT_IGNORE
                                                    : DISTINCT_BY_RULES;
    o.plugs_values = str_equal(case_key(c, "plug"), S("yes"));
    return o;
}

static scorer_engines read_engines(test_case *c)
{
    // 2026-11-20T12:00:00Z, so that cases about the clock stay true.
    enum {
        NOW_S = 1795176000
    };
    scorer_engines e = {.own.clock_ms = (int64_t)NOW_S * 1000};
    e.own.limits.timeout_ms = case_key_int(c, "timeout_ms", 2000);
    e.own.limits.max_rows = case_key_int(c, "max_rows", 100000);
    e.own.limits.max_bytes = case_key_int(c, "max_bytes", 64 << 20);
    return e;
}

// What earlier workers died of twice: the query of the prediction, the gold, or
// nobody knows.
static bool read_death(test_case *c, watch_death *out)
{
    str word = case_key(c, "died_of");
    *out = (watch_death){
        .pred_no = str_equal(word, S("pred"))   ? 0
                   : str_equal(word, S("gold")) ? WATCH_GOLD
                                                : WATCH_ALL,
        .work = WATCH_QUERY,
        .status = REASON_TIMEOUT,
        .is_total = true,
    };
    return word.len > 0;
}

static void add_verdict(buf *b, const scored_verdict *s)
{
    const verdict *v = &s->verdict;
    buf_printf(b, "%-12.*s %-7.*s", STR_ARG(s->key),
               STR_ARG(answer_word(v->v)));
    if (v->reason != REASON_NONE) {
        buf_printf(b, " %.*s", STR_ARG(reason_word(v->reason)));
    }
    if (v->detail.len > 0) {
        buf_printf(b, ": %.*s", STR_ARG(v->detail));
    }
    if (v->v == ANSWER_YES && v->variant > 0) {
        buf_printf(b, " variant %td", v->variant);
    }
    if (v->plugged.len > 0) {
        buf_printf(b, " plugged %.*s", STR_ARG(v->plugged));
    }
    if (v->distance >= 0) {
        buf_printf(b, " distance %td", v->distance);
    }
    if (v->has_score) {
        buf_printf(b, " score %.4f", v->score);
    }
    for (int r = NOTE_FIRST; r < REASON_COUNT; r++) {
        if (v->notes & NOTE_BIT(r)) {
            buf_printf(b, " [%.*s]", STR_ARG(reason_word((reason)r)));
        }
    }
    while (b->len > 0 && b->ptr[b->len - 1] == ' ') {
        b->len--;
    }
    buf_char(b, '\n');
}

static str describe(test_case *c, const scored_case *scored)
{
    buf b = buf_new(case_arena(c));
    const scored_pred *p = &scored->preds[0];
    for (ptrdiff_t i = 0; i < p->n_verdicts; i++) {
        add_verdict(&b, &p->verdicts[i]);
    }
    bool says_clauses = str_equal(case_key(c, "clauses"), S("yes"));
    for (ptrdiff_t i = 0; says_clauses && i < p->n_clauses; i++) {
        buf_printf(&b, "  %.*s\n", STR_ARG(p->clauses[i]));
    }
    if (scored->gold_status != REASON_NONE) {
        buf_printf(&b, "gold %.*s: %.*s\n",
                   STR_ARG(reason_word(scored->gold_status)),
                   STR_ARG(scored->gold_message));
    }
    if (p->status != REASON_NONE) {
        buf_printf(&b, "pred %.*s%s%.*s\n", STR_ARG(reason_word(p->status)),
                   p->message.len > 0 ? ": " : "", STR_ARG(p->message));
    }
    return buf_str(&b);
}

static void run_score(test_case *c)
{
    score_options options = read_options(c);
    scorer_engines engines = read_engines(c);
    case_database db;
    scorer s;
    diag d = diag_new(case_arena(c));
    if (!case_database_open(&db, c, &engines.own)) {
        case_database_close(&db, c);
        return;
    }
    options.dialect = engine_driver_dialect(engines.own.driver);
    if (!scorer_open(&s, &options, &engines, &d)) {
        case_broken(c, "no scorer");
        return;
    }
    str gold = case_section(c, "gold");
    record r = {.question = case_key(c, "question"),
                .category = case_key(c, "category"),
                .golds = &gold,
                .n_golds = 1};
    str text = case_section(c, "pred");
    score_pred pred = {.sql = text, .raw = text, .line = text};
    watch_death death;
    score_task task = {.gold = &r,
                       .preds = &pred,
                       .n_preds = 1,
                       .n_runs = case_key_int(c, "models", 1),
                       .path = db.path,
                       .deaths = &death,
                       .n_deaths = read_death(c, &death)};
    scored_case scored = scorer_case(&s, &task, case_arena(c));
    case_output(c, "", describe(c, &scored));
    scorer_close(&s);
    case_database_close(&db, c);
}

const test_kind kind_score = {
    .name = "score",
    .sections = "setup gold pred",
    .keys = "metrics rules ordered distinct plug clauses question category "
            "timeout_ms max_rows max_bytes died_of models",
    .run = run_score,
};
