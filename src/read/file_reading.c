/*
 * file_reading.c - see file_reading.h.
 *
 * Method      A name proposes, the contents decide. A member that the user
 *             named is what he says. Else a name whose meaning is sure
 *             (gold_sql) counts whatever is in it; a bare name (query, answer,
 *             output) or a hint (expected, label) only with SQL in it, and
 *             `query` with sentences in it is the question. A conversation
 *             gives the question and the answer that no name gives.
 *
 *             Then the guard: where gold or prediction was found under a bare
 *             name only, and another member that nothing is read from holds
 *             other queries, nobody knows which of the two is which.
 *
 * Sources     What the members are called in files of Spider, BIRD,
 *             LiveSQLBench, EHRSQL, Braintrust, Langfuse, verl and the others
 *             of field.def.
 */
#include "read/file_reading.h"

#include <string.h>

enum {
    NAMED = 8,           // members in a message or a sentence
    SURE_SQL = 2,        // up to this rank a bare name means SQL: `sql`
    SURE_ANSWER = 3,     // beyond it, what a model gave: `answer`, `output`
    QUESTION_RANK = 12,  // of a question under a name of SQL
    TALK_RANK = 15,
};

typedef struct candidate {
    const file_column *column;
    field_kind kind;
    int rank;
} candidate;

typedef struct deciding {
    const file_columns *c;
    bool is_pred_file;
    vec_of(candidate) all;
    diag *d;
    diag_place place;
    arena scratch;
} deciding;

// Holds it SQL in most records that have a value?
static bool holds_sql(const file_column *c)
{
    return c->has[TRAIT_SQL] > c->has[TRAIT_TEXT];
}

// Are there texts in it, none of which has a query anywhere?
static bool holds_prose(const file_column *c)
{
    return c->has[TRAIT_TEXT] > 0
           && c->has[TRAIT_SQL] + c->has[TRAIT_SELECT] == 0;
}

// Queries in most, which give rows: no CREATE TABLE?
static bool holds_queries(const file_column *c)
{
    return c->has[TRAIT_QUERY] * 2 > c->n
           && c->has[TRAIT_QUERY] > c->has[TRAIT_TEXT];
}

// Are most values lists or objects in which there is a query, and no name that
// says so?
static bool hides_queries(const file_column *c)
{
    return c->has[TRAIT_INNER] * 2 > c->n;
}

// Do both hold the same SQL? Then it does not matter which one is read.
static bool is_same_sql(const file_column *c, const file_column *other)
{
    return c->n == other->n && c->sql_sum == other->sql_sum;
}

// Are all values numbers that a member of that kind can have?
static bool is_figure(const file_column *c, field_kind kind)
{
    return c->has[TRAIT_NUMBER] == c->n
           && (c->has[TRAIT_NO_FIGURE] == 0 || kind == FIELD_CONFIDENCE);
}

// Says it the same in all records, of which there are several?
static bool is_constant(const file_column *c)
{
    return c->n > 1 && c->has[TRAIT_FIRST] == c->n;
}

// Are all values integers, and some of them written as reals?
static bool is_floats(const file_column *c)
{
    return c->has[TRAIT_FLOAT] > 0 && c->has[TRAIT_WHOLE] == c->n;
}

static void propose(deciding *x,
                    const file_column *k,
                    field_kind kind,
                    int rank)
{
    *vec_push(&x->scratch, &x->all) = (candidate){k, kind, rank};
}

static const candidate *best_of(const deciding *x, field_kind kind)
{
    const candidate *best = NULL;
    for (ptrdiff_t i = 0; i < x->all.len; i++) {
        const candidate *k = &x->all.ptr[i];
        best = k->kind == kind && (!best || k->rank < best->rank) ? k : best;
    }
    return best;
}

