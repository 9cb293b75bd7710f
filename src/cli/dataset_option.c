// dataset_option.c - see dataset_option.h.
#include "cli/dataset_option.h"

#include "cli/lint_sarif.h"

bool dataset_option_format(const cli *c, str word, dataset_format *out)
{
    if (dataset_format_from_word(word, out)) {
        return true;
    }
    str known[FORMAT_COUNT];
    for (int f = 0; f < FORMAT_COUNT; f++) {
        known[f] = dataset_format_word((dataset_format)f);
    }
    str near = diag_nearest(word, known, FORMAT_COUNT, c->scratch);
    cli_wrong_use(c, "unknown format '%.*s'; %s%.*s%s", STR_ARG(word),
                  near.len ? "did you mean '" : "see assay help formats",
                  STR_ARG(near), near.len ? "'?" : "");
    return false;
}

static bool read_names(const cli *c, field_aliases *out)
{
    const str_list *words = opt_texts(c->o, OPT_FIELD);
    field_alias *list = arena_new(c->a, field_alias, words->len);
    for (ptrdiff_t i = 0; i < words->len; i++) {
        if (!field_alias_read(&list[i], words->ptr[i])) {
            arena scratch = c->scratch;
            buf known = buf_new(&scratch);
            for (int k = FIELD_NONE + 1; k < FIELD_COUNT; k++) {
                buf_printf(&known, "%s%s", k > FIELD_NONE + 1 ? ", " : "",
                           field_word((field_kind)k));
            }
            cli_wrong_use(c,
                          "--field: expected FIELD=NAME with FIELD one of "
                          "%.*s; found '%.*s'",
                          STR_ARG(buf_str(&known)), STR_ARG(words->ptr[i]));
            return false;
        }
    }
    *out = (field_aliases){list, words->len};
    return true;
}

bool dataset_option_read(const cli *c, dataset_options *out)
{
    str format =
        lint_writes_sarif(c->o) ? S("auto") : opt_text(c->o, OPT_FORMAT);
    out->encoding = opt_text(c->o, OPT_ENCODING);
    return dataset_option_format(c, format, &out->format)
           && read_names(c, &out->names);
}
