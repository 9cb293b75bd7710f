// help_topics.c - the pages that explain words, not commands.
#include "base/words.h"
#include "blame/blame.h"
#include "cli/complete.h"
#include "evaluators/evaluator.h"
#include "job/lint.h"
#include "job/proof_rule.h"
#include "metric/metric.h"
#include "read/dataset.h"
#include "table/verdict.h"

#include <assert.h>

enum {
    WORD_COLUMN = 22,
    SHORT_COLUMN = 14
};

static void help_metrics(page *p)
{
    page_text(p, 0,
              S("A verdict is yes, no or unknown; each no has a reason (assay "
                "help reasons)."));
    char memory[512];
    arena a = {.next = memory, .end = memory + sizeof memory};
    str all = metrics_words(metrics_with(IN_ALL), &a);
    page_text(
        p, 0,
        arena_printf(&a,
                     "--metrics all stands for %.*s, and suite where one "
                     "is given. Name the others yourself: they are scores, "
                     "opinions, or need more than the databases.",
                     STR_ARG(all)));
    for (int m = 0; m < METRIC_COUNT; m++) {
        const metric_info *info = metric_at((metric_id)m);
        page_heading(p, info->word);
        page_text(p, 2, info->text);
        page_text(p, 4, info->how);
        page_text(p, 4, info->lies);
        page_text(p, 4, info->cost);
    }
}

static void help_rules(page *p)
{
    page_text(
        p, 0,
        S("--rules names how two results are compared. Several rules give "
          "one verdict each: exec under the rules assay, exec:NAME under "
          "others. All but assay and strict reproduce a published "
          "evaluator, faults included, so that its figures can be "
          "compared with yours."));
    page_heading(p, S("rules"));
    for (int r = 0; r < RULES_COUNT; r++) {
        page_entry(p, SHORT_COLUMN, rules_word((rules)r), rules_text((rules)r));
    }
}

static const char *const format_texts[] = {
    [FORMAT_AUTO] = "found from the content",
#define FORMAT_HELP(constant, text) [FORMAT_##constant] = (text),
#include "cli/help_format.def"
#undef FORMAT_HELP
};

_Static_assert(countof(format_texts) == FORMAT_COUNT,
               "every format has a text");

static void help_formats(page *p)
{
    page_text(p, 0,
              S("assay finds the format of a file from its content; --format "
                "overrides that. SQL is extracted from Markdown fences and "
                "from answers with a <think> block."));
    page_heading(p, S("formats"));
    for (int f = 0; f < FORMAT_COUNT; f++) {
        page_entry(p, SHORT_COLUMN, dataset_format_word((dataset_format)f),
                   str_from(format_texts[f]));
    }
}

static void help_features(page *p)
{
    page_text(p, 0,
              S("The run file counts which features of SQL the gold query of a "
                "case uses. --filter join>=2 chooses cases by one count, "
                "--filter features=window,cte those that use any of these. "
                "--by join adds a table by that count, --by features a table "
                "with a row for each feature. A gold query that assay cannot "
                "parse has no features."));
    page_heading(p, S("features"));
    for (int f = 0; f < FEATURE_COUNT; f++) {
        page_entry(p, SHORT_COLUMN, sql_feature_word((sql_feature)f),
                   sql_feature_text((sql_feature)f));
    }
}

static const char *const passes[REASON_COUNT] = {
#define PASSES(constant, text) [REASON_##constant] = (text),
#include "cli/help_reason.def"
#undef PASSES
};

static void add_passes(page *p, str text)
{
    char memory[512];
    arena a = {.next = memory, .end = memory + sizeof memory};
    page_text(p, WORD_COLUMN,
              arena_printf(&a, "passes with: %.*s", STR_ARG(text)));
}

