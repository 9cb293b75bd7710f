/*
 * extract_mark.c - tags, tokens and fences: what they are called, what they do.
 *
 * Method      A mark is known by its form, what it means by its name: a name
 *             with "think" in it is about thoughts, whoever invented it. Names
 *             of tokens say with "begin", "start" or "end" what a slash says in
 *             tags. So a template that nobody has seen yet is read as the
 *             others are.
 *
 * Cost        A mark is at most MARK_MAX bytes long.
 */
#include "read/extract_mark.h"

#include "base/utf8.h"
#include "read/extract_scan.h"

enum {
    NAME_MAX = 64,
    MARK_MAX = 256,
};

// Words of languages in which models answer, without their first letter where
// that has two forms beyond ASCII.
#define FINAL                                                        \
    "final,endg\u00FCltig,definitie,uiteindelijk,ostateczn,slutlig," \
    "lopulli,nihai,akhir,\u0442\u043E\u0433\u043E\u0432,"            \
    "\u043A\u043E\u043D\u0447\u0430\u0442\u0435\u043B\u044C\u043D,"  \
    "\u0441\u0442\u0430\u0442\u043E\u0447\u043D,\u6700\u7D42,"       \
    "\u6700\u7EC8,\uCD5C\uC885,"                                     \
    "\u0627\u0644\u0646\u0647\u0627\u0626\u064A,"                    \
    "\u0905\u0902\u0924\u093F\u092E"

// What a part of the name says; the first row counts.
static const struct {
    const char *words;
    mark_role role;
} parts[] = {
    {"think,thought,reason,reflect,gedanke,raisonn,razona,racioc,ragiona,"
     "pensamiento,pensamento,pens\u00E9e,r\u00E9flex,d\u00FC\u015F\u00FCn,"
     "\u0430\u0441\u0441\u0443\u0436\u0434,"
     "\u0430\u0437\u043C\u044B\u0448\u043B,\u601D\u8003,\u63A8\u7406,"
     "\uC0DD\uAC01,\uCD94\uB860",
     MARK_THOUGHT},
    {FINAL
     ","
     "answer,solution,antwort,antwoord,respuesta,resposta,risposta,"
     "r\u00E9ponse,odpowied,odpov\u011B,svar,vastaus,cevap,yan\u0131t,"
     "jawaban,\u041E\u0442\u0432\u0435\u0442,"
     "\u043E\u0442\u0432\u0435\u0442,"
     "\u0456\u0434\u043F\u043E\u0432\u0456\u0434,\u7B54\u6848,"
     "\u7B54\u3048,\u56DE\u7B54,\uC815\uB2F5,\uB2F5\uBCC0,"
     "\u0627\u0644\u0625\u062C\u0627\u0628\u0629,"
     "\u0627\u0644\u062C\u0648\u0627\u0628,\u0909\u0924\u094D\u0924\u0930",
     MARK_ANSWER},
    {"draft,scratch,analysis,explor,example,entwurf,brouillon,borrador,"
     "rascunho,bozza,szkic,taslak,"
     "\u0435\u0440\u043D\u043E\u0432\u0438\u043A,\u8349\u7A3F,"
     "\u4E0B\u66F8\u304D,\uCD08\uC548,\u0645\u0633\u0648\u062F\u0629",
     MARK_DRAFT},
    {"sql,query", MARK_SQL},
    {"observ,response,result,output,inform,execut", MARK_SEEN},
};

bool mark_says(str text, const char *words)
{
    bool is_found = false;
    for (str rest = str_from(words); rest.len > 0 && !is_found;) {
        is_found = str_find_fold(text, str_cut(&rest, ','), 0) >= 0;
    }
    return is_found;
}

