/*
 * dataset_detect.c - which format a file is in, by what is in it.
 *
 * Method      A first byte of { or [ with the right thing after it is JSON; a
 *             first row of known column names is CSV; all else is text with
 *             one SQL a line, or over several where semicolons end statements;
 *             lines that are members and their parts are YAML. Where most lines
 *             do not begin with SQL the file is none of SQL, unless a model
 *             wrote them.
 *             Text has a column of databases when most lines
 *             end in a TAB and one word. The name of the file says nothing:
 *             inference results are called .json and are JSON lines, gold is
 *             called .sql and has TABs.
 */
#include "base/utf8.h"
#include "read/abstention.h"
#include "read/extract.h"
#include "read/extract_end.h"
#include "read/extract_line.h"
#include "read/extract_scan.h"
#include "read/file_layout.h"
#include "read/json_scan.h"
#include "read/reader.h"
#include "read/shape.h"

#include <string.h>

enum {
    LINES_LOOKED_AT = 1000,
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
    json_member m = {.value = text};
    ptrdiff_t at = 1;
    while (str_starts(m.value, S("[")) && json_scan_member(m.value, &at, &m)) {
        at = 1;
    }
    ptrdiff_t end = m.value.len > 0 ? json_scan_value(m.value, 0, NULL) : -1;
    return end < 0 ? (str){0} : str_sub(m.value, 0, end);
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

static bool is_figure(str word)
{
    return str_to_double(word, NULL) && !str_to_int(word, NULL);
}

reader_line reader_line_of(str line)
{
    reader_line l = {.sql = str_trim(line)};
    bool goes_on = true;
    while (goes_on) {
        str last = str_trim(str_last(l.sql, '\t'));
        bool is_score = l.figure.len == 0 && is_figure(last);
        bool is_db = l.db.len == 0 && reader_is_db_name(last);
        goes_on = last.len < l.sql.len && (is_score || is_db);
        if (goes_on) {
            *(is_score ? &l.figure : &l.db) = last;
            l.sql = str_trim(str_sub(l.sql, 0, last.ptr - l.sql.ptr));
        }
    }
    return l;
}

// Statements over several lines: each begins where one has ended, the last one
// ends too, and some lines only go on. A line without SQL after a semicolon is
// prose or a prediction that failed: then each line stands for itself. Where
// most of them begin with SQL, as in WITH a AS (, the parser must read it all.
static bool are_statements(str text, arena scratch)
{
    str all = text;
    ptrdiff_t n_begun = 0;  // lines that begin with SQL inside a statement
    ptrdiff_t n_more = 0;   // lines that do not
    bool has_ended = true;
    while (text.ptr) {
        str note = str_sub(text, 0, extract_skip(text, 0));
        text = str_skip(text, note.len);
        // A comment over several lines, too, says that lines are no unit.
        note = str_sub(note, str_find_end(note, S("/*"), 0),
                       str_find_end(note, S("*/"), 0));
        n_more += str_find(note, S("\n"), 0) >= 0;
        str line = str_trim(str_cut(&text, '\n'));
        if (line.len == 0) {
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
    return has_ended && n_more > 0
           && (n_begun <= n_more || extract_is_whole(all, scratch));
}

// The name in "name: value", or in "name:" at the end of the line; empty: it is
// no such line.
static str yaml_name(str line)
{
    char first = line.len > 0 ? line.ptr[0] : '\0';
    bool is_quoted = first == '"' || first == '\'';
    ptrdiff_t n = is_quoted;
    for (; n < line.len; n++) {
        char c = line.ptr[n];
        if (!is_alpha(c) && !is_digit(c) && !memchr("_-.", c, 3)
            && (unsigned char)c < 0x80) {
            break;
        }
    }
    str name = str_sub(line, 0, n);
    str rest = str_skip(line, n);
    rest = str_skip(rest, is_quoted && str_starts(rest, str_sub(line, 0, 1)));
    bool is_name =
        str_starts(rest, S(":")) && (rest.len == 1 || is_space(rest.ptr[1]));
    return is_name ? name : (str){0};
}

// Does YAML read less than the line says? `q1: SELECT ' #1'` ends at the sign,
// and a colon behind the first is refused.
static bool yaml_cuts(str value)
{
    bool is_plain = value.len > 0 && !strchr("\"'|>", value.ptr[0]);
    return is_plain
           && (str_find(value, S(" #"), 0) >= 0
               || str_find(value, S("\t#"), 0) >= 0
               || str_find(value, S(": "), 0) >= 0);
}

// What the lines of a text are, blank ones and comments left out.
typedef struct line_count {
    ptrdiff_t all;
    ptrdiff_t sql;      // begin as SQL, after the mark of a list
    ptrdiff_t with_db;  // end in a TAB and a word
    ptrdiff_t members;  // of YAML
    str first;          // the name of the first of them
    ptrdiff_t again;    // that have its name
    ptrdiff_t deeper;   // indented, or an item of a list
    ptrdiff_t marked;   // begin with a bracket, or a mark of Markdown
    str odd;            // the first that is no SQL
    str cut;            // the first member of which YAML reads less
    bool begins_yaml;
} line_count;

static bool is_item(str line)
{
    return str_starts(line, S("- ")) || str_equal(line, S("-"));
}

static void count_line(line_count *n, str raw, arena scratch)
{
    str note = {0};
    str line = str_trim(raw);
    str rest = line;
    bool is_yaml_mark = str_equal(line, S("---")) || str_starts(line, S("#"));
    if (line.len == 0 || extract_skip(line, 0) == line.len || is_yaml_mark
        || abstention_is_word(str_cut(&rest, '\t'))) {
        n->marked += str_starts(line, S("#"));
        return;
    }
    bool is_wrapped = line.ptr[0] == '`' || line.ptr[0] == '<';
    bool is_sql =
        extract_starts_sql(is_wrapped ? extract_sql(&scratch, line, &note)
                                      : line_without_mark(line));
    str item = is_item(line) ? str_trim(str_skip(line, 1)) : line;
    str name = yaml_name(item);
    bool is_member =
        name.len > 0 || (is_item(line) && str_starts(item, S("{")));
    str value = str_skip(item, str_find(item, S(":"), name.len) + 1);
    n->first = n->members == 0 ? name : n->first;
    n->again += is_member && str_equal(name, n->first);
    if (n->all++ == 0) {
        n->begins_yaml = is_member && (is_item(line) || !is_space(raw.ptr[0]));
    }
    n->sql += is_sql;
    n->with_db += reader_line_of(line).sql.len < line.len;
    n->members += is_member;
    n->cut = is_member && n->cut.len == 0 && yaml_cuts(str_trim(value))
                 ? line
                 : n->cut;
    n->deeper += is_space(raw.ptr[0]) || is_item(line);
    n->marked += !is_sql && memchr("{[(|<`", line.ptr[0], 6);
    n->odd = is_sql || n->odd.len > 0 ? n->odd : line;
}

static line_count count_lines(str text, arena scratch)
{
    line_count n = {0};
    while (text.ptr && n.all < LINES_LOOKED_AT) {
        count_line(&n, str_cut(&text, '\n'), scratch);
    }
    return n;
}

// Members from the first line on, most lines members or part of one, and at
// least one of them deeper than the first; or members alone, each with a name
// of its own, whose values are read whole.
static bool looks_like_yaml(const line_count *n)
{
    bool is_map =
        n->members == n->all && n->all > 1 && n->again == 1 && n->cut.len == 0;
    return n->begins_yaml
           && (is_map
               || (n->deeper > 0 && (n->members + n->deeper) * 5 > n->all * 4));
}

static dataset_format detect_text(const dataset *set,
                                  str text,
                                  const line_count *n,
                                  diag *d,
                                  arena scratch)
{
    if (n->with_db * 2 > n->all) {
        return FORMAT_SPIDER_TEXT;
    }
    if (are_statements(text, scratch)) {
        return FORMAT_STATEMENTS;
    }
    // A model may be wrong in every line, but it does not write Markdown.
    bool is_other = (n->members + n->deeper + n->marked) * 2 > n->all
                    && n->sql * 2 < n->all;
    bool is_pred = set->given.role == DATASET_PRED && !is_other;
    if (n->sql * 2 > n->all || is_pred) {
        return FORMAT_LINES;
    }
    buf lines = buf_new(&scratch);
    bool is_cut = n->cut.len > 0 && n->members == n->all;
    if (is_cut) {
        buf_add(&lines,
                S("YAML would read only a part of its lines, because of "
                  "a # or a colon outside quotes"));
    } else if (n->sql == 0) {
        buf_add(&lines, S("no line of it begins with SQL"));
    } else {
        buf_printf(&lines, "only %td of %td lines begin with SQL", n->sql,
                   n->all);
    }
    str odd = utf8_visible(&scratch, is_cut ? n->cut : n->odd);
    odd = str_sub(odd, 0, utf8_prefix(odd, 40));
    diag_add(d, (diag_place){.file = set->file.path},
             "assay does not recognise this data set: it is neither JSON nor "
             "CSV with known column names, and %.*s ('%.*s'); see 'assay help "
             "formats', or name the format with --format",
             STR_ARG(buf_str(&lines)), STR_ARG(odd));
    return FORMAT_COUNT;
}

dataset_format reader_detect(const dataset *set, diag *d, arena scratch)
{
    str text = str_skip(set->text, json_scan_space(set->text, 0));
    if (looks_like_json(text)) {
        str first = first_record(text);
        dataset_format f =
            shape_of(first, layout_has_fields(first, FIELD_WEAK, 0));
        return f == FORMAT_COUNT ? FORMAT_JSONL : f;
    }
    dataset_format csv = reader_csv_format(text, set->given.names, scratch);
    if (csv != FORMAT_COUNT) {
        return csv;
    }
    line_count n = count_lines(text, scratch);
    return looks_like_yaml(&n) ? FORMAT_YAML
                               : detect_text(set, text, &n, d, scratch);
}
