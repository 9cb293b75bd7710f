/*
 * pair_order.c - see pair_order.h.
 *
 * Method      Columns are keys, too (keys.h), whatever they are called: where
 *             all words of one differ, two files may be matched by it. A column
 *             that numbers the predictions without a gap says their order
 *             alone. Questions are compared by their letters and digits, and
 *             looked for in what a prediction says in words: its prompt.
 *
 *             Whatever says that a prediction belongs to another gold is a
 *             claim. A seed or the question of an example may look like one, so
 *             the SQL has the last word: where most predictions are more like
 *             the gold of their place, all is in order.
 *
 * Cost        Linear in the number of records, but for prompts in which the own
 *             question is not found: PROMPTS of them are searched for all.
 */
#include "read/pair_order.h"

#include "base/buf.h"
#include "read/pair_locate.h"
#include "read/reader.h"

#include <stdio.h>
#include <string.h>

enum {
    QUESTIONS_LOOKED_AT = 20000,  // pairs whose questions are compared
    PROMPTS = 64,      // without their question in which others are looked for
    LEAST_ASKED = 12,  // letters of such a question
    COUNTED = 4,       // from so many on, numbers without a gap are no chance
    CLAIMS = 1000,     // that are tried on the SQL
};

static const hash128 no_key;

/* Places. */

static hash128 place_key(int64_t place)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%lld", (long long)place);
    return hash_bytes((str){digits, n});
}

keys pair_places(const dataset *set, int64_t first, bool counts_blank, arena *a)
{
    hash128 *of = arena_new(a, hash128, set->entries.len);
    for (ptrdiff_t i = 0; i < set->entries.len; i++) {
        if (counts_blank || !reader_is_blank(set, i)) {
            of[i] = place_key(first++);
        }
    }
    return keys_index(a, of, set->entries.len);
}

/* Claims. */

typedef struct claims {
    ptrdiff_t n;        // that were tried
    ptrdiff_t n_here;   // the SQL is more like the gold of its place
    ptrdiff_t n_there;  // it is more like that of the claim
} claims;

static void claim_add(const pair_job *j,
                      claims *c,
                      ptrdiff_t pred,
                      ptrdiff_t here,
                      ptrdiff_t there)
{
    if (c->n < CLAIMS) {
        int more =
            pair_likelier(j->gold, j->pred, pred, here, there, j->scratch);
        c->n++;
        c->n_here += more > 0;
        c->n_there += more < 0;
    }
}

static bool claims_fail(const claims *c)
{
    return c->n_here * 2 > c->n && c->n_here > c->n_there * 2;
}

/* Questions. */

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

// The questions of the first n records, as texts and as keys.
static keys questions_of(const dataset *set, str *asked, ptrdiff_t n, arena *a)
{
    hash128 *of = arena_new(a, hash128, n);
    arena half = arena_half(a);
    for (ptrdiff_t i = 0; i < n; i++) {
        arena temp = half;
        asked[i] = arena_str(a, plain_question(set, i, &temp));
        of[i] = asked[i].len > 0 ? hash_bytes(asked[i]) : no_key;
    }
    return keys_index(a, of, n);
}

