// score_show.c - see score_show.h.
#include "cli/score_show.h"

#include "cli/terminal.h"
#include "report/case_line.h"
#include "report/report_show.h"

#include <unistd.h>

// Is it the first time that this case comes?
static bool is_new(score_show *s, const case_line *read, arena scratch)
{
    str name = arena_printf(&scratch, "%.*s\n%.*s", STR_ARG(read->run),
                            STR_ARG(read->id));
    ptrdiff_t n = map_count(&s->shown);
    return map_add(&s->shown, s->a, name) == n;
}

static void show(score_show *s, str line, const line_verdict *v, arena scratch)
{
    const json *j = json_parse(&scratch, line, NULL);
    doc d = doc_new(&scratch,
                    (report_look){.width = terminal_width(STDERR_FILENO, 100),
                                  .has_color = s->c->err_has_color});
    report_show(&d, j, s->head, s->run->score.dialect, v->key);
    doc_say(&d, "\n\n");
    buf text = buf_new(&scratch);
    doc_write(&d, &text);
    progress_clear(s->bar);
    cli_write_colored(s->c, stderr, buf_str(&text));
}

void score_show_line(void *context, str line)
{
    score_show *s = context;
    arena scratch = arena_store_clear(s->lines);
    case_line read;
    case_line_kind kind = case_line_read(&read, &scratch, line);
    if (kind == CASE_LINE_OTHER && !s->head) {
        s->head = json_parse(s->a, arena_str(s->a, line), NULL);
    }
    const line_verdict *v =
        kind == CASE_LINE_CASE ? case_line_main(&read) : NULL;
    if (v && v->v == ANSWER_NO && is_new(s, &read, scratch)) {
        show(s, line, v, scratch);
    }
}