static void add_reasons(page *p, str group, str heading)
{
    page_heading(p, heading);
    for (int r = 1; r < REASON_COUNT; r++) {
        if (!str_equal(reason_row_of((reason)r)->group, group)) {
            continue;
        }
        page_entry(p, WORD_COLUMN, reason_word((reason)r),
                   reason_row_of((reason)r)->text);
        if (passes[r]) {
            add_passes(p, str_from(passes[r]));
        }
    }
}

static void help_reasons(page *p)
{
    add_reasons(p, S("pred"), S("what happened to the prediction"));
    add_reasons(p, S("gold"), S("what happened to the gold"));
    add_reasons(p, S("rows"), S("what the comparison found"));
    add_reasons(p, S("note"), S("notes on a yes"));
}

static void help_proofs(page *p)
{
    page_text(
        p, 0,
        S("Two queries are proved equivalent when these rules rewrite both "
          "to the same form. Each rule holds on every database that "
          "satisfies the assumptions listed with the proof; its own "
          "conditions are given below it. And what is proved is tried: on "
          "small databases made for the two queries both must return the "
          "same."));
    const proof_rule *all = NULL;
    ptrdiff_t n = proof_rules(&all);
    for (ptrdiff_t i = 0; i < n; i++) {
        page_heading(p, all[i].name);
        page_text(p, 2, all[i].says);
        page_text(p, 4, all[i].when);
    }
}

static void help_findings(page *p)
{
    page_text(p, 0,
              S("error: this gold query cannot judge any prediction; warning: "
                "verdicts may be wrong or mean little; note: worth a look, "
                "printed with --verbose."));
    for (int l = LINT_LEVEL_COUNT - 1; l >= 0; l--) {
        page_heading(p, lint_level_word((lint_level)l));
        for (int i = 0; i < LINT_COUNT; i++) {
            if (lint_level_of((lint_id)i) == (lint_level)l) {
                page_entry(p, WORD_COLUMN, lint_word((lint_id)i),
                           lint_text((lint_id)i));
            }
        }
    }
}

static void help_signals(page *p)
{
    page_text(p, 0,
              S("What speaks against a query, by weight. What speaks against "
                "the gold and the prediction alike decides nothing between "
                "them."));
    static const str headings[] = {S_INIT("weight 1 with --suspect SIGNAL: "
                                          "audits disagree about them"),
                                   S_INIT("weight 1"), S_INIT("weight 2"),
                                   S_INIT("weight 3")};
    for (int w = BLAME_WEIGHT_MOST; w >= 0; w--) {
        page_heading(p, headings[w]);
        for (int i = 0; i < BLAME_SIGNAL_COUNT; i++) {
            if (blame_signal_weight((blame_signal)i) == w) {
                page_entry(p, WORD_COLUMN, blame_signal_word((blame_signal)i),
                           blame_signal_text((blame_signal)i));
            }
        }
    }
}

static void help_exit_codes(page *p)
{
#define EXIT(constant, number, text) page_entry(p, 8, S(#number), S(text));
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

void help_topic_page(page *p, help_topic t)
{
    static void (*const pages[])(page * p) = {
        [HELP_TOPIC_METRICS] = help_metrics,
        [HELP_TOPIC_RULES] = help_rules,
        [HELP_TOPIC_FORMATS] = help_formats,
        [HELP_TOPIC_FEATURES] = help_features,
        [HELP_TOPIC_REASONS] = help_reasons,
        [HELP_TOPIC_PROOFS] = help_proofs,
        [HELP_TOPIC_FINDINGS] = help_findings,
        [HELP_TOPIC_SIGNALS] = help_signals,
        [HELP_TOPIC_EXIT_CODES] = help_exit_codes,
        [HELP_TOPIC_COMPLETION] = complete_script_bash,
        [HELP_TOPIC_COMPLETION_ZSH] = complete_script_zsh,
        [HELP_TOPIC_COMPLETION_FISH] = complete_script_fish,
        [HELP_TOPIC_MAN] = help_man,
    };
    _Static_assert(countof(pages) == HELP_TOPIC_COUNT, "each has its page");
    pages[t](p);
}
