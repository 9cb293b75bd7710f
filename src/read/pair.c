/*
 * pair.c - which prediction answers which question.
 *
 * Why         Silent mis-pairing is the fault that costs most: BIRD's own
 *             evaluator ignores the keys of its files and gives gold against
 *             itself 0.1 % when they are sorted as text; Spider's drops what
 *             is missing at the end of a session from the count.
 *
 * Method      First it is found out what identifies a prediction: its id, its
 *             key as a position, its place in its session, or its place in the
 *             file. Ids are 128-bit hashes in the index, looked up in a table
 *             of the predictions; only ids that are named in a message are
 *             read again. Then pairs are checked against what else both files
 *             know: databases, questions.
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

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
    NAMED = 5,                   // ids in one message
    QUESTIONS_LOOKED_AT = 20000  // pairs whose questions are compared
};

typedef struct pair_job {
    pairing *p;
    const dataset *gold;
    const dataset *pred;
    const bool *wanted;  // by gold record; NULL: all
    diag *d;
    arena scratch;
} pair_job;

// Ids of one file: hash -> index of the first record with it.
typedef struct id_table {
    const dataset *set;
    int32_t *slots;  // index + 1; 0: free
    ptrdiff_t mask;
    ptrdiff_t n_repeated;
    int32_t repeated[NAMED];  // the first records whose id was there before
} id_table;

static bool same_id(hash128 a, hash128 b)
{
    return a.low == b.low && a.high == b.high;
}

static ptrdiff_t table_slot(const id_table *t, hash128 id)
{
    ptrdiff_t i = (ptrdiff_t)(id.low & (uint64_t)t->mask);
    while (t->slots[i] != 0
           && !same_id(t->set->entries.ptr[t->slots[i] - 1].id, id)) {
        i = (i + 1) & t->mask;
    }
    return i;
}

// The record with this id, or -1.
static int32_t table_find(const id_table *t, hash128 id)
{
    return t->slots[table_slot(t, id)] - 1;
}

static id_table table_of(const dataset *set, arena *a)
{
    ptrdiff_t n = set->entries.len;
    ptrdiff_t n_slots = 16;
    while (n_slots < n * 2) {
        n_slots *= 2;
    }
    id_table t = {.set = set,
                  .slots = arena_new(a, int32_t, n_slots),
                  .mask = n_slots - 1};
    for (ptrdiff_t i = 0; i < n; i++) {
        ptrdiff_t slot = table_slot(&t, set->entries.ptr[i].id);
        if (t.slots[slot] == 0) {
            t.slots[slot] = (int32_t)i + 1;
        } else if (t.n_repeated++ < NAMED) {
            t.repeated[t.n_repeated - 1] = (int32_t)i;
        }
    }
    return t;
}

// What the key of the prediction for gold record i must be.
typedef enum key_kind {
    KEY_NONE,  // predictions have no usable key
    KEY_ID,
    KEY_FROM_0,
    KEY_FROM_1,
} key_kind;

static hash128 key_of(const dataset *gold, ptrdiff_t i, key_kind kind)
{
    assert(i >= 0 && i < gold->entries.len);
    if (kind == KEY_ID) {
        return gold->entries.ptr[i].id;
    }
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%td",
                     i + (kind == KEY_FROM_1 ? 1 : 0));
    return hash_bytes((str){digits, n});
}

static str db_name(const dataset *set, ptrdiff_t i)
{
    assert(i >= 0 && i < set->entries.len);
    int32_t db = set->entries.ptr[i].db;
    return db < 0 ? (str){0} : map_key_at(&set->dbs, db);
}

static bool db_misfits(const pair_job *j, ptrdiff_t gold, ptrdiff_t pred)
{
    str left = db_name(j->gold, gold);
    str right = db_name(j->pred, pred);
    return left.len > 0 && right.len > 0 && !str_equal_fold(left, right);
}

// How many questions find a prediction under this kind of key, less those that
// find one for another database.
static ptrdiff_t key_score(const pair_job *j,
                           const id_table *preds,
                           key_kind kind)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < j->gold->entries.len; i++) {
        int32_t found = table_find(preds, key_of(j->gold, i, kind));
        n += found >= 0 ? 1 : 0;
        n -= found >= 0 && db_misfits(j, i, found) ? 1 : 0;
    }
    return n;
}

static key_kind key_kind_of(const pair_job *j, const id_table *preds)
{
    if (!j->pred->has_ids) {
        return KEY_NONE;
    }
    // What only looks like an id must find its likes.
    bool is_weak =
        j->gold->reading.has_weak_ids || j->pred->reading.has_weak_ids;
    if (j->gold->has_ids && is_weak && key_score(j, preds, KEY_ID) == 0) {
        return KEY_NONE;
    }
    if (j->gold->has_ids && !j->pred->is_keyed) {
        return KEY_ID;
    }
    static const key_kind kinds[] = {KEY_ID, KEY_FROM_0, KEY_FROM_1};
    key_kind best = KEY_NONE;
    ptrdiff_t most = 0;
    for (ptrdiff_t k = j->gold->has_ids ? 0 : 1; k < countof(kinds); k++) {
        ptrdiff_t score = key_score(j, preds, kinds[k]);
        if (score > most) {
            best = kinds[k];
            most = score;
        }
    }
    // Keys that fit only in part identify all the same, unless the file is an
    // array or lines, whose ids may well be something else.
    bool fits = most == j->pred->entries.len || most == j->gold->entries.len;
    if (!fits && !j->pred->is_keyed) {
        return KEY_NONE;
    }
    return best == KEY_NONE && j->pred->is_keyed
               ? (j->gold->has_ids ? KEY_ID : KEY_FROM_0)
               : best;
}

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

// "'q1', 'q2', ...", or "line 7, line 9" where records have no id.
static str sample_names(const sample *s, const dataset *set, arena *a)
{
    buf b = buf_new(a);
    arena half = arena_half(a);
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

static void report_repeated(const pair_job *j, const id_table *t)
{
    ptrdiff_t n = t->n_repeated;
    if (n == 0) {
        return;
    }
    j->p->n_repeated += n;
    sample s = {.n = n};
    memcpy(s.ids, t->repeated, sizeof s.ids);
    arena temp = j->scratch;
    str names = sample_names(&s, t->set, &temp);
    diag_add(j->d, pair_place(t->set, s.ids[0]),
             "%td record%s an id that occurred before: %.*s", n,
             n == 1 ? " has" : "s have", STR_ARG(names));
}

static bool is_wanted(const pair_job *j, ptrdiff_t gold)
{
    return !j->wanted || j->wanted[gold];
}

static void report_missing(const pair_job *j, const sample *s)
{
    j->p->n_missing = s->n;
    if (s->n == 0) {
        return;
    }
    arena temp = j->scratch;
    str names = sample_names(s, j->gold, &temp);
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
    j->p->n_extra = s->n;
    if (s->n == 0) {
        return;
    }
    arena temp = j->scratch;
    str names = sample_names(s, j->pred, &temp);
    diag_add(j->d, pair_place(j->pred, s->ids[0]),
             "%td of %td predictions belong%s to no question: %.*s", s->n,
             j->pred->entries.len - j->pred->n_blank, s->n == 1 ? "s" : "",
             STR_ARG(names));
}

static void pair_by_key(const pair_job *j, const id_table *preds, key_kind kind)
{
    arena temp = j->scratch;
    bool *used = arena_new(&temp, bool, j->pred->entries.len);
    sample missing = {.n = 0};
    sample extra = {.n = 0};
    ptrdiff_t n_found = 0;
    for (ptrdiff_t i = 0; i < j->gold->entries.len; i++) {
        int32_t found = table_find(preds, key_of(j->gold, i, kind));
        j->p->pred_of[i] = found;
        if (found >= 0) {
            used[found] = true;
            n_found++;
        } else if (is_wanted(j, i)) {
            sample_add(&missing, i);
        }
    }
    for (ptrdiff_t i = 0; i < j->pred->entries.len; i++) {
        bool is_first = table_find(preds, j->pred->entries.ptr[i].id) == i;
        if (is_first && !used[i]) {
            sample_add(&extra, i);
        }
    }
    report_repeated(j, preds);
    report_missing(j, &missing);
    report_extra(j, &extra);
    if (n_found == 0 && missing.n > 0) {
        diag_add(j->d, pair_place(j->pred, -1),
                 "no id is in both files; without ids they would be paired by "
                 "position");
    }
}

// Predictions in the order of questions.
typedef struct order {
    int32_t *ptr;
    ptrdiff_t n;
} order;

static bool is_blank_line(const dataset *pred, ptrdiff_t i)
{
    assert(i >= 0 && i < pred->entries.len);
    return pred->n_blank > 0 && pred->entries.ptr[i].size == 0;
}

static order order_of(const pair_job *j, bool with_blank, arena *a)
{
    order o = {arena_new(a, int32_t, j->pred->entries.len), 0};
    for (ptrdiff_t i = 0; i < j->pred->entries.len; i++) {
        if (with_blank || !is_blank_line(j->pred, i)) {
            o.ptr[o.n++] = (int32_t)i;
        }
    }
    return o;
}

// Where the lengths of both files are not the same.
static void report_count(const pair_job *j, const order *o)
{
    ptrdiff_t n_gold = j->gold->entries.len;
    ptrdiff_t gap = n_gold > o->n ? n_gold - o->n : o->n - n_gold;
    bool is_short = o->n < n_gold;
    ptrdiff_t blank = j->pred->n_blank;
    arena temp = j->scratch;
    str about_blank = blank == 0
                          ? (str){0}
                          : arena_printf(&temp, " (and %td blank line%s)",
                                         blank, plural(blank));
    diag_add(j->d, pair_place(j->pred, -1),
             "%td prediction%s%.*s for %td question%s of '%.*s'; they are "
             "paired by position, so their numbers must be equal",
             o->n, plural(o->n), STR_ARG(about_blank), n_gold, plural(n_gold),
             STR_ARG(j->gold->file.path));
    ptrdiff_t at = pair_locate(j->gold, j->pred, o->ptr, o->n, j->scratch);
    if (at < 0) {
        return;
    }
    ptrdiff_t near = at < o->n ? at : o->n - 1;
    diag_add(
        j->d, pair_place(j->pred, o->ptr[near]),
        "%td prediction%s to %s %s here", gap, gap == 1 ? " seems" : "s seem",
        is_short ? "be missing" : "be too many", at < o->n ? "about" : "after");
}

static void pair_by_order(const pair_job *j, const order *o)
{
    ptrdiff_t n_gold = j->gold->entries.len;
    for (ptrdiff_t i = 0; i < n_gold; i++) {
        j->p->pred_of[i] = i < o->n ? o->ptr[i] : -1;
    }
    if (n_gold != o->n) {
        j->p->n_missing = n_gold > o->n ? n_gold - o->n : 0;
        j->p->n_extra = n_gold < o->n ? o->n - n_gold : 0;
        report_count(j, o);
    }
}

// The index past the last record of the session that begins at `from`.
static ptrdiff_t session_end(const dataset *set, ptrdiff_t from)
{
    ptrdiff_t i = from;
    while (i < set->entries.len
           && set->entries.ptr[i].interaction
                  == set->entries.ptr[from].interaction) {
        i++;
    }
    return i;
}

// Pairs session by session; both files have as many.
static void pair_by_session(const pair_job *j)
{
    sample missing = {.n = 0};
    sample extra = {.n = 0};
    ptrdiff_t p = 0;
    for (ptrdiff_t g = 0; g < j->gold->entries.len;) {
        ptrdiff_t g_end = session_end(j->gold, g);
        ptrdiff_t p_end = session_end(j->pred, p);
        for (; g < g_end || p < p_end; p += p < p_end ? 1 : 0) {
            bool is_blank = p < p_end && is_blank_line(j->pred, p);
            if (is_blank) {
                continue;
            }
            if (g == g_end) {
                sample_add(&extra, p);
                continue;
            }
            j->p->pred_of[g] = p < p_end ? (int32_t)p : -1;
            if (p == p_end) {
                sample_add(&missing, g);
            }
            g++;
        }
    }
    report_missing(j, &missing);
    report_extra(j, &extra);
}

// Blank lines as sessions, as empty predictions, or as nothing.
static void pair_by_position(const pair_job *j)
{
    bool has_sessions = j->gold->n_interactions > 0 && j->pred->n_blank > 0;
    if (has_sessions && j->gold->n_interactions == j->pred->n_interactions) {
        j->p->blank = PAIR_BLANK_END;
        pair_by_session(j);
        return;
    }
    ptrdiff_t all = j->pred->entries.len;
    ptrdiff_t solid = all - j->pred->n_blank;
    arena temp = j->scratch;
    bool with_blank = all == j->gold->entries.len;
    j->p->blank = all == solid ? PAIR_BLANK_NONE
                  : with_blank ? PAIR_BLANK_EMPTY
                               : PAIR_BLANK_NOTHING;
    order o = order_of(j, with_blank, &temp);
    pair_job inner = *j;
    inner.scratch = temp;
    if (has_sessions && !with_blank) {
        diag_add(j->d, pair_place(j->pred, -1),
                 "%td sessions for %td of '%.*s'; a blank line ends one",
                 j->pred->n_interactions, j->gold->n_interactions,
                 STR_ARG(j->gold->file.path));
        j->p->n_misfits += solid == j->gold->entries.len ? 1 : 0;
    }
    pair_by_order(&inner, &o);
}

void pair_note_blank(const pairing *p, const dataset *pred, diag *notes)
{
    ptrdiff_t n = pred->n_blank;
    if (p->blank != PAIR_BLANK_EMPTY && p->blank != PAIR_BLANK_NOTHING) {
        return;
    }
    ptrdiff_t first = 0;
    while (!is_blank_line(pred, first)) {
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
    sample misfits = {.n = 0};
    for (ptrdiff_t i = 0; i < j->gold->entries.len; i++) {
        int32_t p = j->p->pred_of[i];
        if (p >= 0 && db_misfits(j, i, p)) {
            sample_add(&misfits, p);
            misfits.ids[0] = misfits.n == 1 ? (int32_t)i : misfits.ids[0];
        }
    }
    if (misfits.n == 0) {
        return;
    }
    j->p->n_misfits += misfits.n;
    ptrdiff_t g = misfits.ids[0];
    ptrdiff_t p = j->p->pred_of[g];
    str pred_db = str_sub(db_name(j->pred, p), 0, 80);
    str gold_db = str_sub(db_name(j->gold, g), 0, 80);
    diag_add(j->d, pair_place(j->pred, p),
             "%td prediction%s for another database than the question: here "
             "'%.*s' for '%.*s'; are both files in the same order?",
             misfits.n, misfits.n == 1 ? " is" : "s are", STR_ARG(pred_db),
             STR_ARG(gold_db));
}

static hash128 question_hash(const dataset *set, ptrdiff_t i, arena scratch)
{
    record r = dataset_record(set, i, &scratch);
    return r.question.len > 0 ? hash_bytes(r.question) : (hash128){0};
}

// Predictions that repeat the text of another question stand in the wrong
// place. Texts that are in neither file's questions mean nothing: some people
// store prompts.
static void check_questions(const pair_job *j)
{
    ptrdiff_t n = j->gold->entries.len;
    arena temp = j->scratch;
    hash128 none = {0};
    if (n > QUESTIONS_LOOKED_AT || j->p->pred_of[0] < 0
        || same_id(question_hash(j->pred, j->p->pred_of[0], temp), none)
        || same_id(question_hash(j->gold, 0, temp), none)) {
        return;
    }
    dataset_entry *entries = arena_new(&temp, dataset_entry, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        entries[i].id = question_hash(j->gold, i, temp);
    }
    dataset questions = {.entries = {entries, n, n}};
    id_table table = table_of(&questions, &temp);
    sample misfits = {.n = 0};
    for (ptrdiff_t i = 0; i < n; i++) {
        int32_t p = j->p->pred_of[i];
        hash128 asked = p < 0 ? none : question_hash(j->pred, p, temp);
        if (!same_id(asked, none) && !same_id(asked, entries[i].id)
            && table_find(&table, asked) >= 0) {
            sample_add(&misfits, p);
        }
    }
    if (misfits.n > 0) {
        j->p->n_misfits += misfits.n;
        diag_add(j->d, pair_place(j->pred, misfits.ids[0]),
                 "%td prediction%s the text of another question, this is the "
                 "first; are both files in the same order?",
                 misfits.n, misfits.n == 1 ? " has" : "s have");
    }
}

/* Columns that say who is who, whatever they are called. */

