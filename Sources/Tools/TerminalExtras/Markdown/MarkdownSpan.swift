/// A part of a Markdown paragraph in one style.
struct MarkdownSpan: Equatable {
  /// The styles of the text.
  struct Traits: OptionSet, Hashable {
    let rawValue: UInt8
    static let strong = Traits(rawValue: 1)
    static let emphasis = Traits(rawValue: 2)
    static let strike = Traits(rawValue: 4)
    static let code = Traits(rawValue: 8)
  }

  var text: String
  var traits: Traits = []
  /// The link's address as written; shown even if it can't be followed.
  var address: String?
}