// Predictions that repeat another question stand in the wrong place, and so do
// prompts that hold another and not their own; but what stands in many is an
// example. Texts that are in neither file's questions mean nothing.
void pair_check_questions(const pair_job *j)
{
    const dataset *gold = j->gold;
    const dataset *pred = j->pred;
    pair_job one = *j;
    bool may_be =
        gold->entries.len <= QUESTIONS_LOOKED_AT && pred->columns.n_records > 0;
    ptrdiff_t n = may_be ? gold->entries.len : 0;
    str *asked = arena_new(&one.scratch, str, n);
    keys golds = questions_of(gold, asked, n, &one.scratch);
    ptrdiff_t n_misfits = 0;
    int32_t first = -1;
    int32_t example = -1;  // in the last prompt
    claims told = {0};
    int n_prompts = 0;
    bool is_sure = false;
    for (ptrdiff_t i = 0; i < n && golds.n_without < n; i++) {
        arena local = one.scratch;
        int32_t at_pred = j->p->pred_of[i];
        str text =
            at_pred < 0 ? (str){0} : plain_question(pred, at_pred, &local);
        int32_t at = text.len > 0 ? keys_find(&golds, hash_bytes(text)) : -1;
        bool is_own = at_pred < 0 || at == golds.first[i];
        text = is_own ? (str){0} : plain_words(pred, at_pred, &local);
        is_own = is_own || str_find(text, asked[i], 0) >= 0;
        bool is_prompt =
            !is_own && at < 0 && text.len > 0 && n_prompts++ < PROMPTS;
        at = is_prompt ? asked_in(text, asked, n) : at;
        if (at >= 0 && !is_own && at != golds.first[i]
            && (!is_prompt || at != example)) {
            first = n_misfits++ == 0 ? at_pred : first;
            is_sure |= !is_prompt || n_misfits > 1;
            claim_add(&one, &told, at_pred, i, at);
        }
        example = is_prompt ? at : example;
    }
    // One prompt may have an example.
    n_misfits = is_sure && !claims_fail(&told) ? n_misfits : 0;
    j->p->n_misfits += n_misfits;
    if (n_misfits > 0) {
        diag_add(j->d,
                 (diag_place){.file = pred->file.path,
                              .line = pred->entries.ptr[first].line},
                 "%td prediction%s the text of another question, this is the "
                 "first; are both files in the same order?",
                 n_misfits, n_misfits == 1 ? " has" : "s have");
    }
}

/* Columns. */

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

// Does the SQL say that the records stand in the same places all the same?
static bool is_match_of_others(const pair_job *j, const match *m)
{
    claims told = {0};
    ptrdiff_t n = j->gold->entries.len;
    for (ptrdiff_t i = 0; i < m->golds.n && i < n; i++) {
        ptrdiff_t at = m->pred_of[i];
        if (at >= 0 && at != i && at < n) {
            claim_add(j, &told, at, at, i);
        }
    }
    return !claims_fail(&told);
}

static column_order order_by(const pair_job *j,
                             const file_column *gold,
                             const file_column *pred)
{
    column_order found = ORDER_UNKNOWN;
    int folds = may_be_shared(j, gold, pred) ? 0 : 2;
    for (; folds < 2 && found == ORDER_UNKNOWN; folds++) {
        pair_job one = *j;
        keys golds = words_of(j->gold, gold->path, folds, &one.scratch);
        keys preds = words_of(j->pred, pred->path, folds, &one.scratch);
        match m = keys_match(&one.scratch, golds, preds);
        bool are_apart = golds.n_without + golds.n_repeated + preds.n_without
                             + preds.n_repeated
                         == 0;
        bool is_other = m.n_moved > 0 && m.n_found * 2 >= preds.n;
        bool is_same = m.n_moved == 0 && m.n_found == golds.n;
        found = !are_apart                                 ? ORDER_UNKNOWN
                : is_other && is_match_of_others(&one, &m) ? ORDER_OTHER
                : is_same                                  ? ORDER_SAME
                                                           : ORDER_UNKNOWN;
    }
    return found;
}

// The numbers in the words of a column, from 0 on; no keys where a word has
// none, or what stands around them differs.
static keys numbers_of(const dataset *set, str path, arena *a)
{
    ptrdiff_t n = set->entries.len;
    int64_t *numbers = arena_new(a, int64_t, n);
    hash128 *of = arena_new(a, hash128, n);
    int64_t least = INT64_MAX;
    hash128 around = no_key;
    bool ok = true;
    for (ptrdiff_t i = 0; i < n && ok; i++) {
        arena temp = *a;
        bool is_blank = reader_is_blank(set, i);
        str_counted w = str_around_number(
            is_blank ? S("0") : dataset_word(set, i, path, &temp));
        hash128 is = hash_bytes(arena_printf(
            &temp, "%.*s#%.*s", STR_ARG(w.before), STR_ARG(w.after)));
        around = least == INT64_MAX ? is : around;
        ok = str_to_int(w.number, &numbers[i])
             && (is_blank || memcmp(&is, &around, sizeof is) == 0);
        least = !is_blank && numbers[i] < least ? numbers[i] : least;
    }
    for (ptrdiff_t i = 0; i < n && ok; i++) {
        of[i] =
            reader_is_blank(set, i) ? no_key : place_key(numbers[i] - least);
    }
    return keys_index(a, of, n);
}

