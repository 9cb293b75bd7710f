/*
 * guard_calls.c - the words of a query: which functions they call.
 *
 * Method      By the tokens, so that no clause that the tree keeps as words is
 *             left out: each name before a parenthesis calls a function, but
 *             for the words of the grammar and for those that the tree knows
 *             to be something else (the columns of an alias, the size of a
 *             type). Where x.f may stand for f(x), names after a point are
 *             looked at, too, but for those of tables; and signs that the
 *             server would read as one are.
 *
 * Cost        One pass, and a binary search for each call.
 */
#include "base/trust.h"
#include "base/utf8.h"
#include "base/words.h"
#include "engine/guard_marks.h"
#include "engine/query_guard.h"
#include "sql/function.h"
#include "sql/lex.h"

#include <string.h>

// Words of the grammar that may stand before a parenthesis.
static const char grammar[] =
#define WORD(name) name " "
#include "engine/guard_words.def"
    ;

// Of these, what the tree has as calls and no system has: constructs.
static const char constructs[] =
    "ALL ANY ARRAY BOTH EXISTS INTERVAL LEADING ONLY ROLLUP ROW SOME TRAILING "
    "VALUES";

typedef struct look {
    const query_guard *g;
    const guard_own *own;
    str sql;
    guard_marks tree;
    bool is_open;     // of what is not let through: the server may know that
                      // it is wrong
    bool may_be_own;  // what is allowed may be another one, of the owner's
    token before;     // the tokens before the one that is looked at
    token owner;      // before the point before it
    token leader;     // and before that
    bool in_index;    // between CREATE INDEX and the columns, of scripts
    execution *x;
    arena *a;
} look;

static bool is_meant(str name, str pattern)
{
    bool is_open = str_starts(pattern, S("*"));
    bool is_prefix = str_ends(pattern, S("*"));
    str core = str_sub(pattern, is_open, pattern.len - is_prefix);
    return is_open     ? str_find_fold(name, core, 0) >= 0
           : is_prefix ? str_starts_fold(name, core)
                       : str_equal_fold(name, core);
}

bool guard_is_among(str name, const char *list)
{
    str rest = str_from(list);
    while (rest.len > 0) {
        if (is_meant(name, str_cut(&rest, ' '))) {
            return true;
        }
    }
    return false;
}

// Among the owner's, in the letters of any language?
static bool is_in_own(const look *l, str name, const map *names)
{
    arena scratch = *l->a;
    return map_find(names,
                    utf8_is_ascii(name) ? name : utf8_lower(&scratch, name))
           >= 0;
}

static guard_mark mark_of(const look *l, token t)
{
    ptrdiff_t at = t.pos + (t.kind == TOKEN_QUOTED_NAME);
    return at < l->sql.len ? (guard_mark)l->tree.at[at] : MARK_NONE;
}

static bool is_name(token t)
{
    return token_is_word(t) || t.kind == TOKEN_QUOTED_NAME;
}

static bool is_op(token t, int32_t id)
{
    return t.kind == TOKEN_OP && t.id == id;
}

static bool forbid(look *l, str what, str name)
{
    return engine_fails(l->x, REASON_FORBIDDEN,
                        arena_printf(l->a, "%.*s %.*s is not allowed",
                                     STR_ARG(what), STR_ARG(name)));
}

// A function or an operator that is on no list.
static bool do_not_know(look *l, str name)
{
    l->is_open = true;
    return engine_fails(
        l->x, REASON_NOT_UNDERSTOOD,
        arena_printf(l->a, "assay does not know %.*s", STR_ARG(name)));
}

// Did somebody make a function of that name? It may do anything.
static bool is_owners(const look *l, str name)
{
    return l->own
           && (is_in_own(l, name, &l->own->attributes)
               || is_in_own(l, name, &l->own->overloads));
}

bool guard_is_trusted(str name)
{
    const trust_given *trust = trust_now();
    for (ptrdiff_t i = 0; i < trust->n_functions; i++) {
        if (is_meant(name, trust->functions[i])) {
            return true;
        }
    }
    return false;
}