// What a member under a bare name of SQL is.
static void propose_bare(deciding *x, const file_column *k)
{
    int rank = k->named.rank;
    bool is_neither =
        k->has[TRAIT_TEXT] + k->has[TRAIT_SQL] == 0;  // null, or a tree
    bool is_sql = holds_sql(k) || (rank <= SURE_SQL && !is_neither);
    bool is_weak = !is_sql && is_neither && k->n == k->has[TRAIT_WORD];
    bool is_asked = !is_sql && !is_weak && rank % FIELD_WEAK == 3;
    propose(x, k,
            is_sql || is_weak ? FIELD_SQL
            : is_asked        ? FIELD_QUESTION
                              : FIELD_NONE,
            is_asked  ? QUESTION_RANK
            : is_weak ? rank + FIELD_WEAK
                      : rank);
}

// Does what is in it bear out its name?
static bool fits_name(const deciding *x, const file_column *k)
{
    field_kind kind = k->named.kind;
    bool is_sure = k->named.rank < FIELD_WEAK;
    bool is_word = k->has[TRAIT_WORD] == k->n && k->n == x->c->n_records;
    return field_is_figure(kind)                      ? is_figure(k, kind)
           : kind == FIELD_QUESTION                   ? !holds_queries(k)
           : kind == FIELD_ID                         ? is_sure || is_word
           : kind == FIELD_GOLD || kind == FIELD_PRED ? is_sure || holds_sql(k)
                                                      : kind != FIELD_NONE;
}

static void propose_named(deciding *x, const file_column *k)
{
    if (k->named.kind == FIELD_SQL && k->named.why == FIELD_BY_NAME) {
        propose_bare(x, k);
    } else if (k->named.why != FIELD_BY_NAME || fits_name(x, k)) {
        // What stands in each record is an instruction, and no question.
        bool is_general = k->named.kind == FIELD_QUESTION
                          && k->named.why == FIELD_BY_NAME && is_constant(k);
        propose(x, k, k->named.kind,
                k->named.rank + (is_general ? FIELD_WEAK : 0));
    }
}

// Do two members of one record say in other words, and as surely, that they are
// it?
static bool is_tied(const deciding *x, const candidate *best)
{
    bool is_other = false;
    for (ptrdiff_t i = 0; i < x->all.len; i++) {
        const candidate *k = &x->all.ptr[i];
        is_other |= k->kind == best->kind && k->rank == best->rank
                    && k->column->n + best->column->n > x->c->n_records
                    && memcmp(&k->column->sum, &best->column->sum,
                              sizeof best->column->sum)
                           != 0;
    }
    return is_other;
}

// What no name gives: a conversation has it, or, in a file of predictions, a
// bare name that holds no SQL: a model may be wrong everywhere.
static void propose_rest(deciding *x)
{
    bool has_sql = best_of(x, FIELD_SQL) || best_of(x, FIELD_GOLD)
                   || best_of(x, FIELD_PRED);
    bool has_question = best_of(x, FIELD_QUESTION) != NULL;
    for (ptrdiff_t i = 0; i < x->c->list.len; i++) {
        const file_column *k = &x->c->list.ptr[i];
        if (k->has[TRAIT_ASKED] > 0 && !has_question) {
            propose(x, k, FIELD_QUESTION, TALK_RANK);
        }
        bool is_told =
            k->has[TRAIT_TOLD] > (x->is_pred_file ? 0 : k->has[TRAIT_OPEN]);
        if (is_told && !has_sql && k->named.kind == FIELD_NONE) {
            propose(x, k, FIELD_SQL, TALK_RANK);
        }
    }
    bool has_gold = best_of(x, FIELD_GOLD) != NULL;
    const candidate *pred = best_of(x, FIELD_PRED);
    bool has_answer = pred || best_of(x, FIELD_SQL);
    ptrdiff_t n_preds = pred ? pred->column->n : 0;
    for (ptrdiff_t i = 0; i < x->all.len; i++) {
        candidate *k = &x->all.ptr[i];
        const file_column *c = k->column;
        bool is_sql = k->kind == FIELD_SQL && k->rank < FIELD_WEAK;
        // Beside a gold, what is called an answer or output is the model's; in
        // a file of predictions some may be, where no record has both.
        bool is_pred = x->is_pred_file
                           ? pred && c->n + n_preds <= x->c->n_records
                           : has_gold && !pred && k->rank > SURE_ANSWER;
        k->kind = is_sql && is_pred ? FIELD_PRED : k->kind;
        if (x->is_pred_file && !has_answer && c->named.kind == FIELD_SQL
            && c->n == c->has[TRAIT_WORD]) {
            k->kind = FIELD_SQL;
            k->rank = c->named.rank;
        }
    }
}