static mark_role role_of(str name, bool is_token)
{
    for (ptrdiff_t i = 0; i < countof(parts); i++) {
        if (mark_says(name, parts[i].words)) {
            return parts[i].role;
        }
    }
    if (is_token) {
        bool is_call = mark_says(name, "tool,python")
                       || str_among_fold(name, "message constrain recipient");
        return is_call                                          ? MARK_PLAIN
               : str_among_fold(name, "channel start end call") ? MARK_CHANNEL
                                                                : MARK_TURN;
    }
    return str_among_fold(name,
                          "s eos bos pad unk inst end_of_turn start_of_turn")
               ? MARK_TURN
               : MARK_PLAIN;
}

mark_role mark_name_role(str name)
{
    return role_of(name, false);
}

bool mark_is_foreign(str speaker)
{
    return str_among_fold(speaker, "user human system developer tool function "
                                   "ipython environment");
}

mark_role mark_label_role(str label)
{
    unsigned said = 0;  // roles of its words, as bits
    bool is_final = false;
    for (ptrdiff_t i = 0, size = 0; i < label.len; i += size + 1) {
        str word = extract_word_at(label, i);
        size = word.len;
        said |= size > 0 ? 1U << mark_name_role(word) : 0;
        is_final |= size > 0 && mark_says(word, FINAL);
    }
    unsigned answer = 1U << MARK_ANSWER;
    unsigned sql = 1U << MARK_SQL;
    bool is_all = (said & ~(answer | sql)) == 0;
    return said & (1U << MARK_THOUGHT | 1U << MARK_DRAFT) ? MARK_DRAFT
           : is_final || ((said & answer) && is_all)      ? MARK_ANSWER
           : said & sql                                   ? MARK_SQL
                                                          : MARK_PLAIN;
}

// Has the name a word that begins like one of the list? Scripts beyond ASCII
// may have no blanks between words.
static bool has_stem(str name, const char *list)
{
    bool is_found = false;
    for (str rest = str_from(list); rest.len > 0 && !is_found;) {
        ptrdiff_t at = str_find_fold(name, str_cut(&rest, ' '), 0);
        is_found = at == 0 || (at > 0 && !is_alpha(name.ptr[at - 1]));
    }
    return is_found;
}

// What is numbered, or counted, under any other name may be there to choose
// from; what is only numbered, too.
static const char tries[] =
    "attempt try tries trial iterat step round turn versuch schritt runde "
    "essai tentativ tape intento paso passo poging stap pr\u00F3ba krok "
    "f\u00F6rs\u00F6k deneme ad\u0131m percobaan langkah l\u1EA7n "
    "b\u01B0\u1EDBc \u043E\u043F\u044B\u0442\u043A \u0448\u0430\u0433 "
    "\u8BD5 \u8A66 \u6B65 \u6B21 \u8F6E \u8F2A \u56DE \uC2DC\uB3C4 "
    "\uB2E8\uACC4 \u0645\u062D\u0627\u0648\u0644\u0629 "
    "\u092A\u094D\u0930\u092F\u093E\u0938 \u091A\u0930\u0923";
static const char editions[] = "version draft revis";

bool mark_is_try(str label)
{
    label = str_sub(label, 0, str_run_before(label, label.len, is_digit));
    return has_stem(label, tries) || has_stem(label, editions)
           || str_equal_fold(label, S("v"));
}

bool mark_is_next(str name, str next)
{
    str_counted one = str_around_number(name);
    str_counted two = str_around_number(next);
    int64_t x = 0;
    int64_t y = 0;
    ptrdiff_t same = 0;
    while (same < name.len && same < next.len
           && to_lower(name.ptr[name.len - same - 1])
                  == to_lower(next.ptr[next.len - same - 1])) {
        same++;
    }
    return str_to_int(one.number, &x) && str_to_int(two.number, &y)
               ? y > x && str_equal_fold(one.before, two.before)
                     && str_equal_fold(one.after, two.after)
                     && (mark_is_try(one.before) || mark_is_try(one.after))
               : !str_equal_fold(name, next)
                     && has_stem(str_skip(name, name.len - same), tries);
}

static bool is_name_byte(char c)
{
    return extract_is_word(c) || c == ':' || c == '-' || c == '.';
}

