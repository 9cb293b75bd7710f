/*
 * like_spider.c - the tables that the evaluator of Spider, SParC and
 * CoSQL prints (definitions/spider.md#report).
 *
 * Why         Its users compare by eye or by diff: every blank is theirs. Two
 *             habits of it look odd and are kept: F1 is 1 where accuracy and
 *             recall are both 0, and the column joint_all never gets partial
 *             scores.
 * Not here    Its `Evaluating 10th prediction`: that is progress, no result.
 */
#include "evaluators/like_table.h"

enum {
    LEVELS = 4,   // easy to extra, by name
    COLUMNS = 6,  // and all, joint_all
};

static const char *const columns[COLUMNS] = {"easy",  "medium", "hard",
                                             "extra", "all",    "joint_all"};
static const char *const turns[] = {"turn 1", "turn 2", "turn 3", "turn 4",
                                    "turn > 4"};
_Static_assert(countof(turns) == TALLY_TURNS, "a name for each turn");

// What is there to print: NULL for a metric that was not computed.
typedef struct spider_tables {
    const like_run *r;
    const tally_metric *exec;
    const tally_metric *set;
    int64_t n_sessions;
} spider_tables;

static bool has_sessions(const spider_tables *s)
{
    return s->n_sessions > 1;
}

static double share_of(const tally_count *c)
{
    return like_share(c->answers[ANSWER_YES], tally_total(c));
}

static void add_line(const like_run *r, str line)
{
    buf_add(r->out, line);
    buf_char(r->out, '\n');
}

static ptrdiff_t n_columns(const spider_tables *s)
{
    return has_sessions(s) ? COLUMNS : COLUMNS - 1;
}

static void add_counts(const spider_tables *s)
{
    const like_run *r = s->r;
    double n[COLUMNS];
    for (int i = 0; i < LEVELS; i++) {
        n[i] = (double)like_level_cases(r, columns[i]);
    }
    n[LEVELS] = (double)like_counts(r)->n_cases;
    n[LEVELS + 1] = (double)s->n_sessions;
    like_names(r, columns, n_columns(s));
    like_row(r, S("count"), n, n_columns(s), 0);
}

static void add_metric(const spider_tables *s, str label, const tally_metric *m)
{
    double shares[COLUMNS];
    for (int i = 0; i < LEVELS; i++) {
        tally_count count = like_level_count(s->r, m, columns[i]);
        shares[i] = share_of(&count);
    }
    shares[LEVELS] = share_of(&m->all);
    shares[LEVELS + 1] =
        like_share(s->n_sessions - m->sessions_failed, s->n_sessions);
    like_row(s->r, label, shares, n_columns(s), 3);
}

/* Partial scores. */

typedef enum partial_kind {
    PARTIAL_ACCURACY,
    PARTIAL_RECALL,
    PARTIAL_F1,
    PARTIAL_KINDS,
} partial_kind;

static double part_score(const tally_part *p, partial_kind kind)
{
    double accuracy = like_share(p->n_pred_right, p->n_pred);
    double recall = like_share(p->n_gold_right, p->n_gold);
    bool is_zero = p->n_pred_right == 0 && p->n_gold_right == 0;
    const double scores[PARTIAL_KINDS] = {
        [PARTIAL_ACCURACY] = accuracy,
        [PARTIAL_RECALL] = recall,
        [PARTIAL_F1] =
            is_zero ? 1 : 2.0 * accuracy * recall / (recall + accuracy),
    };
    return scores[kind];
}

// A level that no case has scores 0, in F1 too.
static double level_score(const spider_tables *s,
                          const char *level,
                          int part,
                          partial_kind kind)
{
    tally_parts parts = tally_parts_at(s->set, like_level(s->r, level));
    return like_level_cases(s->r, level) > 0 ? part_score(&parts.at[part], kind)
                                             : 0;
}

static void add_parts(const spider_tables *s, partial_kind kind)
{
    static const tally_part none;
    for (int part = 0; part < LINE_PARTS; part++) {
        double scores[COLUMNS];
        for (int i = 0; i < LEVELS; i++) {
            scores[i] = level_score(s, columns[i], part, kind);
        }
        scores[LEVELS] = part_score(&s->set->parts.at[part], kind);
        scores[LEVELS + 1] = part_score(&none, kind);
        like_row(s->r, line_part_word(part), scores, n_columns(s), 3);
    }
}