// The words of a column, none of them twice: hash -> record. Without slots when
// some word stands twice or is missing. `folds`: Q1 is q1.
static id_table words_of(const dataset *set,
                         str path,
                         bool folds,
                         arena *a,
                         arena scratch)
{
    ptrdiff_t n = set->entries.len;
    dataset *words = arena_new(a, dataset, 1);
    words->entries.ptr = arena_new(a, dataset_entry, n);
    words->entries.len = n;
    bool has_all = true;
    for (ptrdiff_t i = 0; i < n && has_all; i++) {
        arena temp = scratch;
        str word = dataset_word(set, i, path, &temp);
        words->entries.ptr[i].id =
            hash_bytes(folds ? arena_lower(&temp, word) : word);
        has_all = word.len > 0;
    }
    id_table t = has_all ? table_of(words, a) : (id_table){0};
    return t.n_repeated == 0 ? t : (id_table){0};
}

// Do the predictions stand in another order than their questions, by columns
// `gold` and `pred`, in which at least half of them find theirs?
static bool is_other_order(const pair_job *j, str gold, str pred, bool folds)
{
    arena temp = j->scratch;
    arena half = arena_half(&temp);
    id_table golds = words_of(j->gold, gold, folds, &temp, half);
    id_table preds = words_of(j->pred, pred, folds, &temp, half);
    if (!golds.slots || !preds.slots) {
        return false;
    }
    ptrdiff_t n_found = 0;
    ptrdiff_t n_moved = 0;
    for (ptrdiff_t i = 0; i < j->pred->entries.len; i++) {
        int32_t at = table_find(&golds, preds.set->entries.ptr[i].id);
        n_found += at >= 0;
        n_moved += at >= 0 && at != i;
    }
    return n_moved > 0 && n_found * 2 >= j->pred->entries.len;
}

