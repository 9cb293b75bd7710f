/*
 * opt_value.c - see opt_value.h.
 *
 * Method      Of the rows for an option and a command, the first that lists
 *             words gives those of completion; the first that says something
 *             decides whether a value is right.
 */
#include "cli/opt_value.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/shard.h"
#include "cli/other_word.h"
#include "job/vocabulary.h"
#include "read/field.h"

static bool is_ves_runs(str text)
{
    int64_t n = 0;
    return str_to_int(text, &n) && (n == 0 || (n >= 2 && n <= 1000000));
}

static bool is_work(str text)
{
    int64_t n = 0;
    return str_among(text, "auto none") || (str_to_int(text, &n) && n >= 1);
}

static bool is_time(str text)
{
    return clock_parse(text, &(int64_t){0});
}

static bool is_shard(str text)
{
    return shard_parse(&(shard){0}, text);
}

static bool is_field(str text)
{
    return field_alias_read(&(field_alias){0}, text);
}

// One row: words, or a range where most > 0, or a function.
typedef struct value_rule {
    opt_id id;
    uint32_t commands;
    vocabulary words;
    str more;
    double least;
    double most;
    bool (*is_right)(str text);
    str says;
} value_rule;

static const value_rule rules[] = {
#define WORDS(option, who, list, more_words, text) \
    {.id = OPT_##option,                           \
     .commands = who,                              \
     .words = VOCABULARY_##list,                   \
     .more = S_INIT(more_words),                   \
     .says = S_INIT(text)},
#define RANGE(option, who, from, to, text) \
    {.id = OPT_##option,                   \
     .commands = who,                      \
     .least = from,                        \
     .most = to,                           \
     .says = S_INIT(text)},
#define VALUE(option, who, function, text) \
    {.id = OPT_##option,                   \
     .commands = who,                      \
     .is_right = function,                 \
     .says = S_INIT(text)},
#include "cli/opt_value.def"
#undef VALUE
#undef RANGE
#undef WORDS
};

void opt_value_split(str_list *list, arena *a, str words, char separator)
{
    while (words.len > 0) {
        str word = str_trim(str_cut(&words, separator));
        if (word.len > 0) {
            *vec_push(a, list) = word;
        }
    }
}

static str_list words_of(const value_rule *r, arena *a)
{
    str_list list = vocabulary_words(r->words, a);
    opt_value_split(&list, a, r->more, ' ');
    return list;
}

static bool is_for(const value_rule *r, opt_id id, command c)
{
    return r->id == id && (r->commands >> c & 1) != 0;
}

str_list opt_value_words(arena *a, opt_id id, command c)
{
    str_list list = {0};
    if (opt_spec_at(id)->kind == OPT_KIND_CHOICE) {
        opt_value_split(&list, a, opt_spec_at(id)->arg, '|');
    }
    for (ptrdiff_t i = 0; i < countof(rules) && list.len == 0; i++) {
        list = is_for(&rules[i], id, c) ? words_of(&rules[i], a) : list;
    }
    return list;
}

static bool accepts(const value_rule *r, str value, arena scratch)
{
    double number = 0;
    if (r->is_right || r->most > 0) {
        return r->is_right ? r->is_right(value)
                           : str_to_double(value, &number) && number >= r->least
                                 && number <= r->most;
    }
    return vocabulary_has(r->words, value, scratch)
           || str_among(value, r->more.ptr);
}

str opt_value_problem(arena *a, opt_id id, command c, str value)
{
    for (ptrdiff_t i = 0; i < countof(rules); i++) {
        const value_rule *r = &rules[i];
        if (!is_for(r, id, c) || r->says.len == 0) {
            continue;
        }
        if (accepts(r, value, *a)) {
            return (str){0};
        }
        str_list words = words_of(r, a);
        str near = id == OPT_METRICS
                       ? other_word(OTHER_METRIC, value, COMMAND_COUNT)
                       : (str){0};
        near =
            near.len > 0 ? near : diag_nearest(value, words.ptr, words.len, *a);
        str otherwise = r->says;
        str text = str_cut(&otherwise, '|');
        text = buf_replaced(a, text, S("{}"), value);
        return arena_printf(
            a, "%.*s%.*s", STR_ARG(text),
            STR_ARG(near.len > 0 ? diag_did_you_mean(a, near) : otherwise));
    }
    return (str){0};
}
