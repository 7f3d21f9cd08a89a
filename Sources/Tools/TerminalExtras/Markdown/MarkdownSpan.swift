/// A piece of a Markdown paragraph in one style.
struct MarkdownSpan: Equatable {
  /// What is done to the text.
  struct Traits: OptionSet, Hashable {
    let rawValue: UInt8
    static let strong = Traits(rawValue: 1)
    static let emphasis = Traits(rawValue: 2)
    static let strike = Traits(rawValue: 4)
    static let code = Traits(rawValue: 8)
  }

  var text: String
  var traits: Traits = []
  /// Where it leads, as it is written; shown even where it may not be followed.
  var address: String?
}
