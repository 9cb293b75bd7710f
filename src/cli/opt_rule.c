// opt_rule.c - see opt_rule.h.
#include "cli/opt_rule.h"

#include "base/buf.h"

static const struct {
    uint32_t commands;
    str given;
    str lacks;
    str says;
} rules[] = {
#define RULE(who, given, lacks, text) \
    {who, S_INIT(given), S_INIT(lacks), S_INIT(text)},
#include "cli/opt_rule.def"
#undef RULE
};

static bool is_given(const opt *o, str name, str value)
{
    int id = opt_named(o->command, name);
    const str_list *values = id >= 0 ? &o->values[id] : &o->operands;
    str last = values->len > 0 ? values->ptr[values->len - 1] : (str){0};
    return str_equal(name, S("operand")) ? values->len > 0
           : id < 0                      ? false
           : value.len > 0               ? str_equal(last, value)
                                         : o->has[id];
}

// Is one of `a|b=value` given? `first` becomes the first that is.
static bool some_given(const opt *o, str either, str *first)
{
    bool some = false;
    while (either.len > 0 && !some) {
        str value = str_cut(&either, '|');
        str name = str_cut(&value, '=');
        some = is_given(o, name, value);
        *first = some && first->len == 0 ? name : *first;
    }
    return some;
}

// Are all the words given, or none of them?
static bool all_are(const opt *o, str words, bool given, str *first)
{
    bool all = true;
    while (words.len > 0) {
        all &= some_given(o, str_cut(&words, ' '), first) == given;
    }
    return all;
}

str opt_rule_broken(arena *a, const opt *o)
{
    for (ptrdiff_t i = 0; i < countof(rules); i++) {
        str first = {0};
        if ((rules[i].commands >> o->command & 1) != 0
            && all_are(o, rules[i].given, true, &first)
            && all_are(o, rules[i].lacks, false, &(str){0})) {
            return buf_replaced(a, rules[i].says, S("{}"), first);
        }
    }
    return (str){0};
}
