/*
 * verdict.c - verdicts, and the words for answers and reasons.
 *
 * Method      Words, groups and sentences are reason.def's rows; a search by
 *             word is a scan over them.
 */
#include "table/verdict.h"

#include "base/buf.h"
#include "base/words.h"

#include <assert.h>

static const reason_row reasons[] = {
    [REASON_NONE] = {{"", 0}, {"", 0}, {"", 0}},
#define REASON(constant, word, group, text) \
    [REASON_##constant] = {                 \
        {word, sizeof(word) - 1},           \
        {#group, sizeof(#group) - 1},       \
        {text, sizeof(text) - 1},           \
    },
#include "table/reason.def"
#undef REASON
};

_Static_assert(REASON_COUNT - NOTE_FIRST <= 64,
               "the notes of a verdict are 64 bits");

WORDS_OF(reason, reason, reasons)

static const class_row classes[] = {
    [CLASS_NONE] = {{"", 0}, {"", 0}, {{{0}}}},
#define CLASS(constant, word, text, y1, n1, y2, n2, y3, n3) \
    [CLASS_##constant] = {                                  \
        {word, sizeof(word) - 1},                           \
        {text, sizeof(text) - 1},                           \
        {{{y1, n1}, {y2, n2}, {y3, n3}}},                   \
    },
#include "table/verdict_class.def"
#undef CLASS
};

WORDS_OF(verdict_class, verdict_class, classes)

const class_row *verdict_class_of(verdict_class c)
{
    assert(c < CLASS_COUNT);
    return &classes[c];
}

people_counts verdict_class_people(verdict_class c)
{
    class_figures f = verdict_class_of(c)->people;
    people_counts all = {0};
    for (int i = 0; i < CLASS_SETS; i++) {
        all.yes += f.by_set[i].yes;
        all.no += f.by_set[i].no;
    }
    return all;
}

str class_set_name(int set)
{
    static const str names[CLASS_SETS] = {
        S_INIT("three earlier sets"),
        S_INIT("NL2SQL errors, Spider"),
        S_INIT("NL2SQL errors, BIRD"),
    };
    assert(set >= 0 && set < CLASS_SETS);
    return names[set];
}

const reason_row *reason_row_of(reason r)
{
    assert(r < REASON_COUNT);
    return &reasons[r];
}

bool reason_is_passing(reason r)
{
    return r == REASON_NO_DATABASE || r == REASON_CONNECTION_LOST
           || r == REASON_SERVER_BUSY;
}

static const struct {
    str word;
} answers[] = {
    [ANSWER_UNKNOWN] = {S_INIT("unknown")},
    [ANSWER_NO] = {S_INIT("no")},
    [ANSWER_YES] = {S_INIT("yes")},
};

WORDS_OF(answer, answer, answers)

verdict verdict_yes(void)
{
    return (verdict){.v = ANSWER_YES, .variant = -1, .distance = -1};
}

verdict verdict_no(reason r, str detail)
{
    assert(r != REASON_NONE && r < REASON_COUNT);
    return (verdict){.v = ANSWER_NO,
                     .reason = r,
                     .detail = detail,
                     .variant = -1,
                     .distance = -1};
}

verdict verdict_failed(reason r, str detail)
{
    bool says_nothing = str_equal(reason_row_of(r)->group, S("gold"))
                        || r == REASON_NOT_UNDERSTOOD
                        || r == REASON_NO_REFERENCE;
    return says_nothing ? verdict_unknown(r, detail) : verdict_no(r, detail);
}

verdict verdict_scored(verdict v, double score)
{
    v.has_score = true;
    v.score = score;
    return v;
}

verdict verdict_unknown(reason r, str detail)
{
    assert(r < REASON_COUNT);
    return (verdict){
        .reason = r, .detail = detail, .variant = -1, .distance = -1};
}

str verdict_take_parts(verdict *v,
                       const part_count *parts,
                       const str *words,
                       ptrdiff_t n,
                       arena *a)
{
    buf wrong = buf_new(a);
    verdict_part *out = arena_new(a, verdict_part, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        out[i] = (verdict_part){.word = words[i],
                                .is_right = part_is_right(parts[i]),
                                .in_gold = parts[i].gold > 0,
                                .in_pred = parts[i].pred > 0};
        if (!out[i].is_right) {
            buf_list(&wrong, words[i]);
        }
    }
    v->parts = out;
    v->n_parts = n;
    return buf_str(&wrong);
}
