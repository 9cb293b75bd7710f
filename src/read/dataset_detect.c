/*
 * dataset_detect.c - which format a file is in, by what is in it.
 *
 * Method      A first byte of { or [ with the right thing after it is JSON; a
 *             first row of known column names is CSV; all else is text with
 *             one SQL a line, or over several where semicolons end statements;
 *             a list that begins with "- name:" is YAML.
 *             Text has a column of databases when most lines
 *             end in a TAB and one word. The name of the file says nothing:
 *             inference results are called .json and are JSON lines, gold is
 *             called .sql and has TABs.
 */
#include "read/extract_scan.h"
#include "read/json_scan.h"
#include "read/reader.h"

enum {
    LINES_LOOKED_AT = 1000
};

static bool looks_like_json(str text)
{
    char first = text.ptr[0];
    ptrdiff_t next = json_scan_space(text, 1);
    char second = next < text.len ? text.ptr[next] : '\0';
    if (first == '{') {
        return second == '"' || second == '}';
    }
    // [SQL] and [Answer] begin an answer, not a list.
    return first == '['
           && (second == '{' || second == '"' || second == '[' || second == ']'
               || second == ',' || str_starts(str_skip(text, next), S("null")));
}

// The first record of a JSON file, as bytes; empty when there is none.
static str first_record(str text)
{
    ptrdiff_t at = 0;
    while (at < text.len
           && (is_space(text.ptr[at]) || text.ptr[at] == '['
               || text.ptr[at] == ',')) {
        at++;
    }
    if (at == text.len || text.ptr[at] == ']') {
        return (str){0};
    }
    ptrdiff_t end = json_scan_value(text, at, NULL);
    return end < 0 ? (str){0} : str_sub(text, at, end);
}

bool reader_is_db_name(str s)
{
    s = str_trim(s);
    for (ptrdiff_t i = 0; i < s.len; i++) {
        if (is_space(s.ptr[i])) {
            return false;
        }
    }
    return s.len > 0 && s.len <= 200;
}

str reader_last_field(str line)
{
    ptrdiff_t i = line.len;
    while (i > 0 && line.ptr[i - 1] != '\t') {
        i--;
    }
    return i > 0 ? str_skip(line, i) : (str){0};
}

// Statements over several lines: each begins where one has ended, the last one
// ends too, and some lines only go on. A line without SQL after a semicolon is
// prose or a prediction that failed: then each line stands for itself.
static bool are_statements(str text)
{
    ptrdiff_t n_begun = 0;  // lines that begin with SQL inside a statement
    ptrdiff_t n_more = 0;   // lines that do not
    bool has_ended = true;
    while (text.ptr) {
        str line = str_trim(str_cut(&text, '\n'));
        if (line.len == 0 || str_starts(line, S("--"))) {
            continue;
        }
        bool begins = extract_starts_sql(line);
        if (has_ended && !begins) {
            return false;
        }
        n_begun += !has_ended && begins;
        n_more += !has_ended && !begins;
        has_ended = str_ends(line, S(";"));
    }
    return has_ended && n_more > 0 && n_begun <= n_more;
}

// "name: value", or "name:" at the end of the line; *has_value says which.
static bool is_yaml_member(str line, bool *has_value)
{
    ptrdiff_t n = 0;
    while (n < line.len && (is_alpha(line.ptr[n]) || line.ptr[n] == '_')) {
        n++;
    }
    *has_value = n + 1 < line.len;
    return n > 0 && n < line.len && line.ptr[n] == ':'
           && (!*has_value || is_space(line.ptr[n + 1]));
}

// A list whose first item has a member, "- id: 7", after comments, a line "---"
// or the name of the list.
static bool looks_like_yaml(str text)
{
    bool was_named = false;
    while (text.ptr) {
        str line = str_trim(str_cut(&text, '\n'));
        if (line.len == 0 || line.ptr[0] == '#' || str_equal(line, S("---"))) {
            continue;
        }
        bool has_value = false;
        if (str_starts(line, S("- "))) {
            return is_yaml_member(str_trim(str_skip(line, 2)), &has_value);
        }
        if (was_named || !is_yaml_member(line, &has_value) || has_value) {
            return false;
        }
        was_named = true;
    }
    return false;
}

static dataset_format detect_text(const dataset *set, str text, diag *d)
{
    str whole = text;
    ptrdiff_t n = 0;
    ptrdiff_t with_db = 0;
    bool has_sql = false;
    while (text.ptr && n < LINES_LOOKED_AT) {
        str line = str_trim(str_cut(&text, '\n'));
        n += line.len > 0 ? 1 : 0;
        with_db += reader_is_db_name(reader_last_field(line)) ? 1 : 0;
        has_sql = has_sql || extract_starts_sql(line);
    }
    if (with_db * 2 > n) {
        return FORMAT_SPIDER_TEXT;
    }
    if (are_statements(whole)) {
        return FORMAT_STATEMENTS;
    }
    if (has_sql || set->role == DATASET_PRED) {
        return FORMAT_LINES;
    }
    diag_add(d, (diag_place){.file = set->file.path},
             "assay does not recognise this data set: it is neither JSON nor "
             "CSV with "
             "known column names, and no line of it begins with SQL; "
             "see 'assay help formats', or name the format with --format");
    return FORMAT_COUNT;
}

dataset_format reader_detect(const dataset *set, diag *d, arena scratch)
{
    str text = str_skip(set->file.bytes, reader_start(set));
    text = str_skip(text, json_scan_space(text, 0));
    if (looks_like_json(text)) {
        return reader_json_format(first_record(text));
    }
    dataset_format csv =
        reader_csv_format(text, set->role, set->names, scratch);
    if (csv != FORMAT_COUNT) {
        return csv;
    }
    return looks_like_yaml(text) ? FORMAT_YAML : detect_text(set, text, d);
}
