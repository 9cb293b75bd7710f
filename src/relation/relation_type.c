/*
 * relation_type.c - see relation_type.h.
 *
 * Method      PostgreSQL's rules for numbers and texts (its manual, 10.2 and
 *             10.5), DuckDB's where they differ. Everything else is a
 *             word made from the words of its parts.
 *
 * Cost        Linear in the term and the derived tables that it is out of.
 */
#include "relation/relation_type.h"

#include "base/words.h"
#include "sql/semantics.h"

static bool is_duckdb(const prover *p)
{
    return p->bound->dialect == DIALECT_DUCKDB;
}

bool type_is_known(str type)
{
    return type.len > 0 && type.ptr[0] != '?';
}

static str pick(const prover *p, const char *postgres, const char *duckdb)
{
    return str_from(is_duckdb(p) ? duckdb : postgres);
}

/* What is declared. */

static const struct {
    str name;
    const char *postgres;
    const char *duckdb;
} rows[] = {
#define TYPE(name, postgres, duckdb) {S_INIT(name), postgres, duckdb},
#include "relation/type.def"
};

str type_name_of(str word, dialect d)
{
    ptrdiff_t row =
        dialect_follows_postgres(d) ? words_at_fold(rows, name, word) : -1;
    return row < 0               ? word
           : d == DIALECT_DUCKDB ? str_from(rows[row].duckdb)
                                 : str_from(rows[row].postgres);
}

static str declared(prover *p, str type)
{
    str text = arena_lower(p->a, str_trim(type));
    if (schema_type_is_single(text, p->bound->dialect)) {
        return S("float4");
    }
    str word = schema_type_word(text);
    str rest = str_trim(str_skip(text, word.len));
    bool is_plain =
        rest.len == 0 || rest.ptr[0] == '(' || str_equal(rest, S("precision"));
    if (str_starts(rest, S("varying")) && str_among(word, "char character")) {
        is_plain = true;
        word = S("varchar");
    }
    is_plain &= !str_ends(text, S("]"));
    ptrdiff_t row = is_plain ? words_at(rows, name, word) : -1;
    if (row >= 0) {
        str name = pick(p, rows[row].postgres, rows[row].duckdb);
        bool keeps = str_equal(name, S("decimal")) && rest.len > 0;
        return keeps ? arena_printf(p->a, "decimal%.*s", STR_ARG(rest)) : name;
    }
    return text.len > 0 ? text : S("?");
}

static str type_of_column(prover *p, const term *t)
{
    if (t->source->body) {
        return type_of_output(p, t->source->body, t->column);
    }
    const schema_column *c = term_declared(t);
    return c ? declared(p, c->type) : S("?rowid");
}

/* Types of two. */

// The place of a type of numbers; -1: it is none.
static int rank_of(str type)
{
    static const str numbers[] = {
        S_INIT("int1"),   S_INIT("int2"),    S_INIT("int4"),
        S_INIT("int8"),   S_INIT("hugeint"), S_INIT("numeric"),
        S_INIT("float4"), S_INIT("float8"),
    };
    return (int)words_in(numbers, countof(numbers), type);
}

static bool is_whole(str type)
{
    int rank = rank_of(type);
    return rank >= 0 && rank <= 4;
}

static bool is_literal(str type)
{
    return str_equal(type, S("unknown"));
}

static bool is_text(str type)
{
    return str_equal(type, S("text")) || str_equal(type, S("char"));
}

static str made_of(prover *p, str what, str a, str b)
{
    return arena_printf(p->a, "?%.*s(%.*s %.*s)", STR_ARG(what), STR_ARG(a),
                        STR_ARG(b));
}

// In DuckDB 3 is an INTEGER alone, beside a TINYINT it is one.
static bool may_be_less(const prover *p, int left, int right)
{
    int less = left < right ? left : right;
    return is_duckdb(p) && left != right && less >= 0
           && less < rank_of(S("int4"));
}

// The one of two types of numbers that holds both; empty: there is none.
static str wider(const prover *p, str a, str b)
{
    int left = rank_of(a);
    int right = rank_of(b);
    bool is_told = left >= 0 && right >= 0 && !may_be_less(p, left, right);
    return !is_told ? (str){0} : left > right ? a : b;
}