static str content(const look *l, token t)
{
    return token_content(l->a, l->sql, t, l->g->dialect);
}

// Is the name before the point the schema of the functions that we know?
static bool is_home(const look *l)
{
    return l->g->has_methods
           || (l->g->home.len > 0 && is_name(l->owner)
               && str_equal_fold(content(l, l->owner), l->g->home));
}

static bool is_among(const look *l, token t, const char *words)
{
    return token_is_word(t) && str_among_fold(token_text(l->sql, t), words);
}

// INSERT INTO main.t (a), REFERENCES t(a), CHECK (...): of scripts. ON comes
// before a table in CREATE INDEX, before a condition in a join.
static bool is_target(const look *l, token t, str name)
{
    token head = is_op(l->before, OP_DOT) ? l->leader : l->before;
    return l->g->is_script
           && (mark_of(l, t) == MARK_TABLE || l->in_index
               || str_among_fold(name, "enum check conflict")
               || is_among(l, head, "INTO TABLE EXISTS REFERENCES VIEW"));
}

// The owner of a database may have functions of these names, too: FIRST, KEY.
static bool is_grammar(const look *l, token t, str name)
{
    bool is_own = l->own && is_in_own(l, name, &l->own->attributes);
    return guard_is_among(name, grammar)
           && (mark_of(l, t) != MARK_CALL
               || (!is_own && guard_is_among(name, constructs)));
}

// Asks the system about what is on no list, where it can be asked.
static guard_said ask_system(const look *l, str home, str name, bool is_quoted)
{
    return l->own && l->own->ask
               ? l->own->ask(l->own->context, home, name, is_quoted, *l->a)
               : GUARD_SAYS_NOTHING;
}

// div(7) may be the owner's div(int), though the system has one of numbers.
static void note_overload(look *l, str name)
{
    l->may_be_own |= l->own && is_in_own(l, name, &l->own->overloads);
}

static bool check_call(look *l, token t, str name)
{
    bool is_after_point = is_op(l->before, OP_DOT);
    str path =
        is_after_point && is_name(l->owner) ? content(l, l->owner) : (str){0};
    l->x->reads_random =
        l->x->reads_random || function_throws_dice(name, l->g->systems);
    if (token_is_word(t) && !is_after_point && is_grammar(l, t, name)) {
        return true;
    }
    if (guard_is_trusted(path.len > 0 ? arena_printf(
                             l->a, "%.*s.%.*s", STR_ARG(path), STR_ARG(name))
                                      : name)) {
        return true;
    }
    bool is_ours = !is_after_point || is_home(l);
    if (!is_after_point) {
        note_overload(l, name);
    }
    if (guard_is_among(name, l->g->gathering)) {
        return mark_of(l, t) == MARK_BOUNDED
               || engine_fails(
                   l->x, REASON_FORBIDDEN,
                   arena_printf(l->a,
                                "%.*s of more than the columns of one table is "
                                "not allowed: nothing limits its memory",
                                STR_ARG(name)));
    }
    bool is_refused = guard_is_among(name, l->g->refused);
    if (is_ours && !is_refused && function_may_run(name, l->g->systems)) {
        return true;
    }
    bool is_counter =
        l->g->is_script && str_among_fold(name, "nextval currval");
    if (is_counter || (!is_refused && is_target(l, t, name))) {
        return true;
    }
    bool is_banned = is_refused || guard_is_among(name, l->g->banned);
    guard_said said =
        is_banned || (is_after_point && path.len == 0)
            ? GUARD_SAYS_NOTHING
            : ask_system(l, path, name, t.kind == TOKEN_QUOTED_NAME);
    if (said == GUARD_SAYS_NONE || said == GUARD_SAYS_COMPUTES) {
        return true;
    }
    l->is_open = !is_refused;
    str whole =
        is_refused || path.len == 0
            ? name
            : arena_printf(l->a, "%.*s.%.*s", STR_ARG(path), STR_ARG(name));
    return is_banned || said == GUARD_SAYS_MORE || !is_ours
                   || is_owners(l, name)
               ? forbid(l, S("the function"), whole)
               : do_not_know(l, whole);
}

