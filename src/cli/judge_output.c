/*
 * judge_output.c - the summary is made from what was written.
 *
 * Method      A line is written, read back as a report would read it, and
 *             counted; so the summary and the file cannot disagree.
 */
#include "cli/judge_output.h"

#include "cli/doc_out.h"
#include "metric/metric.h"

bool judge_output_open(judge_output *out, const cli *c, arena *a)
{
    str path = opt_text(c->o, OPT_OUT);
    *out = (judge_output){.c = c, .a = a};
    out->exec = agree_new(a, metric_leading_word());
    out->label = agree_new(a, S("label"));
    agree_group_by(&out->exec, opt_text(c->o, OPT_BY));
    agree_group_by(&out->label, opt_text(c->o, OPT_BY));
    return path.len == 0 || out_file_open(&out->lines, c, path);
}

static void count(judge_output *out, const judge_result *r)
{
    out->n++;
    out->by_decision[r->decision]++;
    out->n_contradicting += r->contradicts_self;
    ptrdiff_t id = map_add(&out->why, out->a, r->why);
    ++*vec_at(out->a, &out->n_why, id);
}

void judge_output_add(judge_output *out,
                      const judge_pair *p,
                      const judge_result *r,
                      arena scratch)
{
    count(out, r);
    buf line = buf_new(&scratch);
    judge_add_line(&line, p, r);
    str text = buf_str(&line);
    if (out->lines.file) {
        out_file_write(&out->lines,
                       shard_mark(out->shard, text, p->position, &scratch));
    }
    // Read back what was written: the summary says what the file says.
    case_line back;
    if (case_line_read(&back, &scratch, str_trim(text)) == CASE_LINE_CASE) {
        agree_add(&out->exec, &back);
        agree_add(&out->label, &back);
    }
}

static void add_why(doc *d, const judge_output *out)
{
    doc_say(d, "%lld pair%s\n", (long long)out->n, plural(out->n));
    for (int k = DECISION_COUNT - 1; k >= 0; k--) {
        str word = decision_word((decision)k);
        doc_say(d, "  %-14.*s %6lld\n", STR_ARG(word),
                (long long)out->by_decision[k]);
    }
    doc_say(d, "decided by, or unclear because of\n");
    for (ptrdiff_t i = 0; i < map_count(&out->why); i++) {
        str word = map_key_at(&out->why, i);
        doc_say(d, "  %-14.*s %6lld\n", STR_ARG(word),
                (long long)out->n_why.ptr[i]);
    }
    if (out->n_contradicting > 0) {
        doc_say(d, "contradict themselves (contradicts_self): %lld\n",
                (long long)out->n_contradicting);
    }
}

bool judge_output_close(judge_output *out, arena scratch)
{
    const agree *const both[] = {&out->label, &out->exec};
    FILE *to = out->lines.file == stdout ? stderr : stdout;
    bool ok = out_file_end(&out->lines, true);
    doc d = doc_out_new(out->c, &scratch, 100);
    add_why(&d, out);
    for (ptrdiff_t i = 0; i < countof(both); i++) {
        if (both[i]->n_without < both[i]->n_lines) {
            agree_doc(&d, both[i]);
        }
    }
    return (opt_flag(out->c->o, OPT_QUIET) || doc_out_print(out->c, &d, to))
           && ok;
}
