// field_names.c - see field_names.h.
#include "cli/field_names.h"

bool field_names_read(const cli *c, field_aliases *out)
{
    const opt_values *words = opt_texts(c->o, OPT_FIELD);
    field_alias *list = arena_new(c->a, field_alias, words->len);
    for (ptrdiff_t i = 0; i < words->len; i++) {
        if (!field_alias_read(&list[i], words->ptr[i])) {
            cli_wrong_use(c,
                          "--field: expected FIELD=NAME with FIELD one of id, "
                          "db, question, gold, pred, category, hardness, "
                          "evidence; found '%.*s'",
                          STR_ARG(words->ptr[i]));
            return false;
        }
    }
    *out = (field_aliases){list, words->len};
    return true;
}