// x.f, where that may call f.
static bool check_attribute(look *l, token t, str name)
{
    if (!l->g->has_attributes || !is_op(l->before, OP_DOT)
        || mark_of(l, t) == MARK_TABLE || guard_is_trusted(name)) {
        return true;
    }
    note_overload(l, name);
    bool is_function = guard_is_among(name, l->g->refused)
                       || (l->own && is_in_own(l, name, &l->own->attributes));
    return !is_function || forbid(l, S("the function"), name);
}

// Tables of the server's own, and views that read them. `sys.x` may be the
// column of a table that this query calls so.
static bool check_table(look *l, token t, str name, bool is_owner)
{
    bool is_table = mark_of(l, t) == MARK_TABLE
                    || (t.kind == TOKEN_QUOTED_NAME
                        && words_in_fold(l->tree.quoted_tables.ptr,
                                         l->tree.quoted_tables.len, name)
                               >= 0);
    if (is_table && l->own && is_in_own(l, name, &l->own->telling)) {
        return engine_fails(
            l->x, REASON_FORBIDDEN,
            arena_printf(l->a, "%.*s is not allowed: it shows what others run",
                         STR_ARG(name)));
    }
    if (is_owner && guard_is_among(name, l->g->schemas)
        && words_in_fold(l->tree.nicknames.ptr, l->tree.nicknames.len, name)
               < 0) {
        return forbid(l, S("the schema"), name);
    }
    str owner = is_table && is_op(l->before, OP_DOT) && is_name(l->owner)
                    ? content(l, l->owner)
                    : (str){0};
    return owner.len == 0 || !guard_is_among(owner, l->g->schemas)
           || forbid(l, S("the schema"), owner);
}

// TABLESAMPLE, and DuckDB's USING SAMPLE: rows by the throw of dice.
static bool begins_sample(const look *l, token t)
{
    return is_among(l, t, "TABLESAMPLE")
           || (is_among(l, t, "SAMPLE") && is_among(l, l->before, "USING"));
}

static bool check_name(look *l, token t, token next)
{
    str name = content(l, t);
    l->x->reads_random = l->x->reads_random || begins_sample(l, t);
    l->x->reads_clock =
        l->x->reads_clock
        || (t.kind != TOKEN_QUOTED_NAME
            && function_tells_time(l->sql, t.pos, (ptrdiff_t)t.pos + t.len,
                                   l->g->systems));
    if (t.kind == TOKEN_QUOTED_NAME && to_lower(l->sql.ptr[t.pos]) == 'u') {
        // U&"..." spells a name in numbers: nobody does that to be understood.
        return engine_fails(l->x, REASON_FORBIDDEN,
                            S("a name with escapes is not allowed"));
    }
    if (str_equal_fold(name, S("value")) && token_is_word(next)
        && next.id == KEYWORD_FOR) {
        return engine_fails(l->x, REASON_FORBIDDEN,
                            S("the value of a sequence is not allowed"));
    }
    if (guard_is_among(name, l->g->secrets)) {
        return engine_fails(
            l->x, REASON_FORBIDDEN,
            arena_printf(l->a, "%.*s is not allowed", STR_ARG(name)));
    }
    if (!check_table(l, t, name, is_op(next, OP_DOT))) {
        return false;
    }
    if (!is_op(next, OP_PAREN_OPEN)) {
        return check_attribute(l, t, name);
    }
    return mark_of(l, t) == MARK_NO_CALL || check_call(l, t, name);
}

// Bytes of which PostgreSQL makes operators, all that stand together one.
static bool is_sign(char c)
{
    return c != '\0' && strchr("+-*/<>=~!@#%^&|`?", c);
}

