/*
 * pair.c - which prediction answers which question.
 *
 * Why         Silent mis-pairing is the fault that costs most: BIRD's own
 *             evaluator ignores the keys of its files and gives gold against
 *             itself 0.1 % when they are sorted as text; Spider's drops what
 *             is missing at the end of a session from the count.
 *
 * Method      First it is found out which key identifies a prediction
 *             (keys.h): its id, its id as a position, its place in its session,
 *             or its place in the file. Whatever it is, one way of matching
 *             pairs both files by it. Ids that are named in a message are read
 *             again.
 *
 *             Then pairs are checked against what else both files know:
 *             databases, and whatever says that another order is meant
 *             (pair_order.h).
 *
 *             Blank lines of a text file are sessions when the gold has as
 *             many; else they are empty predictions when that makes the files
 *             equally long; else, when leaving them out does, nothing.
 *
 * Cost        Linear in the number of records.
 */
#include "read/pair.h"

#include "base/buf.h"
#include "read/pair_locate.h"
#include "read/pair_order.h"
#include "read/reader.h"

#include <assert.h>

enum {
    NAMED = 5,  // ids in one message
};

/* Keys. */

// The number of the session, and of the turn in it; blank lines have none.
static keys turns_of(const dataset *set, arena *a)
{
    const dataset_entry *e = set->entries.ptr;
    hash128 *of = arena_new(a, hash128, set->entries.len);
    hash128 key = {1, 0};
    for (ptrdiff_t i = 0; i < set->entries.len; i++) {
        bool is_next = i > 0 && e[i].interaction != e[i - 1].interaction;
        key = is_next ? (hash128){key.low + 1, 0} : key;
        if (!reader_is_blank(set, i)) {
            key.high++;
            of[i] = key;
        }
    }
    return keys_index(a, of, set->entries.len);
}

/* Matches. */

static bool db_misfits(const pair_job *j, ptrdiff_t gold, ptrdiff_t pred)
{
    str left = reader_db(j->gold, gold);
    str right = reader_db(j->pred, pred);
    return left.len > 0 && right.len > 0 && !str_equal_fold(left, right);
}

// How many pairs are for the same database.
static ptrdiff_t n_right(const pair_job *j, const match *m)
{
    ptrdiff_t n = m->n_found;
    for (ptrdiff_t i = 0; i < m->golds.n; i++) {
        n -= m->pred_of[i] >= 0 && db_misfits(j, i, m->pred_of[i]);
    }
    return n;
}

// By the ids of the predictions: as those of the gold, else as positions from 0
// or 1, whichever finds most. False where they identify nothing.
static bool match_ids(pair_job *j, match *best, bool *are_positions)
{
    const dataset *gold = j->gold;
    arena *a = &j->scratch;
    bool is_keyed = j->pred->is_keyed;
    bool is_weak = gold->reading.has_weak_ids || j->pred->reading.has_weak_ids;
    keys preds = reader_ids(j->pred, a);
    keys golds =
        gold->has_ids ? reader_ids(gold, a) : pair_places(gold, 0, true, a);
    *best = keys_match(a, golds, preds);
    *are_positions = !gold->has_ids;
    ptrdiff_t most = n_right(j, best);
    // What only looks like an id must find its likes.
    if (gold->has_ids && (!is_keyed || (is_weak && most == 0))) {
        return !is_weak || most > 0;
    }
    for (int first = !gold->has_ids; first < 2; first++) {
        match m = keys_match(a, pair_places(gold, first, true, a), preds);
        ptrdiff_t n = n_right(j, &m);
        *are_positions |= n > most;
        *best = n > most ? m : *best;
        most = n > most ? n : most;
    }
    // Keys that fit only in part identify all the same, unless the file is an
    // array or lines, whose ids may well be something else.
    return is_keyed || most == preds.n || most == best->golds.n;
}

/* Messages. */

static diag_place pair_place(const dataset *set, ptrdiff_t i)
{
    assert(i < set->entries.len);  // -1: of no record
    return (diag_place){.file = set->file.path,
                        .line = i < 0 ? 0 : set->entries.ptr[i].line};
}

// The first few of many records, to be named.
typedef struct sample {
    int32_t ids[NAMED];
    ptrdiff_t n;
} sample;

static void sample_add(sample *s, ptrdiff_t i)
{
    if (s->n < NAMED) {
        s->ids[s->n] = (int32_t)i;
    }
    s->n++;
}

// "'q1', 'q2', ...", or "line 7, line 9" where records have no id. Good until
// the scratch is used.
static str sample_names(const sample *s, const dataset *set, arena scratch)
{
    arena half = arena_half(&scratch);
    buf b = buf_new(&scratch);
    ptrdiff_t n = s->n < NAMED ? s->n : NAMED;
    for (ptrdiff_t i = 0; i < n; i++) {
        arena temp = half;
        record r = dataset_record(set, s->ids[i], &temp);
        str id = str_sub(r.id, 0, 80);
        buf_list(&b, id.len > 0
                         ? arena_printf(&temp, "'%.*s'", STR_ARG(id))
                         : arena_printf(&temp, "line %lld", (long long)r.line));
    }
    buf_add(&b, s->n > n ? S(", ...") : S(""));
    return buf_str(&b);
}