// Could the columns hold the same words? Equal names, or equal sums.
static bool may_be_shared(const pair_job *j,
                          const file_column *gold,
                          const file_column *pred)
{
    bool is_full = gold->has[TRAIT_WORD] == j->gold->columns.n_records
                   && pred->has[TRAIT_WORD] == j->pred->columns.n_records
                   && gold->has[TRAIT_SQL] + pred->has[TRAIT_SQL] == 0;
    bool is_equal =
        gold->sum.low == pred->sum.low && gold->sum.high == pred->sum.high;
    return is_full && (is_equal || str_equal_fold(gold->path, pred->path));
}

static void report_shared(const pair_job *j, str gold, str pred)
{
    arena temp = j->scratch;
    bool is_one = str_equal(gold, pred);
    str other = is_one ? (str){0}
                       : arena_printf(&temp, " ('%.*s' in the gold file)",
                                      STR_ARG(gold));
    str more = is_one ? (str){0} : reading_hint(&temp, "id", gold);
    j->p->shared = pred;
    diag_add(
        j->d, pair_place(j->pred, -1),
        "without ids the files are paired by position, but '%.*s'%.*s holds "
        "the same values in another order; pair by it: %.*s%s%.*s",
        STR_ARG(pred), STR_ARG(other), STR_ARG(reading_hint(&temp, "id", pred)),
        is_one ? "" : " ", STR_ARG(more));
}

