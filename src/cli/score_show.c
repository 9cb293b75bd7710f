// score_show.c - see score_show.h.
#include "cli/score_show.h"

#include "cli/terminal.h"
#include "report/report_show.h"

#include <unistd.h>

void score_show_head(score_show *s, str line)
{
    s->head = json_parse(s->a, arena_str(s->a, line), NULL);
}

// Is it the first time that this case comes?
static bool is_new(score_show *s, const case_line *read, arena scratch)
{
    str name = arena_printf(&scratch, "%.*s\n%.*s", STR_ARG(read->run),
                            STR_ARG(read->id));
    ptrdiff_t n = map_count(&s->shown);
    return map_add(&s->shown, s->a, name) == n;
}

void score_show_case(score_show *s,
                     str line,
                     const case_line *read,
                     dialect d,
                     arena scratch)
{
    const line_verdict *v = case_line_main(read);
    if (!v || v->v != ANSWER_NO || !is_new(s, read, scratch)) {
        return;
    }
    const json *j = json_parse(&scratch, line, NULL);
    arena rest = arena_half(&scratch);
    buf text = buf_new(&scratch);
    show_look look = {.width = terminal_width(STDERR_FILENO, 100),
                      .has_color = s->c->err_has_color,
                      .dialect = d,
                      .metric = v->key};
    report_show(&text, j, s->head, &look, rest);
    buf_add(&text, S("\n\n"));
    run_bar_clear(s->bar);
    cli_write_colored(s->c, stderr, buf_str(&text));
}
