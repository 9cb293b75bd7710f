// help_topics.c - the pages that explain words, not commands.
#include "base/words.h"
#include "cli/complete.h"
#include "job/proof_rule.h"
#include "job/vocabulary.h"
#include "metric/metric.h"

#include <assert.h>

enum {
    WORD_COLUMN = 22,
    SHORT_COLUMN = 14
};

// Each with what it means, below the headings of their groups.
static void add_words(doc *d, vocabulary v, ptrdiff_t column)
{
    explained_list list = vocabulary_explained(v, d->a);
    str heading = {0};
    for (ptrdiff_t i = 0; i < list.len; i++) {
        const explained *it = &list.ptr[i];
        if (!str_equal(it->heading, heading)) {
            doc_add(d, DOC_HEADING, it->heading);
        }
        heading = it->heading;
        help_entry(d, column, it->word, it->text);
        if (it->passes.len > 0) {
            doc_entry(
                d, column, (str){0},
                arena_printf(d->a, "passes with: %.*s", STR_ARG(it->passes)));
        }
    }
}

static void help_metrics(doc *d)
{
    doc_entry(d, 0, (str){0},
              S("A verdict is yes, no or unknown; each no has a reason (assay "
                "help reasons)."));
    str all = metrics_words(metrics_with(IN_ALL), d->a);
    doc_entry(
        d, 0, (str){0},
        arena_printf(d->a,
                     "--metrics all stands for %.*s, and suite where one is "
                     "given. Ask for the others by name: they are scores or "
                     "opinions, or need more than the databases.",
                     STR_ARG(all)));
    for (int m = 0; m < METRIC_COUNT; m++) {
        const metric_info *info = metric_at((metric_id)m);
        doc_add(d, DOC_HEADING, info->word);
        doc_entry(d, 2, (str){0}, info->text);
        doc_entry(d, 4, (str){0}, info->how);
        doc_entry(d, 4, (str){0}, info->lies);
        doc_entry(d, 4, (str){0}, info->cost);
    }
}

static void help_proofs(doc *d)
{
    doc_entry(
        d, 0, (str){0},
        S("Two queries are proved equivalent when these rules rewrite both to "
          "the same form. Each rule holds on every database that satisfies the "
          "assumptions listed with the proof; its own conditions are given "
          "below it. assay also tests each proof: it runs both queries on "
          "small databases made for the pair, and they must return the same."));
    doc_add(d, DOC_HEADING, S("terms"));
#define TERM(word, text) help_entry(d, WORD_COLUMN, S(word), S(text));
#include "cli/proof_term.def"
#undef TERM
    const proof_rule *all = NULL;
    ptrdiff_t n = proof_rules(&all);
    for (ptrdiff_t i = 0; i < n; i++) {
        doc_add(d, DOC_HEADING, all[i].name);
        doc_entry(d, 2, (str){0}, all[i].says);
        doc_entry(d, 4, (str){0}, all[i].when);
    }
}

static void help_exit_codes(doc *d)
{
#define EXIT(constant, number, text) help_entry(d, 8, S(#number), S(text));
#include "cli/exit.def"
#undef EXIT
}

static const struct {
    str word;
    str line;
} topics[] = {
#define TOPIC(constant, word, line) \
    [HELP_TOPIC_##constant] = {S_INIT(word), S_INIT(line)},
#include "cli/topic.def"
#undef TOPIC
};

WORDS_OF(help_topic, help_topic, topics)

str help_topic_line(help_topic t)
{
    assert(t < HELP_TOPIC_COUNT);
    return topics[t].line;
}

// Topics that are words with what they mean.
static const struct {
    vocabulary words;
    ptrdiff_t column;
    str before;  // what is said first
} word_pages[HELP_TOPIC_COUNT] = {
    [HELP_TOPIC_RULES] =
        {VOCABULARY_RULES, SHORT_COLUMN,
         S_INIT("--rules names how two results are compared. Several rules "
                "give one verdict each: exec under the rules assay, exec:NAME "
                "under others. All except assay and strict reproduce a "
                "published evaluator, including its faults, so that you can "
                "compare your figures with published ones.")},
    [HELP_TOPIC_FORMATS] =
        {VOCABULARY_FORMAT, SHORT_COLUMN,
         S_INIT("assay finds the format of a file from its content; --format "
                "overrides that. SQL is extracted from Markdown fences and "
                "from answers with a <think> block.")},
    [HELP_TOPIC_FEATURES] =
        {VOCABULARY_FEATURE, SHORT_COLUMN,
         S_INIT("The run file counts which features of SQL the gold query of a "
                "case uses. --filter join>=2 chooses cases by one count; "
                "--filter features=window,cte chooses cases that use any of "
                "these features. --by join adds a table by that count, --by "
                "features a table with a row for each feature. A gold query "
                "that assay cannot parse has no features.")},
    [HELP_TOPIC_REASONS] = {VOCABULARY_REASON, WORD_COLUMN, {0}},
    [HELP_TOPIC_FINDINGS] =
        {VOCABULARY_FINDING, WORD_COLUMN,
         S_INIT("error: no prediction can be scored with this gold query; "
                "warning: verdicts may be wrong or mean little; note: worth a "
                "look, printed only with --verbose.")},
    [HELP_TOPIC_SIGNALS] =
        {VOCABULARY_SIGNAL, WORD_COLUMN,
         S_INIT("Signals that a query is wrong, by weight. A signal against "
                "both the gold and the prediction does not count.")},
};

void help_topic_page(doc *d, help_topic t)
{
    static void (*const pages[])(doc * d) = {
        [HELP_TOPIC_METRICS] = help_metrics,
        [HELP_TOPIC_RULES] = NULL,
        [HELP_TOPIC_FORMATS] = NULL,
        [HELP_TOPIC_FEATURES] = NULL,
        [HELP_TOPIC_REASONS] = NULL,
        [HELP_TOPIC_PROOFS] = help_proofs,
        [HELP_TOPIC_FINDINGS] = NULL,
        [HELP_TOPIC_SIGNALS] = NULL,
        [HELP_TOPIC_EXIT_CODES] = help_exit_codes,
        [HELP_TOPIC_COMPLETION] = complete_script_bash,
        [HELP_TOPIC_COMPLETION_ZSH] = complete_script_zsh,
        [HELP_TOPIC_COMPLETION_FISH] = complete_script_fish,
        [HELP_TOPIC_MAN] = help_man,
    };
    _Static_assert(countof(pages) == HELP_TOPIC_COUNT, "each has its page");
    str before = word_pages[t].before;
    if (before.len > 0) {
        doc_entry(d, 0, (str){0}, before);
    }
    if (pages[t]) {
        pages[t](d);
    } else {
        add_words(d, word_pages[t].words, word_pages[t].column);
    }
}
