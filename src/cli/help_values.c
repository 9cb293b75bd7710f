// help_values.c - what may follow an option, from the tables that check it.
#include "cli/help.h"
#include "cli/opt_value.h"

// Does the value name a file or a folder?
static bool is_file(str arg)
{
    return str_among(arg, "FILE DIR SOURCE JOURNAL RUN.jsonl");
}

help_values help_values_of(arena *a, opt_id id)
{
    const opt_spec *spec = opt_spec_at(id);
    int c = 0;
    while (!opt_is_for(id, (command)c)) {
        c++;
    }
    str_list words = opt_value_words(a, id, (command)c);
    buf b = buf_new(a);
    for (ptrdiff_t i = 0; i < words.len; i++) {
        buf_add(&b, i > 0 ? S(" ") : S(""));
        buf_add(&b, words.ptr[i]);
    }
    return (help_values){
        .words = buf_str(&b),
        .kind = spec->kind == OPT_KIND_FLAG                    ? HELP_VALUE_NONE
                : words.len > 0 && spec->kind == OPT_KIND_LIST ? HELP_VALUE_LIST
                : words.len > 0                                ? HELP_VALUE_WORD
                : is_file(spec->arg) || id == OPT_PROMPT       ? HELP_VALUE_FILE
                                                         : HELP_VALUE_FREE,
    };
}