// Records whose key stood before.
static void report_repeated(const pair_job *j,
                            const dataset *set,
                            const keys *k)
{
    sample s = {.n = 0};
    for (ptrdiff_t i = 0; i < k->n && k->n_repeated > 0; i++) {
        if (k->first[i] >= 0 && k->first[i] != i) {
            sample_add(&s, i);
        }
    }
    j->p->n_repeated += s.n;
    if (s.n > 0) {
        str names = sample_names(&s, set, j->scratch);
        diag_add(j->d, pair_place(set, s.ids[0]),
                 "%td record%s an id that occurred before: %.*s", s.n,
                 s.n == 1 ? " has" : "s have", STR_ARG(names));
    }
}

static void check_ids(pair_job *j, const dataset *set)
{
    if (set->has_ids) {
        keys ids = reader_ids(set, &j->scratch);
        report_repeated(j, set, &ids);
    }
}

static bool is_wanted(const pair_job *j, ptrdiff_t gold)
{
    return !j->wanted || j->wanted[gold];
}

static void report_missing(const pair_job *j, const sample *s)
{
    str names = sample_names(s, j->gold, j->scratch);
    ptrdiff_t n_wanted = 0;
    for (ptrdiff_t i = 0; i < j->gold->entries.len; i++) {
        n_wanted += is_wanted(j, i);
    }
    diag_add(j->d, pair_place(j->pred, -1),
             "%td of %td %squestions of '%.*s' ha%s no prediction: %.*s", s->n,
             n_wanted, n_wanted < j->gold->entries.len ? "chosen " : "",
             STR_ARG(j->gold->file.path), s->n == 1 ? "s" : "ve",
             STR_ARG(names));
}

static void report_extra(const pair_job *j, const sample *s)
{
    str names = sample_names(s, j->pred, j->scratch);
    diag_add(j->d, pair_place(j->pred, s->ids[0]),
             "%td of %td predictions belong%s to no question: %.*s", s->n,
             j->pred->entries.len - j->pred->n_blank, s->n == 1 ? "s" : "",
             STR_ARG(names));
}

// Where the lengths of both files are not the same.
static void report_count(const pair_job *j, const keys *preds)
{
    ptrdiff_t n_gold = j->gold->entries.len;
    ptrdiff_t n = 0;
    arena temp = j->scratch;
    int32_t *order = arena_new(&temp, int32_t, preds->n);
    for (ptrdiff_t i = 0; i < preds->n; i++) {
        order[n] = (int32_t)i;
        n += preds->first[i] >= 0;
    }
    ptrdiff_t gap = n_gold > n ? n_gold - n : n - n_gold;
    ptrdiff_t blank = j->pred->n_blank;
    str about_blank = blank == 0
                          ? (str){0}
                          : arena_printf(&temp, " (and %td blank line%s)",
                                         blank, plural(blank));
    diag_add(j->d, pair_place(j->pred, -1),
             "%td prediction%s%.*s for %td question%s of '%.*s'; they are "
             "paired by position, so their numbers must be equal",
             n, plural(n), STR_ARG(about_blank), n_gold, plural(n_gold),
             STR_ARG(j->gold->file.path));
    ptrdiff_t at = pair_locate(j->gold, j->pred, order, n, temp);
    if (at >= 0) {
        diag_add(j->d, pair_place(j->pred, order[at < n ? at : n - 1]),
                 "%td prediction%s to %s %s here", gap,
                 gap == 1 ? " seems" : "s seem",
                 n < n_gold ? "be missing" : "be too many",
                 at < n ? "about" : "after");
    }
}

// Takes the match, and says what is in one file only. Of positions their
// numbers say it all.
static void take(pair_job *j, arena *a, const match *m, bool are_positions)
{
    arena temp = j->scratch;
    bool *used = arena_new(&temp, bool, m->preds.n);
    sample missing = {.n = 0};
    sample extra = {.n = 0};
    for (ptrdiff_t i = 0; i < m->golds.n; i++) {
        if (m->pred_of[i] >= 0) {
            used[m->pred_of[i]] = true;
        } else if (is_wanted(j, i)) {
            sample_add(&missing, i);
        }
    }
    for (ptrdiff_t i = 0; i < m->preds.n; i++) {
        if (m->preds.first[i] == i && !used[i]) {
            sample_add(&extra, i);
        }
    }
    j->p->pred_of = arena_copy(a, m->pred_of, m->golds.n, 0);
    j->p->n_missing = missing.n;
    j->p->n_extra = extra.n;
    if (are_positions && missing.n + extra.n > 0) {
        report_count(j, &m->preds);
    }
    if (!are_positions && missing.n > 0) {
        report_missing(j, &missing);
    }
    if (!are_positions && extra.n > 0) {
        report_extra(j, &extra);
    }
}

