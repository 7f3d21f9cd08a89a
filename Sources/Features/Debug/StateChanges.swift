import Composable

/// The changes that an action made, as lines for the overlay.
struct StateChanges {
  struct Line: Equatable {
    enum Kind { case removed, added, context }
    var kind: Kind
    var text: String
  }

  let lines: [Line]

  /// The largest number of lines shown.
  static let limit = 500

  init(from old: AppFeature.State, to new: AppFeature.State) {
    guard old != new else {
      lines = []
      return
    }
    let all = (differenceLines(old, new) ?? ["  Something changed that is not shown."])
      .compactMap(Self.line)
    let rest = all.count - Self.limit
    lines =
      rest > 0
      ? all.prefix(Self.limit) + [Line(kind: .context, text: "… and \(rest) more lines")] : all
  }

  /// A line of a difference, or `nil` for one that only closes a bracket or counts unchanged lines,
  /// which the indentation already shows.
  private static func line(_ line: String) -> Line? {
    let text = String(line.dropFirst(2))
    switch line.first {
    case "−": return Line(kind: .removed, text: text)
    case "+": return Line(kind: .added, text: text)
    default:
      let word = text.drop { $0 == " " }
      let isNoise = word.hasPrefix("… (") || [")", "]", "])", "\"\"\""].contains(String(word))
      return isNoise ? nil : Line(kind: .context, text: text)
    }
  }
}
