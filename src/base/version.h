// version.h - the version of assay, as meson.build says it.
#ifndef ASSAY_BASE_VERSION_H
#define ASSAY_BASE_VERSION_H

#include "base/str.h"

str version_text(void);  // "0.2.0"
str version_date(void);  // "2026-11-22", when that version was made

#endif  // ASSAY_BASE_VERSION_H
