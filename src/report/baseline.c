/*
 * baseline.c - what changed against an earlier journal (gate.h).
 *
 * Method      Of each old case only a 128-bit hash of its name and one bit a
 *             metric are kept: some 120 bytes a line of the baseline.
 */
#include "base/utf8.h"
#include "report/case_lines.h"
#include "report/gate.h"

static hash128 case_key(str run, str id)
{
    hash128 key = hash_bytes(id);
    key.low = hash_mix(key.low, hash64(run));
    return key;
}

// The number of the old case; -1: there is none.
static ptrdiff_t find_case(const baseline *b, str run, str id)
{
    hash128 key = case_key(run, id);
    return map_find(&b->cases, hash128_key(&key));
}

static void keep_case(baseline *b, const case_line *line)
{
    hash128 key = case_key(line->run, line->id);
    ptrdiff_t id = map_add(&b->cases, b->a, hash128_key(&key));
    uint64_t *yes = vec_at(b->a, &b->yes, id);
    map_add(&b->runs, b->a, line->run);
    *yes = 0;
    for (ptrdiff_t i = 0; i < line->verdicts.len; i++) {
        const line_verdict *v = &line->verdicts.ptr[i];
        ptrdiff_t metric =
            map_add_below(&b->metrics, b->a, v->key, BASELINE_METRICS_MAX);
        if (metric >= 0 && v->v == ANSWER_YES) {
            *yes |= (uint64_t)1 << metric;
        }
    }
}

bool baseline_read(baseline *b, arena *a, file_map file, diag *d, arena scratch)
{
    *b = (baseline){.a = a, .path = file.path};
    case_lines l = case_lines_of(file, d);
    l.may_be_cut = true;
    while (case_lines_next_case(&l, scratch)) {
        keep_case(b, &l.line);
    }
    return l.text.len == 0
           && (map_count(&b->cases) > 0
               || diag_add(d, (diag_place){.file = file.path},
                           "no cases: this is not a journal"));
}

bool baseline_open(baseline *b, arena *a, str path, diag *d, arena scratch)
{
    file_map file;
    bool ok =
        file_open(&file, a, path, d) && baseline_read(b, a, file, d, scratch);
    file_close(&file);
    return ok;
}

static void note_case(baseline *b, const case_line *line, str *ids, int64_t n)
{
    if (n < BASELINE_IDS_MAX) {
        ids[n] = arena_printf(b->a, "%.*s %.*s", STR_ARG(line->run),
                              STR_ARG(line->id));
    }
}

static void note_change(baseline *b,
                        const case_line *line,
                        const line_verdict *v,
                        bool was_yes,
                        baseline_change *change)
{
    if (!was_yes && v->v == ANSWER_YES) {
        note_case(b, line, change->better, change->n_better++);
    } else if (was_yes && v->v == ANSWER_NO) {
        note_case(b, line, change->worse, change->n_worse++);
    }
}

// "exec@5": a share of samples goes up and down by chance.
static bool is_share(str key)
{
    str_cut(&key, '@');
    return key.len > 0 && is_digit(key.ptr[0]);
}

// What was yes of the same case, by metric; NULL: there is none.
static const uint64_t *find_old(const baseline *b, const case_line *line)
{
    str run = map_count(&b->runs) == 1 ? map_key_at(&b->runs, 0) : line->run;
    ptrdiff_t i = find_case(b, run, line->id);
    return i >= 0 ? &b->yes.ptr[i] : NULL;
}

baseline_standing baseline_stands(const baseline *b,
                                  const case_line *line,
                                  str key)
{
    const uint64_t *old = find_old(b, line);
    ptrdiff_t id = map_find(&b->metrics, key);
    return !old || id < 0          ? BASELINE_NEW
           : (*old >> id & 1) != 0 ? BASELINE_LOST
                                   : BASELINE_KNOWN;
}

str baseline_standing_word(baseline_standing s)
{
    static const str words[] = {
        [BASELINE_LOST] = S_INIT("regression"),
        [BASELINE_NEW] = S_INIT("new"),
        [BASELINE_KNOWN] = S_INIT("known"),
    };
    return words[s];
}

void baseline_add(baseline *b, const case_line *line)
{
    const uint64_t *old = find_old(b, line);
    b->n_known += old != NULL;
    for (ptrdiff_t i = 0; old && i < line->verdicts.len; i++) {
        const line_verdict *v = &line->verdicts.ptr[i];
        ptrdiff_t id = map_find(&b->metrics, v->key);
        if (id >= 0 && !is_share(v->key)) {
            bool was_yes = (*old >> id & 1) != 0;
            note_change(b, line, v, was_yes, &b->changes[id]);
        }
    }
}

static void add_ids(buf *out, const str *ids, int64_t n)
{
    for (int64_t i = 0; i < n && i < BASELINE_IDS_MAX; i++) {
        buf_list(out, ids[i]);
    }
    buf_add(out, n > BASELINE_IDS_MAX ? S(", ...") : S(""));
}

static bool too_many(const baseline *b,
                     ptrdiff_t metric,
                     int64_t max,
                     diag *d,
                     arena scratch)
{
    const baseline_change *change = &b->changes[metric];
    buf ids = buf_new(&scratch);
    add_ids(&ids, change->worse, change->n_worse);
    return diag_add(d, (diag_place){0},
                    "%.*s has %lld regression%s against '%.*s', at most %lld "
                    "allowed: %.*s",
                    STR_ARG(map_key_at(&b->metrics, metric)),
                    (long long)change->n_worse, plural(change->n_worse),
                    STR_ARG(b->path), (long long)max, STR_ARG(buf_str(&ids)));
}

bool baseline_check(const baseline *b, int64_t max, diag *d, arena scratch)
{
    bool passes = true;
    if (b->n_known == 0) {
        diag_add(d, (diag_place){0}, "no case of '%.*s' is among these cases",
                 STR_ARG(b->path));
    }
    for (ptrdiff_t m = 0; m < map_count(&b->metrics); m++) {
        if (b->changes[m].n_worse > max) {
            passes = too_many(b, m, max, d, scratch);
        }
    }
    return passes;
}

static void add_changes(doc *d, const char *word, const str *ids, int64_t n)
{
    doc_say(d, "%lld %s", (long long)n, word);
    if (n > 0) {
        arena *a = d->a;
        buf text = buf_new(a);
        add_ids(&text, ids, n);
        str shown = utf8_visible(a, buf_str(&text));
        doc_say(d, " (%.*s)", STR_ARG(shown));
    }
}

void baseline_doc(doc *d, const baseline *b)
{
    for (ptrdiff_t m = 0; b->n_known > 0 && m < map_count(&b->metrics); m++) {
        const baseline_change *change = &b->changes[m];
        str key = map_key_at(&b->metrics, m);
        if (change->n_better + change->n_worse > 0) {
            doc_say(d, "%.*s against %.*s: ", STR_ARG(key), STR_ARG(b->path));
            add_changes(d, "better", change->better, change->n_better);
            doc_say(d, ", ");
            add_changes(d, "worse", change->worse, change->n_worse);
            doc_say(d, "\n");
        }
    }
}
