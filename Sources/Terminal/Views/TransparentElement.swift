/// Passes everything through to its child.
struct TransparentElement: Element {}
