/*
 * sureness.h - are answers right when their model is sure of them?
 *
 * Out of a confidence for each answer come two things. Whether it can be taken
 * for a probability: the reliability diagram and its mean distance from the
 * diagonal. Whether it tells right answers from wrong ones, on any scale: the
 * area under the ROC curve, and the risk that is left when only the surest
 * answers are given. (definitions/cost.md#confidence)
 */
#ifndef ASSAY_REPORT_SURENESS_H
#define ASSAY_REPORT_SURENESS_H

#include "base/arena.h"

enum {
    CALIBRATION_BINS = 10,  // of equal width; each holds its upper end
};

typedef struct calibration {
    int64_t n[CALIBRATION_BINS];
    int64_t n_right[CALIBRATION_BINS];
    double confidence[CALIBRATION_BINS];  // the sum
} calibration;

// A confidence from 0 to 1.
void calibration_add(calibration *c, double confidence, bool is_right);

// The mean distance of confidence and share of right, over cases; NaN without.
double calibration_error(const calibration *c);

// "over 80 to 90 %"
str calibration_bin_name(arena *a, int bin);

typedef struct sure_answer {
    double confidence;
    bool is_right;
} sure_answer;

typedef vec_of(sure_answer) sure_answers;

typedef struct sureness {
    sure_answers answers;  // the surest first
    int64_t n_right;
    bool is_probability;  // all confidences lie from 0 to 1; else calibration
                          // and brier say nothing
    calibration calibration;
    double brier;   // mean squared distance from right (1) or wrong (0)
    double auroc;   // NaN where all are right, or all wrong
    double area;    // under the risk-coverage curve
    double chance;  // the same of a confidence that says nothing
    double least;   // of one that puts every right answer first
} sureness;

// Sorts the answers. All figures are NaN where there are none.
sureness sureness_of(sure_answers answers);

// The share of wrong answers among the `k` surest, 0 < k <= answers.len. Among
// equally sure ones the wrong ones are spread evenly.
double sureness_risk(const sureness *s, ptrdiff_t k);

#endif  // ASSAY_REPORT_SURENESS_H
