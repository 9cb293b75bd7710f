/*
 * normal_letters.c - what does not tell A from a, in one form: x LIKE 'a%' of
 * small letters, LOWER(x) = 'a' of one text.
 *
 * Method      LIKE, LOWER, UPPER fold the letters A to Z alike, so whatever
 *             folds before LIKE is left out, and GLOB of small letters by what
 *             is folded is LIKE. A system whose LOWER and ILIKE fold other
 *             letters folds these alike, too; UPPER need not fold what LOWER
 *             does: it stays but on SQLite.
 */
#include "base/utf8.h"
#include "relation/known.h"
#include "relation/normal.h"
#include "relation/normal_internal.h"

// What LOWER and UPPER are asked of; the term itself where it is neither.
static const term *unfolded(const term *t)
{
    bool folds =
        t->kind == TERM_CALL && t->n == 1 && str_among(t->text, "lower upper");
    return folds ? unfolded(t->args[0]) : t;
}

// GLOB's pattern as one of LIKE's; without a length: it asks for large letters,
// for one of several, or for what is a sign to LIKE.
static str like_of_glob(prover *p, str glob)
{
    buf out = buf_new(p->a);
    for (ptrdiff_t i = 0; i < glob.len; i++) {
        char c = glob.ptr[i];
        if (c != to_lower(c) || c < ' ' || c == '%' || c == '_' || c == '[') {
            return (str){0};
        }
        buf_char(&out, (char)(c == '*' ? '%' : c == '?' ? '_' : c));
    }
    return buf_str(&out);
}

const term *term_like_folded(prover *p, const term *call)
{
    const term *x = call->args[0];
    const term *pattern = call->args[1];
    bool is_glob = str_equal(call->text, S("glob"));
    const term *of = unfolded(x);
    bool may = (is_glob ? of != x && str_equal(x->text, S("lower"))
                        : str_equal(call->text, S("like")))
               && pattern->kind == TERM_TEXT && !prover_is_typed(p)
               && (!is_glob || utf8_is_ascii(pattern->text));
    str folded = !may      ? (str){0}
                 : is_glob ? like_of_glob(p, pattern->text)
                           : arena_lower(p->a, pattern->text);
    of = of != x && term_is_text(p, of) ? of : x;
    bool changes = folded.len > 0 && (!is_glob || of != x)
                   && (of != x || !str_equal(folded, pattern->text))
                   && local_allowed(p, LOCAL_LIKE_CASE);
    const term *args[] = {of, changes ? term_text(p, folded) : NULL};
    return changes ? term_call(p, S("like"), args, 2) : NULL;
}

static bool is_ascii_capital(str s)
{
    bool is = utf8_is_ascii(s);
    for (ptrdiff_t i = 0; is && i < s.len; i++) {
        is = s.ptr[i] == to_upper(s.ptr[i]);
    }
    return is;
}

const term *term_compare_folded(prover *p,
                                term_kind kind,
                                const term *a,
                                const term *b)
{
    bool may =
        (kind == TERM_EQUAL || kind == TERM_UNEQUAL) && a->kind == TERM_CALL
        && a->n == 1 && str_equal(a->text, S("upper")) && b->kind == TERM_TEXT
        && is_ascii_capital(b->text) && !prover_is_typed(p)
        && p->elsewhere == DIALECT_SQLITE && local_allowed(p, LOCAL_LIKE_CASE);
    return may ? term_compare(p, kind, term_call(p, S("lower"), a->args, 1),
                              term_text(p, arena_lower(p->a, b->text)))
               : NULL;
}