// Of UNION, CASE, COALESCE: of text and char(n) the first one counts.
static str united(prover *p, str a, str b)
{
    str both = wider(p, a, b);
    if (str_equal(a, b) || is_literal(b)) {
        return a;
    }
    if (is_literal(a)) {
        return b;
    }
    if (both.len > 0) {
        return both;
    }
    return is_text(a) && is_text(b) ? a : made_of(p, S("united"), a, b);
}

// There are no operators of a float4 and another number: both become float8.
static str computed(prover *p, const term *t, str a, str b)
{
    str type = wider(p, a, b);
    if (type.len > 0) {
        bool is_float4 = str_equal(a, S("float4")) || str_equal(b, S("float4"));
        type = is_float4 && !str_equal(a, b) ? S("float8") : type;
        bool divides = t->flag && is_whole(type);
        return divides ? pick(p, "numeric", "float8") : type;
    }
    bool is_half = is_literal(a) != is_literal(b);
    if (is_half && rank_of(is_literal(a) ? b : a) >= 0) {
        return is_literal(a) ? b : a;
    }
    return made_of(p, arena_printf(p->a, "%d%s", t->kind, t->flag ? "r" : ""),
                   a, b);
}

/* Types of terms. */

static str of_sum(prover *p, str x)
{
    if (is_duckdb(p)) {
        return is_whole(x) || str_equal(x, S("bool")) ? S("hugeint")
               : str_equal(x, S("float4"))            ? S("float8")
               : rank_of(x) >= 0                      ? x
                                 : made_of(p, S("sum"), x, S(""));
    }
    return str_equal(x, S("int8"))       ? S("numeric")
           : is_whole(x)                 ? S("int8")
           : rank_of(x) >= 0             ? x
           : str_equal(x, S("interval")) ? x
                                         : made_of(p, S("sum"), x, S(""));
}

static str of_average(prover *p, str x)
{
    return rank_of(x) < 0 ? made_of(p, S("avg"), x, S(""))
           : is_duckdb(p) ? S("float8")
           : rank_of(x) <= rank_of(S("numeric")) ? S("numeric")
                                                 : S("float8");
}

static str of_list(prover *p, str name, const term *const *args, int32_t n)
{
    buf out = buf_new(p->a);
    buf_printf(&out, "?%.*s(", STR_ARG(name));
    for (int32_t i = 0; i < n; i++) {
        buf_add(&out, type_of(p, args[i]));
        buf_char(&out, i + 1 < n ? ' ' : ')');
    }
    return buf_str(&out);
}

static str of_aggregate(prover *p, const term *t)
{
    str x = t->n == 1 ? type_of(p, t->args[0]) : (str){0};
    return str_equal(t->text, S("count"))              ? S("int8")
           : t->n == 1 && str_equal(t->text, S("sum")) ? of_sum(p, x)
           : t->n == 1 && str_equal(t->text, S("avg")) ? of_average(p, x)
           : t->n == 1 && str_among(t->text, "min max")
               ? x
               : of_list(p, t->text, t->args, t->n);
}

static str united_of(prover *p, const term *const *args, int32_t n)
{
    str type = S("unknown");
    for (int32_t i = 0; i < n; i++) {
        type = united(p, type, type_of(p, args[i]));
    }
    return type;
}

static str of_case(prover *p, const term *t)
{
    str type = t->n % 2 == 1 ? type_of(p, t->args[t->n - 1]) : S("unknown");
    for (int32_t i = 1; i < t->n; i += 2) {
        type = united(p, type, type_of(p, t->args[i]));
    }
    return type;
}

const sql_function *type_function_of(prover *p, const term *t)
{
    const sql_function *f = function_of(t->text);
    str x = prover_is_typed(p) && f->is_of_text && t->n > 0
                ? type_of(p, t->args[0])
                : S("text");
    return is_text(x) || is_literal(x) ? f : function_of(S(""));
}