static void pair_by_ids(pair_job *j, arena *a, const match *m)
{
    j->p->by_id = true;
    report_repeated(j, j->pred, &m->preds);
    take(j, a, m, false);
    if (m->n_found == 0 && j->p->n_missing > 0) {
        diag_add(j->d, pair_place(j->pred, -1),
                 "no id is in both files; without ids they would be paired by "
                 "position");
    }
}

// Blank lines as sessions, as empty predictions, or as nothing.
static void pair_by_position(pair_job *j, arena *a)
{
    const dataset *gold = j->gold;
    const dataset *pred = j->pred;
    bool has_sessions = gold->n_interactions > 0 && pred->n_blank > 0;
    bool by_turn = has_sessions && gold->n_interactions == pred->n_interactions;
    bool counts_blank = pred->entries.len == gold->entries.len;
    j->p->blank = pred->n_blank == 0 ? PAIR_BLANK_NONE
                  : by_turn          ? PAIR_BLANK_END
                  : counts_blank     ? PAIR_BLANK_EMPTY
                                     : PAIR_BLANK_NOTHING;
    j->wanted = NULL;
    match m =
        by_turn
            ? keys_match(&j->scratch, turns_of(gold, &j->scratch),
                         turns_of(pred, &j->scratch))
            : keys_match(&j->scratch, pair_places(gold, 0, true, &j->scratch),
                         pair_places(pred, 0, counts_blank, &j->scratch));
    if (has_sessions && j->p->blank == PAIR_BLANK_NOTHING) {
        diag_add(j->d, pair_place(pred, -1),
                 "%td sessions for %td of '%.*s'; a blank line ends one",
                 pred->n_interactions, gold->n_interactions,
                 STR_ARG(gold->file.path));
        j->p->n_misfits += m.preds.n - m.preds.n_without == m.golds.n;
    }
    take(j, a, &m, !by_turn);
}

void pair_note_blank(const pairing *p, const dataset *pred, diag *notes)
{
    ptrdiff_t n = pred->n_blank;
    if (p->blank != PAIR_BLANK_EMPTY && p->blank != PAIR_BLANK_NOTHING) {
        return;
    }
    ptrdiff_t first = 0;
    while (!reader_is_blank(pred, first)) {
        first++;
    }
    bool is_one = n == 1;
    diag_add(notes, pair_place(pred, first),
             p->blank == PAIR_BLANK_EMPTY
                 ? "%td blank line%s %s, so that there are as many as questions"
                 : "%td blank line%s %s",
             n, is_one ? "" : "s",
             p->blank == PAIR_BLANK_EMPTY
                 ? (is_one ? "counts as an empty prediction"
                           : "count as empty predictions")
                 : (is_one ? "was dropped: it counts as no prediction"
                           : "were dropped: they count as no predictions"));
    diag_remark(notes);
}

static void check_dbs(const pair_job *j)
{
    ptrdiff_t n = 0;
    ptrdiff_t g = 0;  // the first of them
    for (ptrdiff_t i = 0; i < j->gold->entries.len; i++) {
        int32_t at = j->p->pred_of[i];
        bool is_misfit = at >= 0 && db_misfits(j, i, at);
        g = is_misfit && n == 0 ? i : g;
        n += is_misfit;
    }
    j->p->n_misfits += n;
    if (n > 0) {
        ptrdiff_t p = j->p->pred_of[g];
        diag_add(j->d, pair_place(j->pred, p),
                 "%td prediction%s for another database than the question: "
                 "here '%.*s' for '%.*s'; are both files in the same order?",
                 n, n == 1 ? " is" : "s are",
                 STR_ARG(str_sub(reader_db(j->pred, p), 0, 80)),
                 STR_ARG(str_sub(reader_db(j->gold, g), 0, 80)));
    }
}

bool pair_records(pairing *p,
                  arena *a,
                  const dataset *gold,
                  const dataset *pred,
                  const bool *wanted,
                  diag *d,
                  arena scratch)
{
    *p = (pairing){0};
    pair_job j = {p, gold, pred, wanted, d, scratch};
    match m = {0};
    bool are_positions = false;
    bool by_id = pred->has_ids && match_ids(&j, &m, &are_positions);
    if (!by_id || !are_positions) {
        check_ids(&j, gold);
    }
    if (by_id) {
        pair_by_ids(&j, a, &m);
    } else {
        pair_check_columns(&j);
        pair_by_position(&j, a);
    }
    if (p->n_misfits + p->n_missing + p->n_extra == 0) {
        check_dbs(&j);
    }
    if (p->n_misfits + p->n_missing + p->n_extra + p->shared.len == 0
        && (!by_id || are_positions)) {
        pair_check_questions(&j);
    }
    return p->n_missing + p->n_extra + p->n_repeated + p->n_misfits == 0
           && p->shared.len == 0;
}

bool pair_ids_are_apart(const dataset *set, diag *d, arena scratch)
{
    pairing counts = {0};
    pair_job j = {&counts, set, set, NULL, d, scratch};
    check_ids(&j, set);
    return counts.n_repeated == 0;
}
