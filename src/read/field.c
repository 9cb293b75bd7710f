/*
 * field.c - what the name of a column or a JSON member means.
 *
 * Method      The name is reduced to lower-case letters and digits ("Gold SQL",
 *             "gold_sql" and "goldSql" are one name) and looked up in field.def
 *             by binary search, which a lint keeps sorted. A name without a row
 *             there may consist of words of field_word.def, or of one: one of
 *             them says whether it is right or a model's, another that it is
 *             SQL. Where none of several says SQL, what the members hold must
 *             (FIELD_WEAK).
 */
#include "read/field.h"

#include "base/words.h"

#include <stdlib.h>

typedef struct field_row {
    str name;
    field meaning;
} field_row;

static const field_row rows[] = {
#define FIELD(name, kind, rank) {S_INIT(name), {kind, rank, FIELD_BY_NAME}},
#include "read/field.def"
#undef FIELD
};

typedef enum word_kind {
    WORD_GOLD,
    WORD_PRED,
    WORD_SQL,
    WORD_TEXT,
    WORD_CODE,
    WORD_AS,
} word_kind;

typedef struct word_row {
    str word;
    word_kind kind;
    int rank;
    int alone;
} word_row;

enum {
    NONE = -1,
    LONGEST_NAME = 48,
    SURE_ROLE = 2,     // up to this rank `model_answer` is what the model gave
    ANSWER_RANK = 5,   // of such a name
    BARE_RANK = 4,     // of answer_sql, raw_output: as `answer` is
    BEHIND_RANK = 12,  // of sql_correct, which may say yes or no
};

static const word_row words[] = {
#define WORD(word, kind, rank, alone) {S_INIT(word), WORD_##kind, rank, alone},
#include "read/field_word.def"
#undef WORD
};

// The words of a name so far.
typedef struct name_words {
    int n;
    unsigned kinds;   // bits
    word_kind first;  // but for WORD_AS
    int rank;         // of the surest that says gold or prediction
    int alone;        // of the last, if there is no other
} name_words;

// Letters in lower case, digits and '#'; bytes beyond ASCII stay. 0 when the
// name is longer than any in the table.
static str plain_name(str name, char out[LONGEST_NAME])
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool counts =
            is_alpha(c) || is_digit(c) || c == '#' || (unsigned char)c >= 0x80;
        if (counts && n == LONGEST_NAME) {
            return (str){0};
        }
        if (counts) {
            out[n++] = to_lower(c);
        }
    }
    return (str){out, n};
}

static name_words with_word(name_words w, const word_row *row)
{
    bool is_role = row->kind == WORD_GOLD || row->kind == WORD_PRED;
    bool has_role = (w.kinds & (1U << WORD_GOLD | 1U << WORD_PRED)) != 0;
    bool is_first = (w.kinds & ~(1U << WORD_AS)) == 0;
    w.rank = is_role && (!has_role || row->rank < w.rank) ? row->rank : w.rank;
    w.first = is_first ? row->kind : w.first;
    w.kinds |= 1U << row->kind;
    w.alone = row->alone;
    w.n++;
    return w;
}

// What consists of words to its end; each of them may stand for several.
static bool read_words(str name, name_words so_far, name_words *out)
{
    bool is_read = name.len == 0 && so_far.n > 0;
    *out = so_far;
    for (ptrdiff_t i = 0; i < countof(words) && !is_read; i++) {
        const word_row *row = &words[i];
        str rest = str_skip(name, row->word.len);
        name_words with = with_word(so_far, row);
        is_read = str_starts(name, row->word)
                  && (read_words(rest, with, out)
                      || (str_starts(rest, S("s"))
                          && read_words(str_skip(rest, 1), with, out)));
    }
    return is_read;
}