static str of_call(prover *p, const term *t)
{
    const sql_function *f = type_function_of(p, t);
    if (f->type) {
        return pick(p, f->type, f->duckdb ? f->duckdb : f->type);
    }
    if (str_starts(t->text, S("cast "))) {
        return declared(p, str_skip(t->text, 5));
    }
    if (str_starts(t->text, S("united "))) {
        return str_skip(t->text, 7);
    }
    if (str_among(t->text, "coalesce greatest least") && t->n > 0) {
        return united_of(p, t->args, t->n);
    }
    if (str_equal(t->text, S("abs")) && t->n == 1) {
        return type_of(p, t->args[0]);
    }
    if (str_equal(t->text, S("date_trunc")) && t->n == 2 && !is_duckdb(p)) {
        str of = type_of(p, t->args[1]);
        return str_starts(of, S("timestamp")) ? of
               : str_equal(of, S("date"))     ? S("timestamptz")
                                              : S("?date_trunc");
    }
    // The call of a window.
    if (str_among(t->text, "sum avg count min max")) {
        return of_aggregate(p, t);
    }
    return of_list(p, t->text, t->args, t->n);
}

static str of_integer(const term *t)
{
    bool is_short = t->number >= INT32_MIN && t->number <= INT32_MAX;
    return t->flag ? S("bool") : is_short ? S("int4") : S("int8");
}

bool type_is_open(const term *t)
{
    return t->kind == TERM_TEXT
           || (t->kind == TERM_OPAQUE
               && (str_ends(t->text, S("'")) || str_ends(t->text, S("$"))));
}

static str of_leaf(prover *p, const term *t)
{
    switch ((int)t->kind) {
    case TERM_NULL: return S("unknown");
    case TERM_INTEGER: return of_integer(t);
    case TERM_REAL: return pick(p, "numeric", "?decimal");
    case TERM_COLUMN: return type_of_column(p, t);
    case TERM_SCALAR: return type_of_output(p, t->block, 0);
    default:
        return type_is_open(t)
                   ? S("unknown")
                   : arena_printf(p->a, "?%d%.*s", t->kind, STR_ARG(t->text));
    }
}

str type_of(prover *p, const term *t)
{
    if (!prover_is_typed(p)) {
        return (str){0};
    }
    if (p->work++ > WORK_MAX) {
        prover_stop(p, S("a query that is too large"));
        return S("?");
    }
    if (t->kind != TERM_INTEGER && term_is_truth(t)) {
        return S("bool");
    }
    switch ((int)t->kind) {
    case TERM_AS:
    case TERM_NEGATE: return type_of(p, t->args[0]);
    case TERM_ADD:
    case TERM_SUBTRACT:
    case TERM_MULTIPLY:
    case TERM_DIVIDE:
    case TERM_REMAINDER:
        return computed(p, t, type_of(p, t->args[0]), type_of(p, t->args[1]));
    case TERM_CONCAT: {
        str a = type_of(p, t->args[0]);
        str b = type_of(p, t->args[1]);
        return is_text(a) || is_text(b) || (is_literal(a) && is_literal(b))
                   ? S("text")
                   : made_of(p, S("||"), a, b);
    }
    case TERM_CASE: return of_case(p, t);
    case TERM_CALL: return of_call(p, t);
    case TERM_AGGREGATE: return of_aggregate(p, t);
    case TERM_WINDOW: return type_of(p, t->args[0]);
    case TERM_ROW: return of_list(p, S("row"), t->args, t->n);
    default: return of_leaf(p, t);
    }
}

str type_of_output(prover *p, const block *b, int32_t column)
{
    if (!prover_is_typed(p)) {
        return (str){0};
    }
    if (!b->set) {
        // A rule that drops columns has done so before all terms are rewritten.
        return column < b->select.len ? type_of(p, b->select.ptr[column])
                                      : S("?");
    }
    return united(p, type_of_output(p, b->left, column),
                  type_of_output(p, b->right, column));
}

bool type_same(prover *p, const term *a, const term *b)
{
    return str_equal(type_of(p, a), type_of(p, b));
}

const str *type_outputs(prover *p, const block *b)
{
    const block *one = b;
    while (one->set) {
        one = one->left;
    }
    ptrdiff_t n = one->select.len;
    str *types = arena_new(p->a, str, n + 1);
    for (ptrdiff_t i = 0; i < n; i++) {
        types[i] = type_of_output(p, b, (int32_t)i);
    }
    return types;
}