static void check_columns(const pair_job *j)
{
    const file_columns *golds = &j->gold->columns;
    const file_columns *preds = &j->pred->columns;
    ptrdiff_t n = j->gold->entries.len + j->pred->entries.len;
    bool fits = n / 10 <= QUESTIONS_LOOKED_AT
                && golds->n_records == j->gold->entries.len
                && preds->n_records == j->pred->entries.len;
    for (ptrdiff_t g = 0; fits && g < golds->list.len; g++) {
        for (ptrdiff_t k = 0; k < preds->list.len && !j->p->shared.len; k++) {
            const file_column *gold = &golds->list.ptr[g];
            const file_column *pred = &preds->list.ptr[k];
            if (!may_be_shared(j, gold, pred)
                || (!is_other_order(j, gold->path, pred->path, false)
                    && !is_other_order(j, gold->path, pred->path, true))) {
                continue;
            }
            report_shared(j, gold->path, pred->path);
        }
    }
}

// Comments above the statements of a text, which say whose they are.
static void check_comments(const pair_job *j)
{
    const file_columns *golds = &j->gold->columns;
    arena temp = j->scratch;
    if (j->pred->entries.len == 0
        || dataset_word(j->pred, 0, dataset_comment, &temp).len == 0) {
        return;
    }
    bool is_moved = is_other_order(j, dataset_comment, dataset_comment, true);
    for (ptrdiff_t g = 0; !is_moved && g < golds->list.len; g++) {
        const file_column *gold = &golds->list.ptr[g];
        is_moved = gold->has[TRAIT_WORD] == golds->n_records
                   && gold->has[TRAIT_SQL] == 0
                   && is_other_order(j, gold->path, dataset_comment, true);
    }
    if (is_moved) {
        j->p->shared = dataset_comment;
        diag_add(j->d, pair_place(j->pred, -1),
                 "without ids the files are paired by position, but the "
                 "comments above the statements name the questions in another "
                 "order");
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
    *p = (pairing){.pred_of = arena_new(a, int32_t, gold->entries.len)};
    pair_job j = {p, gold, pred, wanted, d, scratch};
    id_table preds = {0};
    key_kind kind = KEY_NONE;
    if (pred->has_ids) {
        preds = table_of(pred, &j.scratch);
        kind = key_kind_of(&j, &preds);
    }
    if (gold->has_ids && (kind == KEY_ID || kind == KEY_NONE)) {
        arena temp = j.scratch;
        id_table golds = table_of(gold, &temp);
        report_repeated(&j, &golds);
    }
    if (kind == KEY_NONE) {
        check_columns(&j);
        check_comments(&j);
        pair_by_position(&j);
    } else {
        p->by_id = true;
        pair_by_key(&j, &preds, kind);
    }
    if (p->n_misfits + p->n_missing + p->n_extra == 0) {
        check_dbs(&j);
    }
    if (p->n_misfits + p->n_missing + p->n_extra + p->shared.len == 0
        && kind != KEY_ID) {
        check_questions(&j);
    }
    return p->n_missing + p->n_extra + p->n_repeated + p->n_misfits == 0
           && p->shared.len == 0;
}

bool pair_ids_are_apart(const dataset *set, diag *d, arena scratch)
{
    pairing counts = {0};
    pair_job j = {&counts, set, set, NULL, d, scratch};
    if (set->has_ids) {
        id_table ids = table_of(set, &j.scratch);
        report_repeated(&j, &ids);
    }
    return counts.n_repeated == 0;
}
