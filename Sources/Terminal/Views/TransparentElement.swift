/// Passes everything on to its child.
struct TransparentElement: Element {}
