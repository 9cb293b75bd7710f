// opt.c - the options as a table, and the values that were given (opt.h).
#include "cli/opt.h"

#include <assert.h>

// Short names for the columns of the table.
enum {
    REPEATS = OPT_REPEATS,
    MANY = OPT_REPEATS | OPT_MANY,
};

static const opt_spec specs[] = {
#define OPT(constant, long, short, arg, kind, flags, who, group, fallback, t) \
    [OPT_##constant] = {{long, sizeof(long) - 1},                             \
                        short,                                                \
                        {arg, sizeof(arg) - 1},                               \
                        OPT_KIND_##kind,                                      \
                        flags,                                                \
                        who,                                                  \
                        OPT_GROUP_##group,                                    \
                        {fallback, sizeof(fallback) - 1},                     \
                        {t, sizeof(t) - 1}},
#include "cli/opt.def"
#undef OPT
};

_Static_assert(countof(specs) == OPT_COUNT, "every option has a line");

const opt_spec *opt_spec_at(opt_id id)
{
    assert(id < OPT_COUNT);
    return &specs[id];
}

bool opt_is_for(opt_id id, command c)
{
    return (specs[id].commands >> c & 1) != 0;
}

int opt_named(command c, str name)
{
    int id = 0;
    while (id < OPT_COUNT
           && !(opt_is_for((opt_id)id, c) && str_equal(specs[id].name, name))) {
        id++;
    }
    return id < OPT_COUNT ? id : -1;
}

int opt_lettered(command c, char letter)
{
    for (int id = 0; id < OPT_COUNT; id++) {
        if (opt_is_for((opt_id)id, c) && specs[id].letter == letter) {
            return id;
        }
    }
    return -1;
}

bool opt_has(const opt *o, opt_id id)
{
    assert(id < OPT_COUNT);
    return o->has[id];
}

bool opt_flag(const opt *o, opt_id id)
{
    assert(specs[id].kind == OPT_KIND_FLAG);
    return o->has[id];
}

static str last_value(const opt *o, opt_id id)
{
    const str_list *values = &o->values[id];
    return values->len > 0 ? values->ptr[values->len - 1] : (str){0};
}

str opt_text(const opt *o, opt_id id)
{
    assert(specs[id].kind == OPT_KIND_TEXT
           || specs[id].kind == OPT_KIND_CHOICE);
    return last_value(o, id);
}

bool opt_is(const opt *o, opt_id id, str word)
{
    assert(specs[id].kind == OPT_KIND_CHOICE);
    return str_equal(last_value(o, id), word);
}

int64_t opt_int(const opt *o, opt_id id)
{
    assert(specs[id].kind == OPT_KIND_INT);
    int64_t value = 0;
    (void)str_to_int(last_value(o, id), &value);
    return value;
}

double opt_double(const opt *o, opt_id id)
{
    assert(specs[id].kind == OPT_KIND_NUMBER || specs[id].kind == OPT_KIND_INT);
    double value = 0;
    (void)str_to_double(last_value(o, id), &value);
    return value;
}

const str_list *opt_texts(const opt *o, opt_id id)
{
    assert(specs[id].kind != OPT_KIND_FLAG);
    return &o->values[id];
}
