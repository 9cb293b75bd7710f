// help_values.c - what may follow an option, from the tables that check it.
#include "check/check_verdict.h"
#include "cli/help.h"
#include "evaluators/evaluator.h"
#include "metric/leniency.h"
#include "metric/metric.h"
#include "prove/prove.h"
#include "read/convert.h"
#include "sql/dialect.h"
#include "suite/neighbor.h"

// Words of a table, each with a space after it.
#define ADD_WORDS(b, type, first, n, word)     \
    for (int i = (first); i < (int)(n); i++) { \
        buf_add((b), word((type)i));           \
        buf_char((b), ' ');                    \
    }

static str metric_word(metric_id m)
{
    return metric_at(m)->word;
}

static void add_written_formats(buf *b)
{
    for (int f = 0; f < FORMAT_COUNT; f++) {
        if (convert_writes((dataset_format)f)) {
            buf_printf(b, "%.*s ",
                       STR_ARG(dataset_format_word((dataset_format)f)));
        }
    }
}

static void add_assumptions(buf *b)
{
    for (unsigned bit = 1; bit <= ASSUME_LAST; bit <<= 1) {
        buf_printf(b, "%.*s ", STR_ARG(assume_word(bit)));
    }
    buf_add(b, S("none "));
}

static void add_choices(buf *b, str choices)
{
    while (choices.len > 0) {
        buf_add(b, str_cut(&choices, '|'));
        buf_char(b, ' ');
    }
}

// The words of the other tables; none when the option takes any text.
static void add_table(buf *b, opt_id id)
{
    // clang-format off
    switch ((int)id) {
    case OPT_METRICS:
        ADD_WORDS(b, metric_id, 0, METRIC_COUNT, metric_word)
        buf_add(b, S("all "));
        break;
    case OPT_METRIC:
    case OPT_REFERENCE:
        ADD_WORDS(b, metric_id, 0, METRIC_COUNT, metric_word)
        break;
    case OPT_RULES: ADD_WORDS(b, rules, 0, RULES_COUNT, rules_word) break;
    case OPT_FORMAT:
        ADD_WORDS(b, dataset_format, 0, FORMAT_COUNT, dataset_format_word)
        break;
    case OPT_TO: add_written_formats(b); break;
    case OPT_DIALECT:
        ADD_WORDS(b, dialect, 0, DIALECT_COUNT, dialect_word)
        break;
    case OPT_REASON: ADD_WORDS(b, reason, 1, REASON_COUNT, reason_word) break;
    case OPT_ASSUME: add_assumptions(b); break;
    case OPT_IGNORE_CAUSES:
        ADD_WORDS(b, cause, 1, CAUSE_COUNT, cause_word)
        break;
    case OPT_KINDS:
        ADD_WORDS(b, neighbor_kind, 0, NEIGHBOR_KIND_COUNT, neighbor_word)
        break;
    case OPT_ACCEPT:
    case OPT_REJECT:
        ADD_WORDS(b, leniency, 0, LENIENCY_COUNT, leniency_word)
        break;
    default: break;
    }
    // clang-format on
}

// Does the value name a file or a folder?
static bool is_file(str arg)
{
    return str_among(arg, "FILE DIR SOURCE JOURNAL RUN.jsonl");
}

help_values help_values_of(arena *a, opt_id id)
{
    const opt_spec *spec = opt_spec_at(id);
    buf b = buf_new(a);
    if (spec->kind == OPT_KIND_CHOICE) {
        add_choices(&b, spec->arg);
    } else {
        add_table(&b, id);
    }
    help_values v = {.words = buf_str(&b), .kind = HELP_VALUE_FREE};
    if (spec->kind == OPT_KIND_FLAG) {
        v.kind = HELP_VALUE_NONE;
    } else if (v.words.len > 0) {
        v.words.len--;
        v.kind =
            spec->kind == OPT_KIND_LIST ? HELP_VALUE_LIST : HELP_VALUE_WORD;
    } else if (is_file(spec->arg) || id == OPT_PROMPT) {
        v.kind = HELP_VALUE_FILE;
    }
    return v;
}
