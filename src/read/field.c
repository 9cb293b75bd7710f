/*
 * field.c - what the name of a column or a JSON member means: field.def.
 *
 * Method      The name is reduced to lower-case letters and digits ("Gold SQL",
 *             "gold_sql" and "goldSql" are one name) and looked up by binary
 *             search. field.def is sorted by the reduced name; t_field checks
 *             that.
 */
#include "read/field.h"

typedef struct field_row {
    str name;
    field meaning;
} field_row;

static const field_row rows[] = {
#define FIELD(name, kind, rank) {S_INIT(name), {kind, rank}},
#include "read/field.def"
#undef FIELD
};

enum {
    LONGEST_NAME = 32
};

// Letters in lower case, digits and '#'; bytes beyond ASCII stay. 0 when the
// name is longer than any in the table.
static str plain_name(str name, char out[LONGEST_NAME])
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool counts =
            is_alpha(c) || is_digit(c) || c == '#' || (unsigned char)c >= 0x80;
        if (counts && n == LONGEST_NAME) {
            return (str){0};
        }
        if (counts) {
            out[n++] = to_lower(c);
        }
    }
    return (str){out, n};
}

field field_find(str name)
{
    char room[LONGEST_NAME];
    str plain = plain_name(name, room);
    ptrdiff_t low = 0;
    ptrdiff_t high = countof(rows);
    while (low < high) {
        ptrdiff_t middle = low + (high - low) / 2;
        int order = str_compare(plain, rows[middle].name);
        if (order == 0) {
            return rows[middle].meaning;
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return (field){FIELD_NONE, 0};
}

bool field_is_figure(field_kind kind)
{
    return kind >= FIELD_TOKENS_IN && kind <= FIELD_LATENCY_S;
}

const char *field_word(field_kind kind)
{
    static const char *const words[FIELD_COUNT] = {
        [FIELD_NONE] = "none",
        [FIELD_ID] = "id",
        [FIELD_DB] = "db",
        [FIELD_QUESTION] = "question",
        [FIELD_GOLD] = "gold",
        [FIELD_SQL] = "sql",
        [FIELD_PRED] = "pred",
        [FIELD_CATEGORY] = "category",
        [FIELD_HARDNESS] = "hardness",
        [FIELD_EVIDENCE] = "evidence",
        [FIELD_INTERACTION] = "interaction",
        [FIELD_TURN] = "turn",
        [FIELD_IMPOSSIBLE] = "impossible",
        [FIELD_ANSWERABLE] = "answerable",
        [FIELD_RESULT] = "gold_result",
        [FIELD_WHICH] = "condition_cols",
        [FIELD_ANY_ORDER] = "ignore_order",
        [FIELD_BEFORE] = "preprocess_sql",
        [FIELD_OF] = "of",
        [FIELD_TOKENS_IN] = "tokens_in",
        [FIELD_TOKENS_OUT] = "tokens_out",
        [FIELD_COST] = "cost",
        [FIELD_LATENCY_MS] = "latency_ms",
        [FIELD_CONFIDENCE] = "confidence",
        [FIELD_LATENCY_S] = "latency_s",
    };
    return words[kind];
}

field field_find_in(field_aliases own, str name)
{
    for (ptrdiff_t i = 0; i < own.n; i++) {
        if (str_equal(name, own.ptr[i].name)) {
            return (field){own.ptr[i].kind, FIELD_OWN};
        }
    }
    return field_find(name);
}

bool field_alias_read(field_alias *out, str text)
{
    str name = text;
    str word = str_cut(&name, '=');
    *out = (field_alias){name, field_find(word).kind, text};
    return name.len > 0 && out->kind != FIELD_NONE;
}
