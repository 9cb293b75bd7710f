/*
 * cmd_lint.c - `assay lint`: what is wrong with gold queries, before anybody is
 * judged by them.
 *
 * The golds are audited by the workers of `assay score` (job/lint.h), one line
 * of JSON a case; here the lines become messages for people, and what concerns
 * several cases is found.
 */
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "cli/dataset_option.h"
#include "cli/doc_out.h"
#include "cli/out_file.h"
#include "cli/progress.h"
#include "cli/score_setup.h"
#include "job/lint.h"
#include "job/lint_rank.h"
#include "job/lint_sarif.h"
#include "job/run.h"
#include "job/vocabulary.h"
#include "metric/metric.h"

// A question that was seen, and its gold.
typedef struct asked {
    str gold;
    str id;
} asked;

typedef struct lint_output {
    const cli *c;
    str file;  // of the golds
    bool writes_sarif;
    file_map golds;  // then: the file
    lint_sarif sarif;
    lint_rank rank;
    buf text;                         // messages
    ptrdiff_t counts[LINT_COUNT];     // golds
    ptrdiff_t last_case[LINT_COUNT];  // that was counted, from 1
    ptrdiff_t n_cases;
    ptrdiff_t n_clean;
    map questions;  // database and question; ids index `asked`
    vec_of(asked) asked;
} lint_output;

// What stands in front of each message.
typedef struct lint_case {
    str id;
    str db;
    str question;
    str gold;
    int64_t line;
} lint_case;

static void tell(lint_output *out,
                 const lint_case *it,
                 lint_id id,
                 int64_t variant,
                 str detail)
{
    bool is_shown = lint_level_of(id) != LINT_LEVEL_note
                    || opt_flag(out->c->o, OPT_VERBOSE);
    str why = detail.len > 0 ? detail : lint_text(id);
    str about = lint_subject(out->c->room, it->id, it->db, variant);
    if (out->last_case[id] != out->n_cases + 1) {
        out->last_case[id] = out->n_cases + 1;
        out->counts[id]++;
    }
    if (out->writes_sarif) {
        lint_sarif_add(&out->sarif, id,
                       lint_sarif_locate(&out->sarif, it->line, it->gold),
                       it->id,
                       arena_printf(out->c->room, "%.*s: %.*s", STR_ARG(about),
                                    STR_ARG(why)));
    } else if (is_shown && !opt_flag(out->c->o, OPT_QUIET)) {
        about = utf8_visible(out->c->room, about);
        why = utf8_visible(out->c->room, why);
        buf_printf(&out->text, "%.*s:%lld: %.*s: %.*s: %.*s: %.*s\n",
                   STR_ARG(out->file), (long long)it->line, STR_ARG(about),
                   STR_ARG(lint_level_word(lint_level_of(id))),
                   STR_ARG(lint_word(id)), STR_ARG(why));
    }
}

// Findings about this case and an earlier one; how many.
static ptrdiff_t compare_with_earlier(lint_output *out,
                                      const lint_case *it,
                                      arena scratch)
{
    if (it->question.len == 0) {
        return 0;
    }
    str key = arena_printf(&scratch, "%.*s\t%.*s", STR_ARG(it->db),
                           STR_ARG(it->question));
    ptrdiff_t id = map_find(&out->questions, key);
    if (id < 0) {
        map_add(&out->questions, out->c->room, key);
        *vec_push(out->c->room, &out->asked) = (asked){
            arena_str(out->c->room, it->gold), arena_str(out->c->room, it->id)};
        return 0;
    }
    const asked *first = &out->asked.ptr[id];
    str detail = arena_printf(&scratch, "see case %.*s", STR_ARG(first->id));
    tell(out, it,
         str_equal(first->gold, it->gold) ? LINT_DUPLICATE : LINT_CONTRADICTION,
         -1, detail);
    return 1;
}

static void take_line(lint_output *out, str line)
{
    arena a = arena_store_clear(out->c->lines);
    const json *j = json_parse(&a, line, NULL);
    const json *findings = json_get(j, S("findings"));
    if (!findings) {
        return;  // the header
    }
    const json *gold = json_get(j, S("gold"));
    gold = gold && gold->kind == JSON_KIND_ARRAY ? gold->child : gold;
    lint_case it = {
        .id = json_get_text(j, S("id")),
        .db = json_get_text(j, S("db")),
        .question = json_get_text(j, S("question")),
        .gold = gold ? gold->text : (str){0},
        .line = json_get_int(j, S("line"), 0),
    };
    ptrdiff_t n = findings->n;
    for (const json *f = findings->child; f; f = f->next) {
        lint_id id;
        if (lint_from_word(json_get_text(f, S("lint")), &id)) {
            tell(out, &it, id, json_get_int(f, S("variant"), -1),
                 json_get_text(f, S("detail")));
        }
    }
    lint_rank_add(&out->rank, out->c->room, j);
    n += compare_with_earlier(out, &it, a);
    out->n_cases++;
    out->n_clean += n == 0;
}

