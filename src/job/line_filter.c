// line_filter.c - see line_filter.h.
#include "job/line_filter.h"

static sql_features features_of(const case_line *line)
{
    sql_features f = {.is_known = line->has_features};
    for (ptrdiff_t i = 0; i < line->features.len; i++) {
        sql_feature which = (sql_feature)0;
        if (sql_feature_from_word(line->features.ptr[i].word, &which)) {
            f.n[which] = (int32_t)line->features.ptr[i].n;
        }
    }
    return f;
}

bool line_passes(const filter_list *filters, const case_line *line)
{
    const record gold = {
        .db = line->db, .category = line->category, .hardness = line->hardness};
    sql_features features = features_of(line);
    bool passes = true;
    for (ptrdiff_t i = 0; i < filters->len; i++) {
        passes &= filter_accepts(&filters->ptr[i], &gold, &features);
    }
    return passes;
}
