/// Which end of a text gives way when it is too long.
public enum Truncation: Hashable, Sendable {
  /// `Charles Babb…`
  case tail
  /// `…les Babbage`
  case head
  /// `Charl…bbage`
  case middle
}

extension String {
  /// The text cleaned for one line and cut to at most `columns`, with an ellipsis where something
  /// is missing. A wide character is never cut in half; the result may be a column short. O(n).
  /// - Parameters:
  ///   - columns: The most columns to cover; nothing fits in 0 or fewer.
  ///   - truncation: The part that gives way.
  ///   - ellipsis: What marks the cut, `"..."` for ASCII. Left out when it does not fit.
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

  /// The first graphemes that fit in `columns`, cleaned.
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

  /// The last graphemes that fit in `columns`, cleaned.
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
