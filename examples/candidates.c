// candidates.c - three answers of a model, judged in processes of their own.
//     cc examples/candidates.c $(pkg-config --cflags --libs assay) && ./a.out
#include <assay/assay.h>

#include <stdio.h>
#include <string.h>

static assay_str text(const char *s)
{
    return (assay_str){s, strlen(s)};
}

int main(void)
{
    const char *preds[] = {"SELECT count(id) FROM customers",
                           "DELETE FROM customers",
                           "I would say: ```sql\nSELECT 11\n```"};
    assay_scorer_options options = {.db = "examples/shop/shop.sql"};
    assay_request requests[3];
    assay_scorer *scorer;
    assay_reply *reply;
    assay_error err;
    uint64_t first;
    for (int i = 0; i < 3; i++) {
        requests[i] =
            (assay_request){.gold = text("SELECT count(*) FROM customers"),
                            .pred = text(preds[i])};
    }
    if (assay_scorer_open(&scorer, &options, &err) != ASSAY_OK) {
        return fprintf(stderr, "%s\n", err.message), 1;
    }
    if (assay_scorer_submit(scorer, requests, 3, 0, &first, &err) == ASSAY_OK) {
        while (assay_scorer_next(scorer, &reply, -1, &err) == ASSAY_OK
               && reply) {
            assay_str reason = assay_reply_reason(reply, "exec");
            printf("%s: %s %.*s\n", preds[assay_reply_ticket(reply) - first],
                   assay_reply_answer(reply, "exec") == ASSAY_YES ? "yes"
                                                                  : "no",
                   (int)reason.len, reason.ptr);
            assay_reply_free(reply);
        }
    }
    assay_scorer_close(scorer);
    return 0;
}
