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
 *             databases, and questions or columns, by which they may be paired
 *             otherwise.
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
#include "read/reader.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
    NAMED = 5,                    // ids in one message
    QUESTIONS_LOOKED_AT = 20000,  // pairs whose questions are compared
    PROMPTS = 64,      // without their question in which others are looked for
    LEAST_ASKED = 12,  // letters of such a question
    COUNTED = 4,       // from so many on, numbers without a gap are no chance
};

typedef struct pair_job {
    pairing *p;
    const dataset *gold;
    const dataset *pred;
    const bool *wanted;  // by gold record; NULL: all
    diag *d;
    arena scratch;  // keys and matches stay in it
} pair_job;

/* Keys. */

static const hash128 no_key;

static bool is_blank_line(const dataset *set, ptrdiff_t i)
{
    assert(i >= 0 && i < set->entries.len);
    return set->n_blank > 0 && set->entries.ptr[i].size == 0;
}

// Numbers from `first` on, as ids have them. Blank lines count or have none.
static keys places_of(const dataset *set,
                      ptrdiff_t first,
                      bool counts_blank,
                      arena *a)
{
    hash128 *of = arena_new(a, hash128, set->entries.len);
    for (ptrdiff_t i = 0; i < set->entries.len; i++) {
        char digits[24];
        if (counts_blank || !is_blank_line(set, i)) {
            int n = snprintf(digits, sizeof digits, "%td", first++);
            of[i] = hash_bytes((str){digits, n});
        }
    }
    return keys_index(a, of, set->entries.len);
}

// The number of the session, and of the turn in it; blank lines have none.
static keys turns_of(const dataset *set, arena *a)
{
    const dataset_entry *e = set->entries.ptr;
    hash128 *of = arena_new(a, hash128, set->entries.len);
    hash128 key = {1, 0};
    for (ptrdiff_t i = 0; i < set->entries.len; i++) {
        bool is_next = i > 0 && e[i].interaction != e[i - 1].interaction;
        key = is_next ? (hash128){key.low + 1, 0} : key;
        if (!is_blank_line(set, i)) {
            key.high++;
            of[i] = key;
        }
    }
    return keys_index(a, of, set->entries.len);
}

// The words of a column. `folds`: Q1 is q1.
static keys words_of(const dataset *set, str path, bool folds, arena *a)
{
    hash128 *of = arena_new(a, hash128, set->entries.len);
    bool has_word = true;
    for (ptrdiff_t i = 0; i < set->entries.len && has_word; i++) {
        arena temp = *a;
        str word = dataset_word(set, i, path, &temp);
        has_word = word.len > 0;
        of[i] = !has_word ? no_key
                          : hash_bytes(folds ? arena_lower(&temp, word) : word);
    }
    return keys_index(a, of, set->entries.len);
}

/* Matches. */

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

// How two files are paired by their keys.
typedef struct match {
    keys golds;
    keys preds;
    int32_t *pred_of;  // by gold; -1: none has its key
    ptrdiff_t n_found;
    ptrdiff_t n_right;  // of these, for the same database
    ptrdiff_t n_moved;  // of these, at another place
} match;

static match match_of(pair_job *j, keys golds, keys preds)
{
    match m = {golds, preds, arena_new(&j->scratch, int32_t, golds.n), 0, 0, 0};
    for (ptrdiff_t i = 0; i < golds.n; i++) {
        int32_t at = keys_find(&preds, golds.of[i]);
        m.pred_of[i] = at;
        m.n_found += at >= 0;
        m.n_right += at >= 0 && !db_misfits(j, i, at);
        m.n_moved += at >= 0 && at != i;
    }
    return m;
}