static field meaning_of_words(const name_words *w)
{
    bool is_gold = (w->kinds & 1U << WORD_GOLD) != 0;
    bool is_pred = (w->kinds & 1U << WORD_PRED) != 0;
    bool is_sql = (w->kinds & 1U << WORD_SQL) != 0;
    bool is_text = (w->kinds & 1U << WORD_TEXT) != 0;
    bool is_code = (w->kinds & 1U << WORD_CODE) != 0;
    bool is_alone = w->n == 1;
    if ((is_gold && is_pred && w->first != WORD_GOLD)
        || (is_alone && w->alone == NONE)) {
        return (field){0};
    }
    if (!is_gold && !is_pred) {
        bool is_bare = is_sql || is_text || is_code;
        return (field){.kind = is_bare ? FIELD_SQL : FIELD_NONE,
                       .rank = is_alone ? w->alone : BARE_RANK};
    }
    bool is_behind =
        w->first == WORD_SQL || w->first == WORD_TEXT || w->first == WORD_CODE;
    bool is_answer = is_text && !is_gold && w->rank <= SURE_ROLE;
    int rank = is_alone             ? w->alone
               : is_behind          ? BEHIND_RANK
               : is_gold && is_pred ? FIELD_WEAK
               : is_sql             ? w->rank
               : is_answer          ? ANSWER_RANK
                                    : FIELD_WEAK;
    return (field){.kind = is_gold ? FIELD_GOLD : FIELD_PRED, .rank = rank};
}

static int by_name(const void *name, const void *row)
{
    return str_compare(*(const str *)name, ((const field_row *)row)->name);
}

field field_find(str name)
{
    char room[LONGEST_NAME];
    str plain = plain_name(name, room);
    const field_row *row =
        bsearch(&plain, rows, countof(rows), sizeof *rows, by_name);
    if (row) {
        return row->meaning;
    }
    name_words made_of = {0};
    return read_words(plain, made_of, &made_of) ? meaning_of_words(&made_of)
           : str_ends(plain, S("question"))
               ? (field){.kind = FIELD_QUESTION, .rank = FIELD_WEAK}
               : (field){0};
}

bool field_is_sql(field_kind kind)
{
    return kind == FIELD_GOLD || kind == FIELD_PRED || kind == FIELD_SQL;
}

bool field_is_said(field_kind kind)
{
    return field_is_sql(kind) || kind == FIELD_QUESTION;
}

bool field_is_figure(field_kind kind)
{
    return kind >= FIELD_TOKENS_IN && kind <= FIELD_LATENCY_S;
}

const char *field_word(field_kind kind)
{
    static const char *const kind_words[FIELD_COUNT] = {
        [FIELD_NONE] = "none",
        [FIELD_ID] = "id",
        [FIELD_DB] = "db",
        [FIELD_QUESTION] = "question",
        [FIELD_GOLD] = "gold",
        [FIELD_SQL] = "sql",
        [FIELD_PRED] = "pred",
        [FIELD_CATEGORY] = "category",
        [FIELD_HARDNESS] = "hardness",
        [FIELD_EVIDENCE] = "evidence",
        [FIELD_INTERACTION] = "interaction",
        [FIELD_TURN] = "turn",
        [FIELD_IMPOSSIBLE] = "impossible",
        [FIELD_ANSWERABLE] = "answerable",
        [FIELD_RESULT] = "gold_result",
        [FIELD_WHICH] = "condition_cols",
        [FIELD_ANY_ORDER] = "ignore_order",
        [FIELD_BEFORE] = "preprocess_sql",
        [FIELD_OF] = "of",
        [FIELD_TOKENS_IN] = "tokens_in",
        [FIELD_TOKENS_OUT] = "tokens_out",
        [FIELD_COST] = "cost",
        [FIELD_LATENCY_MS] = "latency_ms",
        [FIELD_CONFIDENCE] = "confidence",
        [FIELD_LATENCY_S] = "latency_s",
    };
    return kind_words[kind];
}

field field_find_in(field_aliases own, str name)
{
    ptrdiff_t i = words_of(own.ptr, own.n, name, name);
    return i < 0 ? field_find(name)
                 : (field){own.ptr[i].kind, FIELD_OWN, FIELD_BY_USER};
}

bool field_alias_read(field_alias *out, str text)
{
    str name = text;
    str word = str_cut(&name, '=');
    *out = (field_alias){name, field_find(word).kind, text};
    return name.len > 0 && out->kind != FIELD_NONE;
}
