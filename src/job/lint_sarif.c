/*
 * lint_sarif.c - see lint_sarif.h.
 *
 * Method      A rule a kind of finding, a result a finding. The fingerprint is
 *             made of case and kind, not of the place: a finding stays the same
 *             one when lines move.
 */
#include "job/lint_sarif.h"

#include "base/hash.h"
#include "base/json_write.h"
#include "base/utf8.h"
#include "base/version.h"

lint_sarif lint_sarif_new(arena *a, str file, str bytes)
{
    return (lint_sarif){
        .file = file, .bytes = bytes, .results = buf_new(a), .line = 1};
}

static void seek(lint_sarif *s, int64_t line)
{
    if (line < s->line) {
        s->line = 1;
        s->offset = 0;
    }
    while (s->line < line) {
        ptrdiff_t end = str_find(s->bytes, S("\n"), s->offset);
        if (end < 0) {
            return;
        }
        s->offset = end + 1;
        s->line++;
    }
}

// A gold as JSON writes it: what has no escapes is the same.
static ptrdiff_t find_gold(const lint_sarif *s, str gold)
{
    enum {
        FAR = 1 << 16  // no record is looked through further than this
    };
    str near = str_sub(s->bytes, 0, s->offset + FAR + gold.len);
    return gold.len > 0 ? str_find(near, gold, s->offset) : -1;
}

lint_place lint_sarif_locate(lint_sarif *s, int64_t line, str gold)
{
    seek(s, line);
    ptrdiff_t at = find_gold(s, gold);
    if (at < 0) {
        return (lint_place){.line = line > 0 ? line : 1};
    }
    lint_place place = {.line = s->line};
    ptrdiff_t start = s->offset;
    for (ptrdiff_t end = str_find(s->bytes, S("\n"), start);
         end >= 0 && end < at; end = str_find(s->bytes, S("\n"), start)) {
        start = end + 1;
        place.line++;
    }
    place.column = utf8_count(str_sub(s->bytes, start, at)) + 1;
    return place;
}

// A path as a URI: relative where it is.
static str uri_of(arena *a, str path)
{
    buf b = buf_new(a);
    buf_add(&b, str_starts(path, S("/")) ? S("file://") : S(""));
    for (ptrdiff_t i = 0; i < path.len; i++) {
        char c = path.ptr[i];
        bool is_plain = is_alpha(c) || is_digit(c) || c == '/' || c == '.'
                        || c == '-' || c == '_' || c == '~';
        buf_printf(&b, is_plain ? "%c" : "%%%02X", (unsigned char)c);
    }
    return buf_str(&b);
}

void lint_sarif_add(lint_sarif *s,
                    lint_id id,
                    lint_place place,
                    str case_id,
                    str message)
{
    buf *b = &s->results;
    char hex[17];
    hash64_hex(hash_mix(hash64(case_id), hash64(lint_word(id))), hex);
    buf_add(b, b->len > 0 ? S(",\n{") : S("\n{"));
    json_write(
        b, member_text(S("ruleId"), lint_word(id)),
        member_int(S("ruleIndex"), id),
        member_text(S("level"), lint_level_word(lint_level_of(id))),
        member_open(S("message"), '{'), member_text(S("text"), message),
        json_end("}"), member_open(S("locations"), '['), json_begin('{'),
        member_open(S("physicalLocation"), '{'),
        member_open(S("artifactLocation"), '{'),
        member_text(S("uri"), uri_of(b->a, s->file)), json_end("}"),
        member_open(S("region"), '{'), member_int(S("startLine"), place.line),
        member_if(place.column > 0, member_int(S("startColumn"), place.column)),
        json_end("}}}]"), member_open(S("partialFingerprints"), '{'),
        member_text(S("caseAndFinding/v1"), str_from(hex)), json_end("}}"));
}

static void add_rules(buf *b)
{
    json_write(b, member_open(S("rules"), '['));
    for (int id = 0; id < LINT_COUNT; id++) {
        buf_add(b, id > 0 ? S(",\n{") : S("\n{"));
        json_write(b, member_text(S("id"), lint_word((lint_id)id)),
                   member_open(S("shortDescription"), '{'),
                   member_text(S("text"), lint_text((lint_id)id)),
                   json_end("}"), member_open(S("defaultConfiguration"), '{'),
                   member_text(S("level"),
                               lint_level_word(lint_level_of((lint_id)id))),
                   json_end("}}"));
    }
    buf_char(b, ']');
}

str lint_sarif_end(const lint_sarif *s, arena *a)
{
    buf b = buf_new(a);
    json_write(&b, json_begin('{'),
               member_text(S("$schema"),
                           S("https://json.schemastore.org/sarif-2.1.0.json")),
               member_text(S("version"), S("2.1.0")),
               member_open(S("runs"), '['), json_begin('{'),
               member_open(S("tool"), '{'), member_open(S("driver"), '{'),
               member_text(S("name"), S("assay")),
               member_text(S("version"), version_text()));
    add_rules(&b);
    json_write(&b, json_end("}}"),
               member_text(S("columnKind"), S("unicodeCodePoints")),
               member_open(S("results"), '['));
    buf_add(&b, buf_str(&s->results));
    buf_add(&b, S("]}]}\n"));
    return buf_str(&b);
}