// By the ids of the predictions: as those of the gold, else as positions from 0
// or 1, whichever finds most. False where they identify nothing.
static bool match_ids(pair_job *j, match *best, bool *are_positions)
{
    const dataset *gold = j->gold;
    bool is_keyed = j->pred->is_keyed;
    bool is_weak = gold->reading.has_weak_ids || j->pred->reading.has_weak_ids;
    keys preds = reader_ids(j->pred, &j->scratch);
    *best = gold->has_ids
                ? match_of(j, reader_ids(gold, &j->scratch), preds)
                : match_of(j, places_of(gold, 0, true, &j->scratch), preds);
    *are_positions = !gold->has_ids;
    // What only looks like an id must find its likes.
    if (gold->has_ids && (!is_keyed || (is_weak && best->n_right == 0))) {
        return !is_weak || best->n_right > 0;
    }
    for (int first = !gold->has_ids; first < 2; first++) {
        match m = match_of(j, places_of(gold, first, true, &j->scratch), preds);
        *are_positions |= m.n_right > best->n_right;
        *best = m.n_right > best->n_right ? m : *best;
    }
    // Keys that fit only in part identify all the same, unless the file is an
    // array or lines, whose ids may well be something else.
    return is_keyed || best->n_right == preds.n
           || best->n_right == best->golds.n;
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
        arena temp = j->scratch;
        diag_add(j->d, pair_place(set, s.ids[0]),
                 "%td record%s an id that occurred before: %.*s", s.n,
                 s.n == 1 ? " has" : "s have",
                 STR_ARG(sample_names(&s, set, &temp)));
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
    if (!are_positions) {
        report_missing(j, &missing);
        report_extra(j, &extra);
    } else if (missing.n + extra.n > 0) {
        report_count(j, &m->preds);
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
    match m = by_turn ? match_of(j, turns_of(gold, &j->scratch),
                                 turns_of(pred, &j->scratch))
                      : match_of(j, places_of(gold, 0, true, &j->scratch),
                                 places_of(pred, 0, counts_blank, &j->scratch));
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

// Its letters and digits, in lower case.
static void add_plain(buf *out, str text)
{
    for (ptrdiff_t k = 0; k < text.len; k++) {
        char c = text.ptr[k];
        if (is_alpha(c) || is_digit(c) || (unsigned char)c > 0x7F) {
            buf_char(out, to_lower(c));
        }
    }
}

static str plain_question(const dataset *set, ptrdiff_t i, arena *a)
{
    arena temp = arena_half(a);
    record r = dataset_record(set, i, &temp);
    buf plain = buf_new(a);
    add_plain(&plain, r.question);
    return buf_str(&plain);
}

// All that a prediction says in words beside its SQL: question, prompt,
// messages.
static str plain_words(const dataset *set, ptrdiff_t i, arena *a)
{
    arena half = arena_half(a);
    buf plain = buf_new(a);
    for (ptrdiff_t k = 0; k < set->columns.list.len; k++) {
        arena temp = half;
        const file_column *c = &set->columns.list.ptr[k];
        if ((c->has[TRAIT_TEXT] > 0 && c->has[TRAIT_SQL] == 0)
            || c->has[TRAIT_ASKED] > 0) {
            add_plain(&plain, dataset_word(set, i, c->path, &temp));
            buf_char(&plain, ' ');
        }
    }
    return buf_str(&plain);
}

// The question that stands in the prompt, the last of several; -1: none.
static int32_t asked_in(str prompt, const str *asked, ptrdiff_t n)
{
    int32_t found = -1;
    ptrdiff_t at = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        ptrdiff_t next =
            asked[i].len < LEAST_ASKED ? -1 : str_find(prompt, asked[i], at);
        found = next < 0 ? found : (int32_t)i;
        at = next < 0 ? at : next;
    }
    return found;
}

// Predictions that repeat another question stand in the wrong place, and so do
// prompts that hold another and not their own; but what stands in many is an
// example. Texts that are in neither file's questions mean nothing.
static void check_questions(const pair_job *j)
{
    arena temp = j->scratch;
    bool may_be = j->gold->entries.len <= QUESTIONS_LOOKED_AT
                  && j->pred->columns.n_records > 0;
    ptrdiff_t n = may_be ? j->gold->entries.len : 0;
    str *asked = arena_new(&temp, str, n);
    hash128 *of = arena_new(&temp, hash128, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        arena half = arena_half(&temp);
        asked[i] = arena_str(&temp, plain_question(j->gold, i, &half));
        of[i] = asked[i].len > 0 ? hash_bytes(asked[i]) : no_key;
    }
    keys golds = keys_index(&temp, of, n);
    sample misfits = {.n = 0};
    int32_t example = -1;  // in the last prompt
    int n_prompts = 0;
    bool is_sure = false;
    for (ptrdiff_t i = 0; i < n && golds.n_without < n; i++) {
        arena local = temp;
        int32_t p = j->p->pred_of[i];
        str text = p < 0 ? (str){0} : plain_question(j->pred, p, &local);
        int32_t at = text.len > 0 ? keys_find(&golds, hash_bytes(text)) : -1;
        text = at < 0 && p >= 0 ? plain_words(j->pred, p, &local) : (str){0};
        bool is_prompt = text.len > 0 && str_find(text, asked[i], 0) < 0
                         && n_prompts++ < PROMPTS;
        at = is_prompt ? asked_in(text, asked, n) : at;
        if (at >= 0 && at != golds.first[i] && (!is_prompt || at != example)) {
            sample_add(&misfits, p);
            is_sure |= !is_prompt || misfits.n > 1;
        }
        example = is_prompt ? at : example;
    }
    misfits.n = is_sure ? misfits.n : 0;  // one prompt may have an example
    j->p->n_misfits += misfits.n;
    if (misfits.n > 0) {
        diag_add(j->d, pair_place(j->pred, misfits.ids[0]),
                 "%td prediction%s the text of another question, this is the "
                 "first; are both files in the same order?",
                 misfits.n, misfits.n == 1 ? " has" : "s have");
    }
}

/* Columns that say who is who, whatever they are called. */

static ptrdiff_t n_columns(const dataset *set)
{
    return set->columns.n_records > 0 ? set->columns.list.len
                                      : DATASET_TEXT_COLUMNS;
}

static file_column column_at(const dataset *set, ptrdiff_t i)
{
    return set->columns.n_records > 0
               ? set->columns.list.ptr[i]
               : (file_column){
                   .path = dataset_text_columns[i],
                   .named = {.kind = i == 1 ? FIELD_DB : FIELD_NONE}};
}

// Has each record a word in it, and none of them SQL?
static bool holds_words(const dataset *set, const file_column *c)
{
    return set->columns.n_records == 0
           || (set->columns.n_records == set->entries.len
               && c->has[TRAIT_WORD] == set->entries.len
               && c->has[TRAIT_SQL] == 0);
}

// Could the columns hold the same words? Equal names, or equal sums.
static bool may_be_shared(const pair_job *j,
                          const file_column *gold,
                          const file_column *pred)
{
    return holds_words(j->gold, gold) && holds_words(j->pred, pred)
           && gold->named.kind != FIELD_DB
           && (memcmp(&gold->sum, &pred->sum, sizeof gold->sum) == 0
               || str_equal_fold(gold->path, pred->path)
               || j->pred->columns.n_records == 0);
}

// What columns of words that are all different say of the order of the
// predictions, where at least half of these find theirs.
typedef enum column_order {
    ORDER_UNKNOWN,
    ORDER_SAME,
    ORDER_OTHER,
} column_order;

static column_order order_by(const pair_job *j,
                             const file_column *gold,
                             const file_column *pred)
{
    column_order found = ORDER_UNKNOWN;
    for (int folds = may_be_shared(j, gold, pred) ? 0 : 2; folds < 2; folds++) {
        pair_job one = *j;
        keys golds = words_of(j->gold, gold->path, folds, &one.scratch);
        keys preds = words_of(j->pred, pred->path, folds, &one.scratch);
        match m = match_of(&one, golds, preds);
        bool are_apart = golds.n_without + golds.n_repeated + preds.n_without
                             + preds.n_repeated
                         == 0;
        found = are_apart && m.n_moved > 0 && m.n_found * 2 >= preds.n
                    ? ORDER_OTHER
                : are_apart && m.n_moved == 0 && m.n_found == golds.n
                        && found == ORDER_UNKNOWN
                    ? ORDER_SAME
                    : found;
    }
    return found;
}

// A word without its first number, which is in *number; empty: it has none.
static str without_number(str word, int64_t *number, arena *a)
{
    ptrdiff_t from = 0;
    while (from < word.len && !is_digit(word.ptr[from])) {
        from++;
    }
    ptrdiff_t end = from;
    while (end < word.len && is_digit(word.ptr[end])) {
        end++;
    }
    return str_to_int(str_sub(word, from, end), number)
               ? arena_printf(a, "%.*s#%.*s", STR_ARG(str_sub(word, 0, from)),
                              STR_ARG(str_skip(word, end)))
               : (str){0};
}

// Does the column number the predictions without a gap, whatever stands around
// the numbers, but not as they stand in the file?
static bool counts_others(const pair_job *j, const file_column *c)
{
    ptrdiff_t n = j->pred->entries.len - j->pred->n_blank;
    arena temp = j->scratch;
    bool *is_seen = arena_new(&temp, bool, 2 * n);
    str around = {0};
    int64_t first = 0;
    int64_t last = 0;
    int64_t least = INT64_MAX;
    int64_t most = 0;
    bool may_be = n >= COUNTED && holds_words(j->pred, c)
                  && c->named.kind != FIELD_DB
                  && !field_is_figure(c->named.kind);
    bool falls = false;
    for (ptrdiff_t i = 0; i < j->pred->entries.len && may_be; i++) {
        if (is_blank_line(j->pred, i)) {
            continue;
        }
        int64_t number = 0;
        str word = dataset_word(j->pred, i, c->path, &temp);
        str rest = without_number(word, &number, &temp);
        first = around.len == 0 ? number - n : first;
        around = around.len == 0 ? rest : around;
        if (rest.len == 0 || !str_equal(rest, around) || number < first
            || number > INT64_MAX / 2 || number - first >= 2 * n
            || is_seen[number - first]) {
            return false;
        }
        is_seen[number - first] = true;
        falls |= number < last;
        last = number;
        least = number < least ? number : least;
        most = number > most ? number : most;
    }
    return falls && most - least == n - 1;
}

// "'nr'", or what a column of a text is called.
static str column_name(const dataset *set, str path, arena *a)
{
    return set->columns.n_records == 0
               ? path
               : arena_printf(a, "'%.*s'", STR_ARG(path));
}

static void report_shared(const pair_job *j, str gold, str pred)
{
    arena temp = j->scratch;
    bool is_one = str_equal(gold, pred);
    bool is_text = j->pred->columns.n_records == 0;
    str other = is_one ? (str){0}
                       : arena_printf(&temp, " ('%.*s' in the gold file)",
                                      STR_ARG(gold));
    str more = is_one ? (str){0} : reading_hint(&temp, "id", gold);
    j->p->shared = pred;
    if (is_text) {
        diag_add(j->d, pair_place(j->pred, -1),
                 "without ids the files are paired by position, but %.*s name "
                 "the questions in another order",
                 STR_ARG(pred));
        return;
    }
    diag_add(
        j->d, pair_place(j->pred, -1),
        "without ids the files are paired by position, but '%.*s'%.*s holds "
        "the same values in another order; pair by it: %.*s%s%.*s",
        STR_ARG(pred), STR_ARG(other), STR_ARG(reading_hint(&temp, "id", pred)),
        is_one ? "" : " ", STR_ARG(more));
}

static void report_count_of_others(const pair_job *j, str pred)
{
    arena temp = j->scratch;
    j->p->shared = pred;
    diag_add(j->d, pair_place(j->pred, -1),
             "without ids the files are paired by position, but %.*s number%s "
             "the predictions in another order; sort them, or give the cases "
             "ids",
             STR_ARG(column_name(j->pred, pred, &temp)),
             j->pred->columns.n_records == 0 ? "" : "s");
}

// Texts in the same order say more than whatever is in another; and what the
// gold has in the same places does not count the predictions.
static void check_columns(const pair_job *j)
{
    ptrdiff_t n = j->gold->entries.len + j->pred->entries.len;
    ptrdiff_t n_preds = n / 10 <= QUESTIONS_LOOKED_AT ? n_columns(j->pred) : 0;
    bool is_same = false;
    str gold_other = {0};
    str pred_other = {0};
    str count = {0};
    for (ptrdiff_t k = 0; k < n_preds; k++) {
        file_column pred = column_at(j->pred, k);
        bool is_told = false;
        for (ptrdiff_t g = 0; g < n_columns(j->gold); g++) {
            file_column gold = column_at(j->gold, g);
            column_order by = order_by(j, &gold, &pred);
            bool is_first = by == ORDER_OTHER && pred_other.len == 0;
            gold_other = is_first ? gold.path : gold_other;
            pred_other = is_first ? pred.path : pred_other;
            is_told |= by == ORDER_SAME;
            is_same |= by == ORDER_SAME && pred.has[TRAIT_TEXT] > 0;
        }
        count = count.len == 0 && !is_told && counts_others(j, &pred)
                    ? pred.path
                    : count;
    }
    if (!is_same && pred_other.len > 0) {
        report_shared(j, gold_other, pred_other);
    } else if (!is_same && count.len > 0) {
        report_count_of_others(j, count);
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
        check_columns(&j);
        pair_by_position(&j, a);
    }
    if (p->n_misfits + p->n_missing + p->n_extra == 0) {
        check_dbs(&j);
    }
    if (p->n_misfits + p->n_missing + p->n_extra + p->shared.len == 0
        && (!by_id || are_positions)) {
        check_questions(&j);
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
