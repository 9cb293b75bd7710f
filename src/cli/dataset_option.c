// dataset_option.c - see dataset_option.h.
#include "cli/dataset_option.h"

#include "cli/shard_option.h"

bool lint_writes_sarif(const opt *o)
{
    return o->command == COMMAND_LINT
           && str_equal(opt_text(o, OPT_FORMAT), S("sarif"));
}

dataset_options dataset_option(const cli *c)
{
    const str_list *words = opt_texts(c->o, OPT_FIELD);
    field_alias *list = arena_new(c->a, field_alias, words->len);
    dataset_options o = {.role = DATASET_GOLD,
                         .encoding = opt_text(c->o, OPT_ENCODING),
                         .names = {list, words->len}};
    for (ptrdiff_t i = 0; i < words->len; i++) {
        field_alias_read(&list[i], words->ptr[i]);
    }
    if (!lint_writes_sarif(c->o)) {
        dataset_format_from_word(opt_text(c->o, OPT_FORMAT), &o.format);
    }
    return o;
}

choice choice_option(const cli *c)
{
    const opt *o = c->o;
    const str_list *only = opt_texts(o, OPT_ONLY);
    return (choice){.shard = shard_option(c),
                    .limit = opt_has(o, OPT_LIMIT) ? opt_int(o, OPT_LIMIT) : -1,
                    .has_seed = opt_has(o, OPT_SEED),
                    .seed = opt_int(o, OPT_SEED),
                    .only = only->ptr,
                    .n_only = only->len};
}
