// pragmatic_cue.c - see pragmatic_cue.h: a few words, and the names of columns.
#include "metric/pragmatic_cue.h"

// The next run of letters and digits; empty: there is none.
static str next_word(str *rest)
{
    while (rest->len > 0 && !is_alpha(rest->ptr[0])
           && !is_digit(rest->ptr[0])) {
        *rest = str_skip(*rest, 1);
    }
    ptrdiff_t n = 0;
    while (n < rest->len
           && (is_alpha(rest->ptr[n]) || is_digit(rest->ptr[n]))) {
        n++;
    }
    str word = str_sub(*rest, 0, n);
    *rest = str_skip(*rest, n);
    return word;
}

// Is there the word, or its plural?
static bool has_word(str question, str word)
{
    for (str w = next_word(&question); w.len > 0; w = next_word(&question)) {
        if (str_starts_fold(w, word) && w.len <= word.len + 2) {
            return true;
        }
    }
    return false;
}

static str column_name(const schema *s, const intent_output *o)
{
    return s->tables[o->table].columns[o->column].name;
}

static bool is_name(const schema *s, const intent_output *o)
{
    return o->table >= 0 && str_find_fold(column_name(s, o), S("name"), 0) >= 0;
}

bool cue_wants_name(str question,
                    const schema *s,
                    const intent_output *gold,
                    const intent_output *pred)
{
    return is_name(s, gold) && !is_name(s, pred)
           && (has_word(question, S("name")) || has_word(question, S("who")));
}

static bool asks_for_number(str question)
{
    static const str words[] = {
        S_INIT("many"),  S_INIT("number"), S_INIT("count"), S_INIT("total"),
        S_INIT("often"), S_INIT("times"),  S_INIT("much")};
    bool found = false;
    for (ptrdiff_t i = 0; !found && i < countof(words); i++) {
        found = has_word(question, words[i]);
    }
    return found;
}

bool cue_asks_for(str question, const schema *s, const intent_output *shown)
{
    if (question.len == 0) {
        return true;
    }
    if (shown->table < 0) {
        return !str_equal(shown->text, S("count")) || asks_for_number(question);
    }
    str rest = column_name(s, shown);
    bool found = false;
    for (str w = next_word(&rest); w.len > 0 && !found; w = next_word(&rest)) {
        found = has_word(question, w);
    }
    return found;
}