// Does some record have SQL in both, and not the same?
static bool stand_apart(const deciding *x,
                        const file_column *k,
                        const file_column *other)
{
    return k->n + other->n > x->c->n_records && !is_same_sql(k, other);
}

// Rows of a kind by rank. What the user named stands alone; hints count where
// there is nothing better, and of two members under bare names the better one,
// unless no record has both.
static void add_rows(reading *r, arena *a, deciding *x, field_kind kind)
{
    const candidate *best = best_of(x, kind);
    int most = !best                     ? 0
               : best->rank < 0          ? -1
               : best->rank < FIELD_WEAK ? FIELD_WEAK - 1
                                         : best->rank;
    bool is_bare = kind == FIELD_SQL && best && best->rank >= 0;
    bool is_open = kind == FIELD_QUESTION && best && best->rank >= FIELD_WEAK
                   && is_tied(x, best);
    for (int rank = best ? best->rank : 1; rank <= most && !is_open; rank++) {
        for (ptrdiff_t i = 0; i < x->all.len; i++) {
            const candidate *k = &x->all.ptr[i];
            if (k->kind == kind && k->rank == rank
                && (!is_bare || !stand_apart(x, k->column, best->column))) {
                *vec_push(a, &r->rows) = (reading_row){
                    kind, arena_str(a, k->column->path), k->column->named.why};
            }
        }
    }
}

static bool is_read(const reading *r, const file_column *k)
{
    bool is_found = false;
    for (ptrdiff_t i = 0; i < r->rows.len; i++) {
        is_found |= str_equal(r->rows.ptr[i].path, k->path);
    }
    return is_found;
}

static void add_names(buf *out, const str_list *names)
{
    for (ptrdiff_t i = 0; i < names->len && i < NAMED; i++) {
        buf_add(out, i > 0 ? S(", ") : S(""));
        buf_add(out, str_sub(names->ptr[i], 0, 60));
    }
    buf_add(out, names->len > NAMED ? S(", ...") : S(""));
}

str reading_hint(arena *a, const char *word, str member)
{
    bool has_blank = str_find(member, S(" "), 0) >= 0;
    return arena_printf(a, "--field %s%s=%.*s%s", has_blank ? "'" : "", word,
                        STR_ARG(member), has_blank ? "'" : "");
}

// The member under a bare name, if there is anything in it.
static const candidate *best_bare(const deciding *x)
{
    const candidate *bare = best_of(x, FIELD_SQL);
    return bare && bare->column->n > 0 ? bare : NULL;
}

static void find_unused(reading *r, arena *a, const deciding *x)
{
    const candidate *bare = best_bare(x);
    for (ptrdiff_t i = 0; i < x->c->list.len; i++) {
        const file_column *k = &x->c->list.ptr[i];
        if (k->n == 0 || k->path.len == 0 || is_read(r, k)) {
            continue;
        }
        *vec_push(a, &r->unused) = arena_str(a, k->path);
        bool may_be_it = bare && bare->rank > SURE_ANSWER && hides_queries(k)
                         && (!x->is_pred_file || holds_prose(bare->column));
        bool is_cut = !bare && k->has[TRAIT_TOKENS] * 2 > k->n;
        if (may_be_it || is_cut
            || (holds_queries(k)
                && (!bare || stand_apart(x, k, bare->column)))) {
            *vec_push(a, &r->spare) = arena_str(a, k->path);
        }
        bool is_tree = k->named.kind == FIELD_SQL
                       && k->has[TRAIT_TEXT] + k->has[TRAIT_SQL] == 0;
        if (is_tree && !bare && !best_of(x, FIELD_GOLD)) {
            r->structure = arena_str(a, k->path);
        }
    }
}