static bool print_summary(lint_output *out, bool to_stdout)
{
    const cli *c = out->c;
    doc d = doc_out_new(c, out->c->room, 100);
    lint_rank_doc(&d, &out->rank, opt_flag(c->o, OPT_VERBOSE));
    grid *g = doc_table(&d, S("finding|level|golds|of"));
    for (int i = 0; i < LINT_COUNT; i++) {
        if (out->counts[i] > 0) {
            grid_row(g, lint_word((lint_id)i),
                     lint_level_word(lint_level_of((lint_id)i)),
                     cell_int(out->c->room, out->counts[i]),
                     cell_int(out->c->room, out->n_cases));
        }
    }
    doc_say(&d, "%s%td gold%s, %td without findings\n",
            out->rank.cases.len > 0 || g->rows.len > 1 ? "\n" : "",
            out->n_cases, plural(out->n_cases), out->n_clean);
    return doc_out_print(c, &d, to_stdout ? stdout : stderr);
}

// Is there no finding of the level that makes the command fail?
static bool is_clean(const lint_output *out)
{
    lint_level least = LINT_LEVEL_COUNT;
    for (int l = 0; l < LINT_LEVEL_COUNT; l++) {
        if (opt_is(out->c->o, OPT_FAIL_ON, lint_level_word((lint_level)l))) {
            least = (lint_level)l;
        }
    }
    for (int i = 0; i < LINT_COUNT; i++) {
        if (out->counts[i] > 0 && lint_level_of((lint_id)i) >= least) {
            return cli_ends(out->c, EXIT_CODE_FAILED);
        }
    }
    return true;
}

// Data on standard output are alone there: the summary goes elsewhere.
static bool print_findings(lint_output *out)
{
    const opt *o = out->c->o;
    str path = opt_text(o, OPT_OUT);
    bool is_taken =
        str_equal(path, S("-")) || (out->writes_sarif && path.len == 0);
    // Replaces what is there: unlike a journal it cannot be continued.
    bool ok = !out->writes_sarif
              || out_file_put(out->c, path,
                              lint_sarif_end(&out->sarif, out->c->room));
    if (!opt_flag(o, OPT_QUIET)) {
        ok = (is_taken || cli_print(out->c, buf_str(&out->text))) && ok;
        ok = print_summary(out, !is_taken) && ok;
    }
    return ok;
}

static bool audit(lint_output *out, run_options *run, arena *a, arena scratch)
{
    const cli *c = out->c;
    progress bar = {.c = c};
    diag notes = diag_new(a);
    run_outcome outcome;
    bool ok = progress_run(&bar, run, &outcome, a, c->d, &notes, scratch);
    cli_say_all(c, &notes, scratch);
    if (!ok) {
        return false;
    }
    for (str line, rest = outcome.journal.bytes;
         file_line(&outcome.journal, &rest, &line);) {
        take_line(out, line);
    }
    run_close(&outcome);
    return print_findings(out)
           && (outcome.end == SUPERVISOR_INTERRUPTED
                   ? cli_ends(c, EXIT_CODE_INTERRUPTED)
                   : is_clean(out));
}

bool cmd_lint(cli *c)
{
    arena scratch = arena_store_clear(c->lines);
    run_options run;
    if (!score_setup(&run, c, c->room)) {
        return false;
    }
    run.score.audits_golds = true;
    run.score.ranks_golds = opt_flag(c->o, OPT_RANK) || opt_has(c->o, OPT_PRED);
    run.score.also_suspect |= (unsigned)vocabulary_bits(
        VOCABULARY_SIGNAL, opt_texts(c->o, OPT_SUSPECT));
    run.plan.has_no_preds = !run.score.ranks_golds;
    if (run.score.ranks_golds) {
        run.score.metrics |= metrics_needing(NEEDS_CHECKER);
        run.score.world = WORLD_REALISTIC;
        run.plan.allows_missing = true;
    }
    run.plan.needs_db = true;
    run.times = JOURNAL_WITHOUT_TIMES;
    lint_output out = {
        .c = c, .file = run.plan.gold, .writes_sarif = lint_writes_sarif(c->o)};
    if (out.writes_sarif) {
        run.out = (str){0};
        if (!file_open(&out.golds, c->room, out.file, c->d)) {
            return false;
        }
    }
    out.text = buf_new(c->room);
    out.sarif = lint_sarif_new(c->room, out.file, out.golds.bytes);
    bool ok = audit(&out, &run, c->room, scratch);
    file_close(&out.golds);
    return ok;
}
