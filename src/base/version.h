// version.h - the version of assay, as meson.build says it.
#ifndef ASSAY_BASE_VERSION_H
#define ASSAY_BASE_VERSION_H

#include "base/str.h"

str version_text(void);  // "0.1.0"

#endif  // ASSAY_BASE_VERSION_H
