// other_word.c - see other_word.h.
#include "cli/other_word.h"

#include "cli/opt.h"

typedef struct other_row {
    other_kind kind;
    str word;
    str ours;
} other_row;

static const other_row rows[] = {
#define OTHER(kind, word, ours) {OTHER_##kind, S_INIT(word), S_INIT(ours)},
#include "cli/other_word.def"
#undef OTHER
};

static char plain(char c)
{
    return c == '_' ? '-' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_word(str typed, str word)
{
    bool is_equal = typed.len == word.len;
    for (ptrdiff_t i = 0; is_equal && i < word.len; i++) {
        is_equal = plain(typed.ptr[i]) == word.ptr[i];
    }
    return is_equal;
}

// "--only" where the command takes it; "assay show ..." for that command.
static bool fits(str ours, command c)
{
    str first = str_cut(&ours, ' ');
    if (!str_starts(first, S("--"))) {
        return str_equal(str_cut(&ours, ' '), command_word(c));
    }
    return opt_named(c, str_skip(first, 2)) >= 0;
}

str other_word(other_kind kind, str word, command c)
{
    for (ptrdiff_t i = 0; i < countof(rows); i++) {
        const other_row *r = &rows[i];
        if (r->kind == kind && is_word(word, r->word)
            && (kind != OTHER_OPTION || fits(r->ours, c))) {
            return r->ours;
        }
    }
    return (str){0};
}