// Does the column number the predictions without a gap, whatever stands around
// the numbers, but not as they stand in the file? Not where the SQL fits.
static bool counts_others(const pair_job *j, const file_column *c)
{
    pair_job one = *j;
    ptrdiff_t n = j->pred->entries.len - j->pred->n_blank;
    if (n < COUNTED || !holds_words(j->pred, c) || c->named.kind == FIELD_DB
        || field_is_figure(c->named.kind)) {
        return false;
    }
    keys numbers = numbers_of(j->pred, c->path, &one.scratch);
    match m = keys_match(&one.scratch,
                         pair_places(j->pred, 0, false, &one.scratch), numbers);
    return m.n_found == n && m.n_moved > 0
           && (n != j->gold->entries.len || is_match_of_others(&one, &m));
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
        diag_add(j->d, (diag_place){.file = j->pred->file.path},
                 "without ids the files are paired by position, but %.*s name "
                 "the questions in another order",
                 STR_ARG(pred));
        return;
    }
    diag_add(
        j->d, (diag_place){.file = j->pred->file.path},
        "without ids the files are paired by position, but '%.*s'%.*s holds "
        "the same values in another order; pair by it: %.*s%s%.*s",
        STR_ARG(pred), STR_ARG(other), STR_ARG(reading_hint(&temp, "id", pred)),
        is_one ? "" : " ", STR_ARG(more));
}

static void report_count_of_others(const pair_job *j, str pred)
{
    arena temp = j->scratch;
    j->p->shared = pred;
    diag_add(j->d, (diag_place){.file = j->pred->file.path},
             "without ids the files are paired by position, but %.*s number%s "
             "the predictions in another order; sort them, or give the cases "
             "ids",
             STR_ARG(column_name(j->pred, pred, &temp)),
             j->pred->columns.n_records == 0 ? "" : "s");
}

// Texts in the same order say more than whatever is in another; and what the
// gold has in the same places does not count the predictions.
void pair_check_columns(const pair_job *j)
{
    const file_columns *golds = &j->gold->columns;
    const file_columns *preds = &j->pred->columns;
    ptrdiff_t n = j->gold->entries.len + j->pred->entries.len;
    bool may_be = n / 10 <= QUESTIONS_LOOKED_AT;
    bool is_same = false;
    str gold_other = {0};
    str pred_other = {0};
    str count = {0};
    for (ptrdiff_t k = 0; k < preds->list.len && may_be && !is_same; k++) {
        const file_column *pred = &preds->list.ptr[k];
        bool is_told = false;
        for (ptrdiff_t g = 0; g < golds->list.len; g++) {
            const file_column *gold = &golds->list.ptr[g];
            column_order by = order_by(j, gold, pred);
            bool is_first = by == ORDER_OTHER && pred_other.len == 0;
            gold_other = is_first ? gold->path : gold_other;
            pred_other = is_first ? pred->path : pred_other;
            is_told |= by == ORDER_SAME;
            is_same |= by == ORDER_SAME && pred->has[TRAIT_TEXT] > 0;
        }
        count = count.len == 0 && !is_told && counts_others(j, pred)
                    ? pred->path
                    : count;
    }
    if (!is_same && pred_other.len > 0) {
        report_shared(j, gold_other, pred_other);
    } else if (!is_same && count.len > 0) {
        report_count_of_others(j, count);
    }
}