// Was gold, or prediction, found under a bare name or nowhere, while another
// member holds SQL?
static bool check_spare(const reading *r, deciding *x)
{
    const candidate *bare = best_bare(x);
    bool has_gold = best_of(x, FIELD_GOLD) != NULL;
    bool has_pred = best_of(x, FIELD_PRED) != NULL;
    bool is_named = x->is_pred_file ? has_pred : has_gold;
    bool is_other_named = x->is_pred_file ? has_gold : has_pred;
    if (r->spare.len == 0 || is_named || (bare && is_other_named)) {
        return true;
    }
    const char *word = x->is_pred_file ? "pred" : "gold";
    const char *what = x->is_pred_file ? "the prediction" : "the gold";
    str first = r->spare.ptr[0];
    buf names = buf_new(&x->scratch);
    add_names(&names, &r->spare);
    str list = buf_str(&names);
    arena temp = arena_half(&x->scratch);
    if (!bare) {
        return diag_add(
            x->d, x->place,
            "no member has a name that assay knows for %s, but there "
            "is SQL in %.*s; say which one it is, for example %.*s",
            what, STR_ARG(list), STR_ARG(reading_hint(&temp, word, first)));
    }
    str used = bare->column->path;
    return diag_add(x->d, x->place,
                    "'%.*s' holds %s %.*s; say which one is %s: %.*s or %.*s",
                    STR_ARG(used),
                    holds_prose(bare->column) ? "no SQL, but there is some in"
                                              : "SQL, and so does",
                    STR_ARG(list), what,
                    STR_ARG(reading_hint(&temp, word, first)),
                    STR_ARG(reading_hint(&temp, word, used)));
}

// What a model said, in words, is hardly the prediction where SQL stands beside
// it; but that may as well be the gold.
static bool check_answer(const deciding *x)
{
    const candidate *pred = best_of(x, FIELD_PRED);
    const candidate *bare = best_of(x, FIELD_SQL);
    bool is_open = x->is_pred_file && pred && bare && pred->rank > SURE_ANSWER
                   && pred->column->named.why == FIELD_BY_NAME
                   && holds_prose(pred->column) && holds_sql(bare->column);
    arena temp = x->scratch;
    arena other = arena_half(&temp);
    return !is_open
           || diag_add(
               x->d, x->place,
               "'%.*s' is named like a model's answer but contains no SQL, and "
               "'%.*s' contains some; say which one is the prediction: %.*s or "
               "%.*s",
               STR_ARG(pred->column->path), STR_ARG(bare->column->path),
               STR_ARG(reading_hint(&temp, "pred", pred->column->path)),
               STR_ARG(reading_hint(&other, "pred", bare->column->path)));
}

// What the user calls a number must be one in every record that has it.
static bool check_figures(const deciding *x)
{
    for (ptrdiff_t i = 0; i < x->all.len; i++) {
        const candidate *k = &x->all.ptr[i];
        if (field_is_figure(k->kind) && !is_figure(k->column, k->kind)) {
            return diag_add(x->d, x->place,
                            "'%.*s' is used as %s, but %td of its %td values "
                            "are not numbers%s",
                            STR_ARG(k->column->path), field_word(k->kind),
                            k->column->n - k->column->has[TRAIT_NUMBER]
                                + k->column->has[TRAIT_NO_FIGURE],
                            k->column->n,
                            k->kind == FIELD_CONFIDENCE ? ""
                                                        : " from 0 to 10^12");
        }
    }
    return true;
}

