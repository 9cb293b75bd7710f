/*
 * xml.h - escaping of text for XML 1.0 (JUnit, SVG).
 */
#ifndef ASSAY_REPORT_XML_H
#define ASSAY_REPORT_XML_H

#include "base/buf.h"

// Appends `text`, to stand between tags, so that a reader gets it back as it
// is. Line ends and tabs stay; what XML has no way to
// say (control characters, bytes that are no UTF-8), and what turns the
// direction of text, becomes an escape to read, such as \x1b.
void xml_add(buf *b, str text);

// Appends ` name="text"`, likewise.
void xml_attribute(buf *b, const char *name, str text);

#endif  // ASSAY_REPORT_XML_H