// Signs that the lexer takes apart and the server does not: an operator that
// the owner of the database made.
static bool check_sign(look *l, token t)
{
    token b = l->before;
    if (!l->tree.is_read || !l->g->has_attributes || b.kind != TOKEN_OP
        || b.pos + b.len != t.pos || !is_sign(l->sql.ptr[t.pos])
        || !is_sign(l->sql.ptr[t.pos - 1])) {
        return true;
    }
    // `=-1` is two: a trailing minus belongs to what follows, unless one of
    // the other signs stands before it.
    bool is_minus = t.len == 1 && strchr("+-", l->sql.ptr[t.pos]);
    for (ptrdiff_t i = b.pos; is_minus && i < t.pos; i++) {
        is_minus = !strchr("~!@#%^&|`?", l->sql.ptr[i]);
    }
    str sign = str_sub(l->sql, b.pos, (ptrdiff_t)t.pos + t.len);
    note_overload(l, sign);
    return is_minus
           || ask_system(l, (str){0}, sign, true) == GUARD_SAYS_COMPUTES
           || do_not_know(l, sign);
}

static bool check_other(look *l, token t)
{
    if (t.kind == TOKEN_OP && (is_op(t, OP_BRACE_OPEN) && l->g->has_braces)) {
        return engine_fails(l->x, REASON_FORBIDDEN,
                            S("escapes in braces are not allowed"));
    }
    if (t.kind == TOKEN_PARAMETER && l->g->has_attributes
        && l->sql.ptr[t.pos] == '$') {
        return engine_fails(l->x, REASON_INVALID_QUERY,
                            arena_printf(l->a, "there is no parameter %.*s",
                                         STR_ARG(token_text(l->sql, t))));
    }
    if (t.kind == TOKEN_OP) {
        note_overload(l, token_text(l->sql, t));
    }
    return t.kind != TOKEN_OP || check_sign(l, t);
}

// Blanks beyond ASCII: names to some systems, nothing to others.
static bool check_blanks(look *l, token t)
{
    static const str blanks[] = {
        S_INIT("\xC2\xA0"),     S_INIT("\xE2\x80"),     S_INIT("\xE2\x81\x9F"),
        S_INIT("\xE3\x80\x80"), S_INIT("\xEF\xBB\xBF"),
    };
    str text = token_text(l->sql, t);
    for (ptrdiff_t i = 0; token_is_word(t) && i < countof(blanks); i++) {
        if (str_find(text, blanks[i], 0) >= 0) {
            return engine_fails(l->x, REASON_FORBIDDEN,
                                S("a blank beyond ASCII is not allowed"));
        }
    }
    return true;
}

// (DELETE FROM t RETURNING id): PostgreSQL takes it where a query may stand.
// SELECT ... INTO makes a table, sets a variable or writes a file.
static bool check_writes(look *l, token verb, token before, token next)
{
    if (l->g->is_script) {
        return true;
    }
    bool is_tail = verb.kind == TOKEN_KEYWORD && !is_op(before, OP_DOT)
                   && (verb.id == KEYWORD_INTO || verb.id == KEYWORD_PROCEDURE);
    if (is_tail && !l->g->has_own_grammar) {
        l->is_open = true;
        return forbid(l, S("SELECT ..."), keyword_text((keyword)verb.id));
    }
    return !is_op(before, OP_PAREN_OPEN) || !is_name(verb)
           || is_op(next, OP_PAREN_OPEN)
           || !str_among_fold(content(l, verb), "INSERT UPDATE DELETE MERGE")
           || engine_fails(l->x, REASON_FORBIDDEN,
                           S("a query that writes is not allowed"));
}

// What the tree shows.
static bool check_tree(look *l)
{
    if (l->tree.writes) {
        return engine_fails(l->x, REASON_FORBIDDEN,
                            S("a query that writes is not allowed"));
    }
    return l->tree.grown.len == 0 || guard_is_trusted(l->tree.grown)
           || engine_fails(
               l->x, REASON_FORBIDDEN,
               arena_printf(
                   l->a,
                   "%.*s with a replacement that is computed, or longer than "
                   "16 bytes, is not allowed: nothing limits its memory",
                   STR_ARG(l->tree.grown)));
}

