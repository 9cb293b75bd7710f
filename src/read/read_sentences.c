/*
 * read_sentences.c - see read_sentences.h.
 *
 * Method      A variable is a word of the text and of the SQL, also inside of
 *             quotes. Its value is the sentence's, else the example of the
 *             record. All texts under `sql` are accepted golds.
 */
#include "read/read_sentences.h"

#include "base/json_write.h"
#include "read/json_scan.h"

static bool is_word(char c)
{
    return is_alpha(c) || is_digit(c) || c == '_';
}

// The value of a variable; empty: `name` is none.
static str value_of(const json *record, const json *sentence, str name)
{
    const json *own = json_get(json_get(sentence, S("variables")), name);
    if (own) {
        return own->text;
    }
    const json *list = json_get(record, S("variables"));
    for (const json *v = list ? list->child : NULL; v; v = v->next) {
        if (str_equal(json_get_text(v, S("name")), name)) {
            return json_get_text(v, S("example"));
        }
    }
    return (str){0};
}

static str filled_in(const json *record,
                     const json *sentence,
                     str text,
                     arena *a)
{
    buf out = buf_new(a);
    for (ptrdiff_t i = 0; i < text.len;) {
        ptrdiff_t end = str_run(text, i, is_word);
        str word = str_sub(text, i, end > i ? end : i + 1);
        str value = end > i ? value_of(record, sentence, word) : (str){0};
        buf_add(&out, value.len > 0 ? value : word);
        i += word.len;
    }
    return buf_str(&out);
}

static void add_case(buf *out,
                     const json *record,
                     const json *sentence,
                     arena scratch)
{
    buf_char(out, '{');
    str question = json_get_text(sentence, S("text"));
    json_write(out,
               member_text(S("question"),
                           filled_in(record, sentence, question, &scratch)),
               member_open(S("gold"), '['));
    for (const json *sql = json_get(record, S("sql"))->child; sql;
         sql = sql->next) {
        json_write(out,
                   json_text(filled_in(record, sentence, sql->text, &scratch)));
    }
    buf_add(out, S("]}\n"));
}

static bool is_such(const json *record)
{
    const json *sentences = json_get(record, S("sentences"));
    const json *sql = json_get(record, S("sql"));
    return sentences && sentences->kind == JSON_KIND_ARRAY && sentences->child
           && json_get(sentences->child, S("text")) && sql
           && sql->kind == JSON_KIND_ARRAY;
}

str read_sentences(str object, arena *a, arena scratch)
{
    buf out = buf_new(a);
    bool may_be = str_starts(json_scan_get(object, S("sentences")), S("["))
                  && str_starts(json_scan_get(object, S("sql")), S("["));
    const json *record = may_be ? json_parse(&scratch, object, NULL) : NULL;
    bool is_one = record && is_such(record);
    for (const json *s = is_one ? json_children(record, S("sentences")) : NULL;
         s; s = s->next) {
        add_case(&out, record, s, scratch);
    }
    return buf_str(&out);
}