bool type_sides_exchange(prover *p, const block *set, int32_t column)
{
    str l = type_of_output(p, set->left, column);
    str r = type_of_output(p, set->right, column);
    return str_equal(united(p, l, r), united(p, r, l));
}

bool type_of_sides_same(prover *p, const block *set, int32_t column)
{
    return str_equal(type_of_output(p, set->left, column),
                     type_of_output(p, set->right, column));
}

bool type_lists_as_compared(prover *p,
                            const term *x,
                            const term *const *literals,
                            ptrdiff_t n)
{
    enum {
        EXACT_FLOAT4 = 1 << 24  // whole numbers up to it are their own float4
    };
    bool has_text = false;
    bool has_number = false;
    bool is_exact = true;
    for (ptrdiff_t i = 0; i < n && prover_is_typed(p); i++) {
        const term *t = literals[i];
        bool is_text = t->kind == TERM_TEXT || t->kind == TERM_OPAQUE;
        has_text |= is_text;
        has_number |= !is_text && t->kind != TERM_NULL;
        is_exact &= is_text || t->kind == TERM_NULL
                    || (t->kind == TERM_INTEGER && t->number <= EXACT_FLOAT4
                        && t->number >= -EXACT_FLOAT4);
    }
    if (is_exact) {
        return !has_text || !has_number;
    }
    str type = type_of(p, x);
    return !has_text && type_is_known(type) && !str_equal(type, S("float4"));
}

// Whether all its values have one number of digits behind the point: 1.0 and
// 1.00 are one NUMERIC, and one of them is what MAX shows.
static bool has_one_scale(prover *p, const term *t)
{
    bool has = t->kind == TERM_ADD || t->kind == TERM_SUBTRACT
               || t->kind == TERM_MULTIPLY || t->kind == TERM_NEGATE
               || (t->kind == TERM_AGGREGATE && t->n == 1
                   && str_among(t->text, "sum min max"));
    for (int32_t i = 0; has && i < t->n; i++) {
        has = has_one_scale(p, t->args[i]);
    }
    if (t->kind != TERM_COLUMN) {
        return has || is_whole(type_of(p, t));
    }
    const block *body = t->source->body;
    const schema_column *c = body ? NULL : term_declared(t);
    return is_whole(type_of(p, t)) || (c && str_find(c->type, S("("), 0) >= 0)
           || (body && !body->set
               && has_one_scale(p, body->select.ptr[t->column]));
}

bool type_looks_alike(prover *p, const term *t)
{
    str type = type_of(p, t);
    return !prover_is_typed(p) || is_whole(type) || is_text(type)
           || is_literal(type) || str_starts(type, S("decimal"))
           || str_among(type, "bool date time timestamp timestamptz uuid")
           || str_equal(type, S("timestamp without time zone"))
           || str_equal(type, S("timestamp with time zone"))
           || (str_equal(type, S("numeric")) && has_one_scale(p, t));
}

/* Literals, as others than SQLite compare them. */

static bool is_own(const prover *p)
{
    return !prover_is_typed(p) && p->elsewhere == DIALECT_SQLITE;
}

static bool takes_whole(prover *p, const term *x, int64_t n)
{
    int64_t exact = (int64_t)1 << 24;  // in a REAL of single precision
    bool is_small = n <= exact && n >= -exact;
    if (prover_is_typed(p)) {
        return is_small || is_whole(type_of(p, x))
               || str_equal(type_of(p, x), S("numeric"));
    }
    const schema_column *c = term_stored(x);
    bool is_truth = c ? c->kind == KIND_BOOLEAN : term_is_truth(x);
    bool is_exact = c && (c->kind == KIND_INTEGER || c->kind == KIND_DECIMAL);
    return is_truth ? n == 0 || n == 1 : is_small || is_exact;
}