guard_answer guard_check_calls(const query_guard *g,
                               const guard_own *own,
                               str sql,
                               const ast *query,
                               execution *x,
                               arena *a)
{
    look l = {
        .g = g,
        .own = own,
        .sql = sql,
        .tree = guard_mark_tree(g, sql, query, a),
        .x = x,
        .a = a,
    };
    if (!check_tree(&l) || !guard_bounds_growth(g, sql, query, x, a)) {
        return GUARD_REFUSES;
    }
    execution said = {0};  // of the first that is not let through
    lexer lex = lex_begin(sql, g->dialect);
    token t = lex_next_solid(&lex);
    while (t.kind != TOKEN_END) {
        token next = lex_next_solid(&lex);
        l.is_open = false;
        bool ok = check_writes(&l, t, l.before, next) && check_other(&l, t)
                  && (!is_name(t) || check_name(&l, t, next))
                  && (!g->is_unicode || check_blanks(&l, t));
        if (!ok && !l.is_open) {
            return GUARD_REFUSES;
        }
        bool tells =
            !ok
            && (said.status == REASON_NONE || x->status == REASON_FORBIDDEN);
        said.message = tells ? x->message : said.message;
        said.status = tells ? x->status : said.status;
        bool makes_index =
            is_among(&l, t, "INDEX") && is_among(&l, l.before, "CREATE UNIQUE");
        l.in_index = makes_index || (l.in_index && !is_op(t, OP_PAREN_OPEN));
        l.leader = l.owner;
        l.owner = l.before;
        l.before = t;
        t = next;
    }
    // After the tokens, which know the FOR of NEXT VALUE FOR.
    if (l.tree.locks) {
        engine_fails(x, REASON_FORBIDDEN,
                     S("a query that locks rows is not allowed"));
        return GUARD_REFUSES;
    }
    if (said.status != REASON_NONE) {
        engine_fails(x, said.status, said.message);
        return GUARD_NOT_LISTED;
    }
    return l.may_be_own || (own && own->is_implicit) ? GUARD_ASKS : GUARD_SENDS;
}

bool guard_tells(const query_guard *g, const guard_own *own, str sql, arena *a)
{
    look l = {.g = g, .own = own, .sql = sql, .a = a};
    lexer lex = lex_begin(sql, g->dialect);
    token t = lex_next_solid(&lex);
    bool tells = false;
    while (t.kind != TOKEN_END && !tells) {
        token next = lex_next_solid(&lex);
        str name = is_name(t) ? content(&l, t) : (str){0};
        tells = name.len > 0
                && (guard_is_among(name, g->secrets)
                    || (is_op(next, OP_DOT) && guard_is_among(name, g->schemas))
                    || ((is_op(l.before, OP_DOT) || is_op(next, OP_PAREN_OPEN))
                        && is_in_own(&l, name, &own->telling)));
        l.before = t;
        t = next;
    }
    return tells;
}

void guard_add_name(map *names, arena *a, str name, dialect d)
{
    names->ignores_case = true;
    map_add(names, a, utf8_lower(a, name_as_cut(name, d)));
}

bool guard_grants_power(str grant)
{
    static const str powers[] = {S_INIT("SUPER"), S_INIT("FILE"),
                                 S_INIT("ALL PRIVILEGES")};
    const str verb = S("GRANT ");
    ptrdiff_t end = str_find(grant, S(" ON *.*"), 0);
    bool has_power = false;
    str list = end > verb.len && str_starts(grant, verb)
                   ? str_sub(grant, verb.len, end)
                   : (str){0};
    while (list.len > 0 && !has_power) {
        str privilege = str_trim(str_cut(&list, ','));
        for (ptrdiff_t i = 0; i < countof(powers); i++) {
            has_power |= str_equal_fold(privilege, powers[i]);
        }
    }
    return has_power;
}
