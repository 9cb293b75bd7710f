/*
 * url.c - parts of URLs, URLs with other parts, and those of other programs.
 *
 * Method      span_of finds where the parts lie, forgivingly: a password may
 *             hold an '@' or a '/' that nobody encoded, since the last '@'
 *             before the query counts. Everything else works on these spans, so
 *             showing a URL and using it never disagree about where the
 *             password ends.
 *
 * Invariant   authority <= user_end <= host <= host_end <= path_end.
 *
 * Cost        Linear in the text.
 */
#include "engine/url.h"

#include "base/buf.h"

#include <assert.h>

static const str PLACE = S_INIT("{db}");

// What is in front of the first ':', or empty.
static str scheme_of(str text)
{
    ptrdiff_t n = 0;
    while (n < text.len
           && (is_alpha(text.ptr[n]) || is_digit(text.ptr[n])
               || text.ptr[n] == '+' || text.ptr[n] == '_')) {
        n++;
    }
    return n < text.len && text.ptr[n] == ':' ? str_sub(text, 0, n) : (str){0};
}

// The path of sqlite:///shop.db, sqlite:////data/shop.db, sqlite:shop.db and
// file:shop.db?mode=ro: behind an empty host one slash only ends the host.
static str path_in(str rest, bool is_uri)
{
    bool has_host = str_starts(rest, S("//"));
    ptrdiff_t query = has_host || is_uri ? str_find(rest, S("?"), 0) : -1;
    rest.len = query < 0 ? rest.len : query;
    rest = str_skip(rest, has_host ? 2 : 0);
    bool ends_host = has_host && !is_uri && str_starts(rest, S("/"));
    rest = str_skip(rest, ends_host ? 1 : 0);
    return str_starts_fold(rest, S("file:")) ? path_in(str_skip(rest, 5), true)
                                             : rest;
}

str url_own(arena *a, str text)
{
    static const struct {
        str dialect;
        const char *file;  // what stands before its path; NULL: a server
    } dialects[] = {
        {S_INIT("sqlite"), ""},        {S_INIT("file"), ""},
        {S_INIT("duckdb"), "duckdb:"}, {S_INIT("postgresql"), NULL},
        {S_INIT("postgres"), NULL},    {S_INIT("mysql"), NULL},
        {S_INIT("mariadb"), NULL},
    };
    str name = str_skip(text, str_starts_fold(text, S("jdbc:")) ? 5 : 0);
    str scheme = scheme_of(name);
    str rest = str_skip(name, scheme.len + 1);
    str dialect = str_cut(&scheme, '+');
    for (ptrdiff_t i = 0; i < countof(dialects); i++) {
        if (!str_equal_fold(dialect, dialects[i].dialect)) {
            continue;
        }
        const char *before = dialects[i].file;
        return before
                   ? arena_printf(a, "%s%.*s", before,
                                  STR_ARG(path_in(rest, i == 1)))
                   : arena_printf(a, "%.*s:%.*s", STR_ARG(dialects[i].dialect),
                                  STR_ARG(rest));
    }
    return text;
}