static ptrdiff_t name_end(str text, ptrdiff_t from)
{
    return str_run(str_sub(text, 0, from + NAME_MAX), from, is_name_byte);
}

// A mark between `open` and `close`, such as <|name|>.
static mark between(str text, ptrdiff_t at, str open, str close)
{
    ptrdiff_t from = at + open.len;
    bool closes = str_starts(str_skip(text, from), S("/"));
    from += closes;
    str name = str_sub(text, from, from + NAME_MAX);
    name = str_sub(name, 0, str_find(name, close, 0));
    bool is_mark = str_starts(str_skip(text, at), open) && name.len > 0
                   && name_end(name, 0) == name.len;
    return is_mark ? (mark){.closes = closes,
                            .name = name,
                            .after = from + name.len + close.len}
                   : (mark){0};
}

// <name>, </name>, <name key="value">, <name=value>
static mark tag_at(str text, ptrdiff_t at)
{
    char second = at + 1 < text.len ? text.ptr[at + 1] : '\0';
    mark m = {.closes = second == '/' || second == '\\'};
    ptrdiff_t from = at + 1 + (m.closes ? 1 : 0);
    ptrdiff_t end = name_end(text, from);
    m.name = str_sub(text, from, end);
    bool is_name = m.name.len > 0 && extract_is_word(m.name.ptr[0])
                   && !is_digit(m.name.ptr[0]);
    str rest = str_sub(text, end, end + MARK_MAX);
    ptrdiff_t size = is_name ? str_find(rest, S(">"), 0) : -1;
    str values = str_sub(rest, 0, size);
    bool is_tag = size == 0
                  || (size > 0 && !m.closes && str_find(values, S("="), 0) >= 0
                      && str_find(values, S("<"), 0) < 0
                      && str_find(values, S("\n"), 0) < 0);
    m.after = end + size + 1;
    return is_tag ? m : (mark){0};
}

// Elsewhere in a line ~~~ turns the bits of a number.
static bool begins_line(str text, ptrdiff_t at)
{
    while (at > 0 && (text.ptr[at - 1] == ' ' || text.ptr[at - 1] == '\t')) {
        at--;
    }
    return at == 0 || text.ptr[at - 1] == '\n' || text.ptr[at - 1] == '\r';
}

static mark fence_at(str text, ptrdiff_t at)
{
    ptrdiff_t end = at;
    while (end < text.len && text.ptr[end] == text.ptr[at]) {
        end++;
    }
    return end - at < 3 ? (mark){0} : (mark){.role = MARK_FENCE, .after = end};
}