static bool holds_text(prover *p, const term *x)
{
    const schema_column *c = term_stored(x);
    bool passes =
        x->kind == TERM_CASE
        || (x->kind == TERM_CALL && str_equal(x->text, S("coalesce")))
        || (x->kind == TERM_AGGREGATE && str_among(x->text, "min max"));
    if (prover_is_typed(p) || c || !passes) {
        return prover_is_typed(p) ? str_equal(type_of(p, x), S("text"))
               : c                ? c->kind == KIND_TEXT
                                  : x->kind == TERM_TEXT || x->kind == TERM_NULL
                         || x->kind == TERM_CONCAT
                         || (x->kind == TERM_CALL
                             && str_among(x->text, "lower upper substr trim "
                                                   "ltrim rtrim replace"));
    }
    for (int32_t i = 0; i < x->n; i++) {
        if (!term_is_test(x, i) && !holds_text(p, x->args[i])) {
            return false;
        }
    }
    return true;
}

// 2020-01-31; of moments two may be written alike, as 24:00 is the next day's.
static bool is_day(str s)
{
    return s.len == 10 && s.ptr[4] == '-' && s.ptr[7] == '-';
}

bool type_takes(prover *p, const term *x, const term *literal)
{
    return is_own(p) || !x
           || (literal->kind == TERM_INTEGER
                   ? takes_whole(p, x, literal->number)
                   : literal->kind != TERM_TEXT || is_day(literal->text)
                         || holds_text(p, x));
}

// Whether it is made of a column of single precision, or is one.
static bool uses_single(const term *t)
{
    const schema_column *c = term_stored(t);
    bool uses = (c && c->is_single)
                || (t->kind == TERM_SCALAR && !t->block->set
                    && uses_single(t->block->select.ptr[0]));
    for (int32_t i = 0; !uses && i < t->n; i++) {
        uses = uses_single(t->args[i]);
    }
    return uses;
}

bool type_keeps(prover *p, const term *x, const term *literal)
{
    bool is_single = prover_is_typed(p) ? str_equal(type_of(p, x), S("float4"))
                                        : uses_single(x);
    return !is_single
           || (literal->kind == TERM_INTEGER && type_takes(p, x, literal));
}

static literal_order order_from(int order)
{
    return order < 0   ? LITERAL_LESS
           : order > 0 ? LITERAL_GREATER
                       : LITERAL_SAME;
}

// Of ASCII, no collation of the common systems takes one for another.
static bool is_printed(char c)
{
    return c > ' ' && c <= '~';
}

// Digits have one order everywhere, if nothing but digits differs. One of the
// texts may have been a number, beside which the other is read as one.
static literal_order order_of_texts(const prover *p, str a, str b)
{
    bool folds = dialect_semantics(p->elsewhere).texts_are_folded;
    double one = 0;
    double other = 0;
    bool is_alike = a.len == b.len && !str_starts(a, S("-"));
    bool is_other = !folds;
    bool are_same = true;  // until here, but for case
    for (ptrdiff_t i = 0; i < a.len && i < b.len; i++) {
        char l = to_lower(a.ptr[i]);
        char r = to_lower(b.ptr[i]);
        is_alike &= a.ptr[i] == b.ptr[i] || (is_digit(l) && is_digit(r));
        is_other |= are_same && l != r && is_printed(l) && is_printed(r);
        are_same &= l == r;
    }
    bool is_one = !prover_is_typed(p) && str_to_double(a, &one)
                  && str_to_double(b, &other) && one == other;
    return is_one     ? LITERAL_OPEN
           : is_alike ? order_from(str_compare(a, b))
           : is_other ? LITERAL_OTHER
                      : LITERAL_OPEN;
}

literal_order type_order(prover *p, const term *x, const term *a, const term *b)
{
    schema_collation c;
    bool is_binary = !x || !term_collation(x, &c) || c == COLLATION_BINARY;
    if (a == b || a->kind != b->kind || !type_takes(p, x, a)
        || !type_takes(p, x, b)) {
        return a == b ? LITERAL_SAME : LITERAL_OPEN;
    }
    if (a->kind == TERM_INTEGER) {
        return order_from((a->number > b->number) - (a->number < b->number));
    }
    return !is_binary  ? LITERAL_OPEN
           : is_own(p) ? order_from(str_compare(a->text, b->text))
                       : order_of_texts(p, a->text, b->text);
}