static str decode(arena *a, str s)
{
    buf b = buf_new(a);
    for (ptrdiff_t i = 0; i < s.len; i++) {
        int high =
            s.ptr[i] == '%' && i + 2 < s.len ? hex_digit(s.ptr[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(s.ptr[i + 2]) : -1;
        if (low >= 0) {
            buf_char(&b, (char)(high * 16 + low));
            i += 2;
        } else {
            buf_char(&b, s.ptr[i]);
        }
    }
    return buf_str(&b);
}

static void add_encoded(buf *b, str s)
{
    for (ptrdiff_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        bool is_plain = is_alpha(c) || is_digit(c) || c == '_' || c == '-'
                        || c == '.' || c == '~';
        if (is_plain) {
            buf_char(b, c);
        } else {
            buf_printf(b, "%%%02X", (unsigned)(unsigned char)c);
        }
    }
}

// The last `sign` in s, or -1.
static ptrdiff_t find_last(str s, char sign)
{
    ptrdiff_t at = s.len - 1;
    while (at >= 0 && s.ptr[at] != sign) {
        at--;
    }
    return at;
}

// Where the parts of a URL lie in it.
typedef struct url_span {
    ptrdiff_t authority;  // after "://"
    ptrdiff_t user_end;   // of "USER:PASSWORD"; = authority: there is none
    ptrdiff_t host;
    ptrdiff_t host_end;
    ptrdiff_t path_end;  // of "/DATABASE"
} url_span;

static bool span_of(url_span *p, str text)
{
    ptrdiff_t scheme = str_find(text, S("://"), 0);
    if (scheme < 1) {
        return false;
    }
    p->authority = scheme + 3;
    ptrdiff_t query = str_find(text, S("?"), p->authority);
    p->path_end = query < 0 ? text.len : query;
    ptrdiff_t slash =
        str_find(str_sub(text, 0, p->path_end), S("/"), p->authority);
    p->host_end = slash < 0 ? p->path_end : slash;
    // A password may hold an '@', and even a '/', that nobody encoded.
    ptrdiff_t at = find_last(str_sub(text, 0, p->path_end), '@');
    if (at >= p->authority && at > p->host_end) {
        slash = str_find(str_sub(text, 0, p->path_end), S("/"), at);
        p->host_end = slash < 0 ? p->path_end : slash;
    }
    p->user_end = at >= p->authority ? at : p->authority;
    p->host = at >= p->authority ? at + 1 : p->authority;
    assert(p->authority <= p->user_end && p->user_end <= p->host);
    assert(p->host <= p->host_end && p->host_end <= p->path_end);
    assert(p->path_end <= text.len);
    return true;
}

bool url_parse(url_parts *u, arena *a, str text, diag *d)
{
    *u = (url_parts){0};
    url_span p = {0};
    if (!span_of(&p, text)) {
        return diag_add(d, (diag_place){0},
                        "not a URL like SCHEME://USER@HOST/DATABASE");
    }
    u->scheme = str_sub(text, 0, p.authority - 3);
    str user = str_sub(text, p.authority, p.user_end);
    ptrdiff_t colon = str_find(user, S(":"), 0);
    u->has_password = colon >= 0;
    u->user = decode(a, str_sub(user, 0, colon < 0 ? user.len : colon));
    if (u->has_password) {
        u->password = decode(a, str_skip(user, colon + 1));
    }
    str host = str_sub(text, p.host, p.host_end);
    ptrdiff_t port = find_last(host, ':');
    if (port >= 0 && port + 1 < host.len) {
        if (!str_to_int(str_skip(host, port + 1), &u->port) || u->port < 1
            || u->port > 65535) {
            return diag_add(d, (diag_place){0}, "the URL has no port '%.*s'",
                            STR_ARG(str_skip(host, port + 1)));
        }
        host.len = port;
    }
    u->host = decode(a, host);
    u->database = decode(a, str_sub(text, p.host_end + 1, p.path_end));
    u->query = str_skip(text, p.path_end + 1);
    return true;
}

str url_option(const url_parts *u, arena *a, str key)
{
    str rest = u->query;
    while (rest.len > 0) {
        str value = str_cut(&rest, '&');
        str name = str_cut(&value, '=');
        if (str_equal(decode(a, name), key)) {
            return decode(a, value);
        }
    }
    return (str){0};
}

bool url_wants_database(str text)
{
    return str_find(text, PLACE, 0) >= 0;
}

str url_with_database(arena *a, str text, str name)
{
    buf b = buf_new(a);
    ptrdiff_t from = 0;
    for (ptrdiff_t at = str_find(text, PLACE, 0); at >= 0;
         at = str_find(text, PLACE, from)) {
        buf_add(&b, str_sub(text, from, at));
        add_encoded(&b, name);
        from = at + PLACE.len;
    }
    buf_add(&b, str_skip(text, from));
    return buf_str(&b);
}

str url_replace_database(arena *a, str text, str name)
{
    url_span p = {0};
    if (url_wants_database(text) || !span_of(&p, text)) {
        return url_with_database(a, text, name);
    }
    buf b = buf_new(a);
    buf_add(&b, str_sub(text, 0, p.host_end));
    buf_char(&b, '/');
    add_encoded(&b, name);
    buf_add(&b, str_skip(text, p.path_end));
    return buf_str(&b);
}

str url_show(arena *a, str text)
{
    url_span p = {0};
    if (!span_of(&p, text)) {
        ptrdiff_t colon = str_find(text, S(":"), 0);
        return arena_str(a, str_sub(text, 0, colon < 0 ? 0 : colon));
    }
    str user = str_sub(text, p.authority, p.user_end);
    ptrdiff_t colon = str_find(user, S(":"), 0);
    buf b = buf_new(a);
    buf_add(&b, str_sub(text, 0, p.authority));
    if (user.len > 0) {
        buf_add(&b, str_sub(user, 0, colon < 0 ? user.len : colon));
        buf_char(&b, '@');
    }
    buf_add(&b, str_sub(text, p.host, p.path_end));
    return buf_str(&b);
}
