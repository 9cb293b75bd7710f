/*
 * report_github.c - journals as workflow commands of GitHub: an annotation for
 * each failing case, at the line of its gold.
 *
 * Method      A case fails when the verdict that a line is first asked about
 *             (case_line_main) is a no; an unknown is a warning. GitHub shows
 *             ten annotations of a level and step, the first ones: so all that
 *             was right in the baseline comes first, then what the baseline
 *             lacks, then what is known to fail. The last line tells how many
 *             there were.
 *
 * Invariant   A command is one line: what ends a line, or a property, is
 *             percent-encoded in what others wrote.
 */
#include "base/utf8.h"
#include "report/render.h"

enum {
    SHOWN_MAX = 10,
    MESSAGE_MAX = 4000,
};

typedef struct github_state {
    // By answer and standing; without a baseline all are new.
    int64_t n[ANSWER_COUNT][BASELINE_STANDING_COUNT];
    // What waits for the end: at most SHOWN_MAX of each.
    vec_of(str) waiting[ANSWER_COUNT][BASELINE_STANDING_COUNT];
} github_state;

static const char *const in_message[128] =
    {['%'] = "%25", ['\r'] = "%0D", ['\n'] = "%0A"};
static const char *const in_property[128] = {['%'] = "%25",
                                             ['\r'] = "%0D",
                                             ['\n'] = "%0A",
                                             [':'] = "%3A",
                                             [','] = "%2C"};

static void add_property(buf *b, char before, const char *name, str text)
{
    arena *a = b->a;
    str shown = utf8_visible(a, text);
    buf_printf(b, "%c%s=", before, name);
    buf_escape(b, shown, in_property);
}

static str clipped(str text, ptrdiff_t n)
{
    return text.len <= n ? text : str_sub(text, 0, utf8_prefix(text, n));
}

// What a person wants to read first: the question, why, both queries.
static str message_of(arena *a, const render_line *l, const line_verdict *v)
{
    buf b = buf_new(a);
    const struct {
        const char *label;
        str text;
    } parts[] = {
        {"", l->c->question},
        {"", v->reason},
        {"", v->detail},
        {"gold: ", l->c->gold},
        {"prediction: ", l->c->pred},
    };
    for (ptrdiff_t i = 0; i < countof(parts); i++) {
        str text = clipped(utf8_visible(a, parts[i].text), MESSAGE_MAX);
        if (text.len > 0) {
            buf_add(&b, b.len > 0 ? S("\n") : S(""));
            buf_add(&b, str_from(parts[i].label));
            buf_add(&b, text);
        }
    }
    return buf_str(&b);
}

static github_state *state_of(render *r)
{
    if (!r->state) {
        r->state = arena_new(r->a, github_state, 1);
    }
    return r->state;
}

static void add_place(buf *out, const render_line *l)
{
    const json *gold = json_get(l->journal->head, S("gold"));
    str file = json_get_text(gold, S("file"));
    add_property(out, ' ', "file", file.len > 0 ? file : l->journal->file.path);
    if (file.len > 0 && l->c->line > 0) {
        buf_printf(out, ",line=%lld", (long long)l->c->line);
    }
}

static str annotation(arena *a,
                      const render *r,
                      const render_line *l,
                      const line_verdict *v,
                      baseline_standing standing)
{
    buf b = buf_new(a);
    str word = baseline_standing_word(standing);
    bool is_no = v->v == ANSWER_NO;
    buf_add(&b, is_no ? S("::error") : S("::warning"));
    add_place(&b, l);
    str title = arena_printf(
        a, "%.*s %.*s: %.*s %.*s%s%.*s%s", STR_ARG(l->c->run),
        STR_ARG(l->c->id), STR_ARG(v->key), STR_ARG(answer_word(v->v)),
        r->o.before ? " (" : "", r->o.before ? (int)word.len : 0, word.ptr,
        r->o.before ? ")" : "");
    add_property(&b, ',', "title", title);
    buf_add(&b, S("::"));
    buf_escape(&b, message_of(a, l, v), in_message);
    buf_char(&b, '\n');
    return buf_str(&b);
}

void github_line(render *r, buf *out, const render_line *l, arena scratch)
{
    const line_verdict *v = case_line_main(l->c);
    if (!v || v->v == ANSWER_YES) {
        return;
    }
    github_state *s = state_of(r);
    baseline_standing standing =
        r->o.before ? baseline_stands(r->o.before, l->c, v->key) : BASELINE_NEW;
    bool is_first = !r->o.before || standing == BASELINE_LOST;
    int64_t n = s->n[v->v][standing]++;
    if (n >= SHOWN_MAX && standing != BASELINE_LOST) {
        return;
    }
    str text = annotation(&scratch, r, l, v, standing);
    if (is_first) {
        buf_add(out, text);
    } else {
        *vec_push(r->a, &s->waiting[v->v][standing]) = arena_str(r->a, text);
    }
}

static int64_t count(const github_state *s, answer v)
{
    int64_t n = 0;
    for (int i = 0; i < BASELINE_STANDING_COUNT; i++) {
        n += s->n[v][i];
    }
    return n;
}

// What waits, as far as there is room behind what came first.
static void add_waiting(buf *out, const github_state *s, answer v)
{
    int64_t room = SHOWN_MAX - s->n[v][BASELINE_LOST];
    for (int i = BASELINE_NEW; i < BASELINE_STANDING_COUNT; i++) {
        for (ptrdiff_t k = 0; k < s->waiting[v][i].len && room > 0; k++) {
            buf_add(out, s->waiting[v][i].ptr[k]);
            room--;
        }
    }
}

void github_tail(render *r, buf *out, arena scratch)
{
    (void)scratch;
    const github_state *s = state_of(r);
    add_waiting(out, s, ANSWER_NO);
    add_waiting(out, s, ANSWER_UNKNOWN);
    int64_t no = count(s, ANSWER_NO);
    int64_t unknown = count(s, ANSWER_UNKNOWN);
    if (no <= SHOWN_MAX && unknown <= SHOWN_MAX) {
        return;
    }
    buf_printf(out, "::notice title=assay::%lld case%s failed", (long long)no,
               plural(no));
    if (r->o.before) {
        const int64_t *n = s->n[ANSWER_NO];
        buf_printf(out, " (%lld of them regressions, %lld new, %lld known)",
                   (long long)n[BASELINE_LOST], (long long)n[BASELINE_NEW],
                   (long long)n[BASELINE_KNOWN]);
    }
    buf_printf(out, " and %lld are unknown; GitHub shows %d of each\n",
               (long long)unknown, SHOWN_MAX);
}