static void add_set(const spider_tables *s)
{
    static const str titles[] = {
        [PARTIAL_ACCURACY] = S_INIT("\n---------------------PARTIAL MATCHING "
                                    "ACCURACY----------------------"),
        [PARTIAL_RECALL] = S_INIT("---------------------- PARTIAL MATCHING "
                                  "RECALL ----------------------"),
        [PARTIAL_F1] = S_INIT("---------------------- PARTIAL MATCHING "
                              "F1 --------------------------"),
    };
    add_line(s->r, S("\n====================== EXACT MATCHING ACCURACY "
                     "====================="));
    add_metric(s, S("exact match"), s->set);
    for (int kind = 0; s->set->has_parts && kind < PARTIAL_KINDS; kind++) {
        add_line(s->r, titles[kind]);
        add_parts(s, (partial_kind)kind);
    }
}

/* Turns of sessions. */

static void add_turns_of(const spider_tables *s,
                         str label,
                         const tally_metric *m)
{
    double shares[TALLY_TURNS];
    for (int i = 0; i < TALLY_TURNS; i++) {
        shares[i] = share_of(&m->turns[i]);
    }
    like_row(s->r, label, shares, TALLY_TURNS, 3);
}

static void add_turns(const spider_tables *s)
{
    const like_run *r = s->r;
    buf_add(r->out, S("\n\n"));
    like_names(r, turns, countof(turns));
    double n[TALLY_TURNS];
    for (int i = 0; i < TALLY_TURNS; i++) {
        n[i] = (double)like_counts(r)->turns[i];
    }
    like_row(r, S("count"), n, TALLY_TURNS, 0);
    if (s->exec) {
        add_line(r, S("=====================   TURN EXECUTION ACCURACY     "
                      "====================="));
        add_turns_of(s, S("execution"), s->exec);
    }
    if (s->set) {
        add_line(r, S("\n====================== TURN EXACT MATCHING ACCURACY "
                      "====================="));
        add_turns_of(s, S("exact match"), s->set);
    }
}

void like_print_spider(const like_run *r)
{
    const tally *t = r->t;
    ptrdiff_t exec = report_find_metric(t, S("exec"), S("spider"));
    ptrdiff_t set = map_find(&t->metrics, S("set:spider"));
    const spider_tables s = {
        .r = r,
        .exec = tally_metric_at(t, r->run, exec),
        .set = tally_metric_at(t, r->run, set),
        .n_sessions = like_counts(r)->n_sessions,
    };
    add_counts(&s);
    if (s.exec) {
        add_line(r, S("=====================   EXECUTION ACCURACY     "
                      "====================="));
        add_metric(&s, S("execution"), s.exec);
    }
    if (s.set) {
        add_set(&s);
    }
    if (has_sessions(&s)) {
        add_turns(&s);
    }
}

/* Before the tables: predictions that are not exact. */

// One line, whatever the text. Of predictions it shows what it judged: every
// `value` is a 1 there.
static void add_text(buf *out, str text, str value)
{
    for (ptrdiff_t i = 0; i < text.len;) {
        if (value.len > 0 && str_starts(str_skip(text, i), value)) {
            buf_char(out, '1');
            i += value.len;
            continue;
        }
        bool is_break = text.ptr[i] == '\n' || text.ptr[i] == '\r';
        buf_char(out, is_break ? ' ' : text.ptr[i]);
        i++;
    }
    buf_char(out, '\n');
}

void like_print_spider_case(buf *out, const case_line *line)
{
    const line_verdict *set = case_line_verdict(line, S("set:spider"));
    if (!set || set->v == ANSWER_YES) {
        return;
    }
    buf_printf(out, "%.*s pred: ", STR_ARG(line->hardness));
    add_text(out, line->pred, S("value"));
    buf_printf(out, "%.*s gold: ", STR_ARG(line->hardness));
    add_text(out, line->gold, S(""));
    buf_char(out, '\n');
}