// [NAME] and <<NAME>>: in small letters that is a column, or shifts bits.
static bool is_capitals(str name)
{
    return name.len > 1
           && str_strip(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_", "").len == 0;
}

// What stands around names beside those of tags, which come after these: of
// LaTeX, and <|name|> with what other templates write for it; "end" in the name
// of a token is a slash.
static mark form_at(str text, ptrdiff_t at)
{
    static const struct {
        str open;
        str close;
        bool in_capitals;
        bool is_token;
        bool closes;
    } forms[] = {
        {S_INIT("["), S_INIT("]"), true, false, false},
        {S_INIT("<<"), S_INIT(">>"), true, true, false},
        {S_INIT("<|"), S_INIT("|>"), false, true, false},
        {S_INIT("<\xEF\xBD\x9C"), S_INIT("\xEF\xBD\x9C>"), false, true, false},
        {S_INIT("<|"), S_INIT(">"), false, true, false},
        {S_INIT("<"), S_INIT("|>"), false, true, true},
        {S_INIT("\\begin{"), S_INIT("}"), false, false, false},
        {S_INIT("\\end{"), S_INIT("}"), false, false, true},
        {S_INIT("\xE2\x97\x81"), S_INIT("\xE2\x96\xB7"), false, false, false},
    };
    for (ptrdiff_t i = 0; i < countof(forms); i++) {
        mark m = between(text, at, forms[i].open, forms[i].close);
        if (m.after > 0 && (!forms[i].in_capitals || is_capitals(m.name))) {
            m.is_token = forms[i].is_token;
            m.ends_sql = i == 0 && str_equal(m.name, S("SQL"));
            m.closes |=
                forms[i].closes || (m.is_token && has_stem(m.name, "end"));
            return m;
        }
    }
    return (mark){0};
}

// The offset past the signs at text[at], of any script.
static ptrdiff_t signs_end(str text, ptrdiff_t at)
{
    while (at < text.len && text.ptr[at] != '/' && !is_space(text.ptr[at])
           && !is_alpha(text.ptr[at])) {
        at++;
    }
    return at;
}

// {{think}}, *thinking*, [[/thought]], ::end of thoughts::, &lt;think&gt; at
// the start of a line, with as many signs behind as before.
static mark free_thought_at(str text, ptrdiff_t at)
{
    str line = str_sub(text, at, at + NAME_MAX);
    bool is_escaped = str_starts(line, S("&lt;"));
    ptrdiff_t from = is_escaped ? 4 : signs_end(line, 0);
    if (from == 0 || !begins_line(text, at)) {
        return (mark){0};
    }
    bool is_slash = str_starts(str_skip(line, from), S("/"));
    ptrdiff_t end = from + is_slash;
    while (end < line.len
           && (is_alpha(line.ptr[end]) || line.ptr[end] == ' ')) {
        end++;
    }
    str name = str_sub(line, from + is_slash, end);
    ptrdiff_t after = is_escaped ? end + 4 : signs_end(line, end);
    bool closes = is_slash || str_starts_fold(name, S("end"));
    bool is_mark = after - end == from && role_of(name, false) == MARK_THOUGHT;
    return is_mark ? (mark){.role = MARK_THOUGHT,
                            .closes = closes,
                            .is_free = true,
                            .name = name,
                            .after = at + after}
                   : (mark){0};
}

mark mark_at(str text, ptrdiff_t at)
{
    mark m = {0};
    switch (at < text.len ? text.ptr[at] : '\0') {
    case '`': return fence_at(text, at);
    case '~': return begins_line(text, at) ? fence_at(text, at) : m;
    case '[':
    case '\\':
    case '\xE2': m = form_at(text, at); break;
    case '#':  // of a template, behind what was asked for
        m.is_token =
            !begins_line(text, at) && str_starts(str_skip(text, at), S("###"));
        m.after = m.is_token ? at + 3 : 0;
        m.closes = m.is_token;
        break;
    case '<':
        m.after = str_starts(str_skip(text, at), S("<![CDATA[")) ? at + 9 : 0;
        m = m.after > 0 ? m : form_at(text, at);
        m = m.after > 0 ? m : tag_at(text, at);
        break;
    default: break;
    }
    if (m.after == 0) {
        return free_thought_at(text, at);
    }
    m.role = role_of(m.name, m.is_token);
    return m;
}

str mark_skip(str text)
{
    mark m = mark_at(text, 0);
    while (m.after > 0 && m.role != MARK_FENCE) {
        text = str_trim(str_skip(text, m.after));
        m = mark_at(text, 0);
    }
    return text;
}

bool mark_ends_sql(mark m)
{
    return m.role != MARK_NONE
           && (m.closes || m.is_token || m.ends_sql || m.role >= MARK_THOUGHT);
}

str mark_closing_quote(str before)
{
    static const char *const pairs[][2] = {
        {"\u201C", "\u201D"}, {"\u201E", "\u201C"}, {"\u00AB", "\u00BB"},
        {"\u300C", "\u300D"}, {"\u300E", "\u300F"}, {"\u2018", "\u2019"},
    };
    for (ptrdiff_t i = 0; i < countof(pairs); i++) {
        if (str_ends(before, str_from(pairs[i][0]))) {
            return str_from(pairs[i][1]);
        }
    }
    return (str){0};
}
