/// The part of a text that is cut off if it is too long.
public enum Truncation: Hashable, Sendable {
  /// `Charles Babb…`
  case tail
  /// `…les Babbage`
  case head
  /// `Charl…bbage`
  case middle
}

extension String {
  /// Returns the text sanitized for one line and truncated to at most `columns`, with an ellipsis
  /// where text is missing. A wide character is never split, so the result may be one column
  /// shorter. O(n).
  /// - Parameters:
  ///   - columns: The maximum width; nothing fits into 0 or fewer columns.
  ///   - truncation: The part that is cut off.
  ///   - ellipsis: The mark of the cut, `"..."` for ASCII. Omitted if it doesn't fit.
  public func truncated(
    to columns: Int, _ truncation: Truncation = .tail, ellipsis: String = "…"
  ) -> String {
    guard columns > 0 else { return "" }
    guard self.columns > columns else { return sanitized }
    let mark = ellipsis.columns <= columns ? ellipsis : ""
    let room = columns - mark.columns
    switch truncation {
    case .tail:
      return prefix(columns: room) + mark
    case .head:
      return mark + suffix(columns: room)
    case .middle:
      let head = prefix(columns: room - room / 2)
      return head + mark + suffix(columns: room - head.columns)
    }
  }

  /// Returns the first graphemes that fit into `columns`, sanitized.
  private func prefix(columns: Int) -> String {
    var result = ""
    var used = 0
    for grapheme in graphemes {
      used += grapheme.columns
      if used > columns { break }
      result.append(grapheme)
    }
    return result
  }

  /// Returns the last graphemes that fit into `columns`, sanitized.
  private func suffix(columns: Int) -> String {
    let all = Array(graphemes)
    var start = all.endIndex
    var used = 0
    while start > all.startIndex, used + all[start - 1].columns <= columns {
      start -= 1
      used += all[start].columns
    }
    return all[start...].map(\.text).joined()
  }
}
