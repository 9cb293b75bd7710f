/*
 * prompt.c - templates of prompts: read, and filled.
 *
 * Method      A template is a head of `key: value` lines, then sections, each
 *             below a line `--- NAME`, as slices of the text. prompt_fill
 *             copies a section in one pass and replaces each `{name}` of a
 *             known field; values are not looked at again, so that braces in a
 *             query or a question cannot be taken for fields. The built-in
 *             templates are compiled in from prompts/; their shots are up to
 *             five fixed examples [002 shots].
 *
 * Invariants  (1) A template that was read has a section "user", not empty.
 *             (2) The hash is that of the whole text: two versions of a
 *                 template are never taken for one in a record.
 *
 * Cost        linear in the text times the number of fields, some ten.
 */
#include "model/prompt.h"

#include "base/buf.h"
#include "base/embedded.h"
#include "base/file.h"
#include "base/words.h"

#include <assert.h>

extern const embedded_file prompt_files[];
extern const ptrdiff_t prompt_files_count;

static const str section_mark = S_INIT("--- ");

static str embedded_text(str name)
{
    for (ptrdiff_t i = 0; i < prompt_files_count; i++) {
        if (str_equal(str_from(prompt_files[i].name), name)) {
            return (str){prompt_files[i].bytes, prompt_files[i].size};
        }
    }
    return (str){0};
}

// A line `key: value` of the head.
static bool read_head(prompt *p, str line)
{
    str value = line;
    str key = str_trim(str_cut(&value, ':'));
    value = str_trim(value);
    if (str_equal(key, S("name"))) {
        p->name = value;
    } else if (str_equal(key, S("version"))) {
        p->version = value;
    } else if (str_equal(key, S("notion"))) {
        p->notion = value;
    } else if (str_equal(key, S("shots"))) {
        p->shots = value;
    } else {
        return key.len == 0 || key.ptr[0] == '#';
    }
    return true;
}

// Takes the body of a section: all up to the next mark.
static str take_body(str *rest, int64_t *lines)
{
    str all = *rest;
    while (rest->len > 0 && !str_starts(*rest, section_mark)) {
        str_cut(rest, '\n');
        (*lines)++;
    }
    return str_sub(all, 0, all.len - rest->len);
}

bool prompt_read(prompt *p, arena *a, str text, diag_place place, diag *d)
{
    *p = (prompt){
        .name = place.file,
        .version = S("1"),
        .notion = S("semantic"),
        .shots = S("none"),
    };
    p->hash = hash_bytes(text);
    str rest = text;
    place.line = 1;
    while (rest.len > 0 && !str_starts(rest, section_mark)) {
        str line = str_cut(&rest, '\n');
        if (!read_head(p, line)) {
            return diag_add(d, place,
                            "expected 'name:', 'version:', 'notion:', "
                            "'shots:' or '--- SECTION', found '%.*s'",
                            STR_ARG(str_sub(line, 0, 40)));
        }
        place.line++;
    }
    while (rest.len > 0) {
        str line = str_cut(&rest, '\n');
        place.line++;
        prompt_section s = {.name = str_trim(str_skip(line, section_mark.len))};
        s.text = take_body(&rest, &place.line);
        *vec_push(a, &p->sections) = s;
    }
    if (prompt_section_text(p, S("user")).len == 0) {
        place.line = 0;
        return diag_add(d, place, "the template has no section '--- user'");
    }
    return true;
}

bool prompt_open(prompt *p, arena *a, str name_or_path, diag *d)
{
    diag_place place = {.file = name_or_path};
    str text = embedded_text(name_or_path);
    if (text.len > 0) {
        return prompt_read(p, a, text, place, d);
    }
    if (!file_text(&text, a, name_or_path, d)) {
        return diag_add(d, (diag_place){0},
                        "a prompt is cot, miniature, explain, asked, "
                        "grounded, generate or a file");
    }
    return prompt_read(p, a, text, place, d);
}

str prompt_section_text(const prompt *p, str name)
{
    ptrdiff_t i = words_of(p->sections.ptr, p->sections.len, name, name);
    return i < 0 ? (str){0} : p->sections.ptr[i].text;
}

// The `{word}` at `i`, without braces; empty when there is none.
static str field_at(str text, ptrdiff_t i)
{
    assert(i >= 0 && i < text.len);
    ptrdiff_t end = i + 1;
    while (end < text.len
           && ((text.ptr[end] >= 'a' && text.ptr[end] <= 'z')
               || is_digit(text.ptr[end]) || text.ptr[end] == '_')) {
        end++;
    }
    bool is_field = text.ptr[i] == '{' && end > i + 1 && end < text.len
                    && text.ptr[end] == '}';
    return is_field ? str_sub(text, i + 1, end) : (str){0};
}

str prompt_fill(arena *a, str text, const prompt_field *fields, ptrdiff_t n)
{
    assert(n >= 0);
    buf b = buf_new(a);
    for (ptrdiff_t i = 0; i < text.len; i++) {
        str name = field_at(text, i);
        ptrdiff_t k = words_of(fields, n, name, name);
        if (k >= 0) {
            buf_add(&b, fields[k].value);
            i += name.len + 1;
        } else {
            buf_char(&b, text.ptr[i]);
        }
    }
    return buf_str(&b);
}

str prompt_unknown_field(const prompt *p, const str *known, ptrdiff_t n)
{
    for (ptrdiff_t s = 0; s < p->sections.len; s++) {
        str text = p->sections.ptr[s].text;
        for (ptrdiff_t i = 0; i < text.len; i++) {
            str name = field_at(text, i);
            if (name.len > 0 && words_in(known, n, name) < 0) {
                return name;
            }
        }
    }
    return (str){0};
}

// Takes the next section of the examples; empty when it has another name.
static str shot_part(str *rest, str name)
{
    int64_t lines = 0;
    str line = str_cut(rest, '\n');
    str body = str_trim(take_body(rest, &lines));
    bool is_it = str_equal(str_trim(str_skip(line, section_mark.len)), name);
    return is_it ? body : (str){0};
}

str prompt_shots(const prompt *p, arena *a, ptrdiff_t n)
{
    static const str parts[] = {S_INIT("q1"), S_INIT("q2"), S_INIT("reason"),
                                S_INIT("decision")};
    str rest = embedded_text(arena_printf(a, "shots_%.*s", STR_ARG(p->shots)));
    str form = prompt_section_text(p, S("shot"));
    buf all = buf_new(a);
    for (ptrdiff_t i = 0; i < n && rest.len > 0; i++) {
        prompt_field fields[countof(parts)];
        for (ptrdiff_t k = 0; k < countof(parts); k++) {
            fields[k] = (prompt_field){parts[k], shot_part(&rest, parts[k])};
        }
        buf_add(&all, prompt_fill(a, form, fields, countof(fields)));
    }
    return buf_str(&all);
}
