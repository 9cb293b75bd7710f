// pred_option.c - see pred_option.h.
#include "cli/pred_option.h"

#include "base/file.h"

pred_option pred_option_split(str text, arena scratch)
{
    str rest = text;
    str name = str_trim(str_cut(&rest, '='));
    bool is_named = rest.len > 0 && name.len > 0
                    && str_find(name, S("/"), 0) < 0
                    && !file_exists(arena_cstr(&scratch, text));
    return is_named ? (pred_option){name, rest} : (pred_option){.path = text};
}