// The list of a query's words is no list of queries, and a question is neither
// a gold nor says that none answers it.
static bool check_sql(const reading *r, const deciding *x)
{
    for (ptrdiff_t i = 0; i < x->all.len; i++) {
        const candidate *k = &x->all.ptr[i];
        const file_column *c = k->column;
        bool is_gold =
            k->kind == FIELD_GOLD || (k->kind == FIELD_SQL && !x->is_pred_file);
        if (!field_is_sql(k->kind) || !is_read(r, c)) {
            continue;
        }
        if (c->has[TRAIT_TOKENS] > 0) {
            return diag_add(x->d, x->place,
                            "'%.*s' contains a query as a list of its words; "
                            "assay needs one text (join them with blanks)",
                            STR_ARG(c->path));
        }
        if (is_gold && c->has[TRAIT_ASKING] > 0) {
            return diag_add(x->d, x->place,
                            "'%.*s' is read as the gold, but %td of its %td "
                            "values contain%s a question instead of SQL: %.*s",
                            STR_ARG(c->path), c->has[TRAIT_ASKING], c->n,
                            c->has[TRAIT_ASKING] == 1 ? "s" : "",
                            STR_ARG(c->asking));
        }
    }
    return true;
}

// Bare lists: of texts, all of them SQL.
static bool check_bare_lists(const file_column *k, const deciding *x)
{
    if (k->has[TRAIT_TOKENS] > 0) {
        return diag_add(x->d, x->place,
                        "this is a query as a list of its words; assay needs "
                        "one text");
    }
    return k->has[TRAIT_MIXED] * 2 <= k->n
           || diag_add(x->d, x->place,
                       "lists of values without names; write objects, such as "
                       "{\"id\": ..., \"gold\": ...}");
}

bool reading_decide(reading *r,
                    arena *a,
                    const file_columns *c,
                    bool is_pred_file,
                    diag *d,
                    diag_place place,
                    arena scratch)
{
    *r = (reading){0};
    deciding x = {.c = c,
                  .is_pred_file = is_pred_file,
                  .d = d,
                  .place = place,
                  .scratch = scratch};
    for (ptrdiff_t i = 0; i < c->list.len; i++) {
        const file_column *k = &c->list.ptr[i];
        if (k->path.len == 0 && !check_bare_lists(k, &x)) {
            return false;
        }
        propose_named(&x, k);
    }
    propose_rest(&x);
    for (int kind = FIELD_NONE + 1; kind < FIELD_COUNT; kind++) {
        add_rows(r, a, &x, (field_kind)kind);
    }
    const candidate *id = best_of(&x, FIELD_ID);
    const candidate *gold = best_of(&x, FIELD_GOLD);
    gold = gold ? gold : best_of(&x, FIELD_SQL);
    const file_column *sql = gold ? gold->column : NULL;
    r->bare_is_pred = is_pred_file && !best_of(&x, FIELD_PRED);
    r->golds_are_sql = sql && sql->has[TRAIT_SQL] > 0
                       && sql->has[TRAIT_SQL] >= sql->has[TRAIT_TEXT];
    r->has_float_ids = is_floats(id ? id->column : &c->keys);
    r->has_weak_ids = id && id->rank >= FIELD_WEAK;
    r->has_format_ids = id && id->column->named.why == FIELD_BY_FORMAT;
    find_unused(r, a, &x);
    return check_figures(&x) && check_answer(&x) && check_spare(r, &x)
           && check_sql(r, &x);
}

void reading_say(const reading *r, buf *out)
{
    field_kind last = FIELD_NONE;
    for (ptrdiff_t i = 0; i < r->rows.len; i++) {
        const reading_row *row = &r->rows.ptr[i];
        if (row->kind != last || row->why == FIELD_BY_USER) {
            buf_printf(out, "%s%s=%.*s", i > 0 ? " " : "",
                       field_word(row->kind), STR_ARG(row->path));
        }
        last = row->kind;
    }
    if (r->unused.len > 0) {
        buf_add(out, r->rows.len > 0 ? S("; unused: ") : S("unused: "));
        add_names(out, &r->unused);
    }
}
