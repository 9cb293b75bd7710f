/*
 * kind_opt.c - kind `opt`: the words of a command line in, one a line; the
 * options that were found out, or what was wrong; kind `progress`: a moment of
 * a long job in, its line out.
 */
#include "cli/opt.h"
#include "cli/progress.h"
#include "kind.h"

enum {
    WORDS_MAX = 64
};

static void add_values(buf *out, const opt *o, opt_id id)
{
    const opt_spec *spec = opt_spec_at(id);
    buf_printf(out, "--%.*s", STR_ARG(spec->name));
    if (spec->kind == OPT_KIND_FLAG) {
        buf_char(out, '\n');
        return;
    }
    const str_list *values = opt_texts(o, id);
    for (ptrdiff_t i = 0; i < values->len; i++) {
        buf_printf(out, " [%.*s]", STR_ARG(values->ptr[i]));
    }
    if (spec->kind == OPT_KIND_INT) {
        buf_printf(out, " = %lld", (long long)opt_int(o, id));
    } else if (spec->kind == OPT_KIND_NUMBER) {
        buf_printf(out, " = %g", opt_double(o, id));
    }
    buf_char(out, '\n');
}

static void add_options(buf *out, const opt *o)
{
    for (int id = 0; id < OPT_COUNT; id++) {
        if (opt_has(o, (opt_id)id)) {
            add_values(out, o, (opt_id)id);
        }
    }
    for (ptrdiff_t i = 0; i < o->operands.len; i++) {
        buf_printf(out, "operand [%.*s]\n", STR_ARG(o->operands.ptr[i]));
    }
}

static void run_opt(test_case *c)
{
    arena *a = case_arena(c);
    const char *words[WORDS_MAX];
    ptrdiff_t n = 0;
    str rest = case_section(c, "args");
    while (rest.len > 0 && n < WORDS_MAX) {
        words[n++] = arena_cstr(a, str_cut(&rest, '\n'));
    }
    command about = COMMAND_SCORE;
    str word = case_key(c, "command");
    if (word.len > 0 && !command_from_word(word, &about)) {
        case_broken(c, "no command '%.*s'", STR_ARG(word));
        return;
    }
    opt o;
    diag d = diag_new(a);
    buf out = buf_new(a);
    opt_args args = {.command = about, .words = words, .n = n};
    if (opt_parse(&o, a, args, &d, case_scratch(c))) {
        add_options(&out, &o);
        if (case_key(c, "show").len > 0) {
            buf_printf(&out, "timeout %g\n", opt_double(&o, OPT_TIMEOUT));
            buf_printf(&out, "rules %td\n", opt_texts(&o, OPT_RULES)->len);
            buf_printf(&out, "color %.*s\n", STR_ARG(opt_text(&o, OPT_COLOR)));
        }
    }
    for (ptrdiff_t i = 0; i < d.messages.len; i++) {
        buf_printf(&out, "error: %.*s\n", STR_ARG(d.messages.ptr[i].text));
    }
    case_output(c, "", buf_str(&out));
}

const test_kind kind_opt = {
    .name = "opt",
    .sections = "args",
    .keys = "command show",
    .run = run_opt,
};

// moments -> a line of five numbers each: first, done, total, seconds, width;
// a sixth is the second in which `done` became what it is
static void run_progress(test_case *c)
{
    arena *a = case_arena(c);
    buf out = buf_new(a);
    str rest = case_section(c, "moments");
    while (rest.len > 0) {
        arena scratch = case_scratch(c);
        str line = str_cut(&rest, '\n');
        double n[6] = {0};
        for (ptrdiff_t i = 0; i < 5 || (i < 6 && line.len > 0); i++) {
            if (!str_to_double(str_cut(&line, ' '), &n[i])) {
                case_broken(c, "expected five or six numbers");
                return;
            }
        }
        progress p = {.first = (int64_t)n[0],
                      .total = (int64_t)n[2],
                      .step_ns = (int64_t)(n[5] * 1e9)};
        buf_add(&out, progress_text(&scratch, &p, (int64_t)n[1],
                                    (int64_t)(n[3] * 1e9), (ptrdiff_t)n[4]));
        buf_char(&out, '\n');
    }
    case_output(c, "", buf_str(&out));
}

const test_kind kind_progress = {
    .name = "progress",
    .sections = "moments",
    .keys = "",
    .run = run_progress,
};
