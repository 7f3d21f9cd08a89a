/// Suggestions for a misspelt word.
enum Suggestion {
  /// Returns the candidate that begins with the word, or that differs from it in the fewest
  /// letters; `nil` if none is close.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    // The work is quadratic in the length, and no command is this long.
    guard (2...32).contains(word.utf8.count) else { return nil }
    let word = word.lowercased()
    if word.count >= 3, let longer = candidates.first(where: { $0.hasPrefix(word) }) {
      return longer
    }
    let rated = candidates.map { (name: $0, distance: distance(Array(word), Array($0))) }
    guard let best = rated.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, best.name.count / 3) ? best.name : nil
  }

  /// Returns the number of insertions, removals, replacements and swaps of neighbours between two
  /// words: the optimal string alignment distance. O(n·m).
  static func distance(_ left: [Character], _ right: [Character]) -> Int {
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 1...left.count {
      var current = [row]
      for column in 1...right.count {
        let replaced = last[column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
        var best = min(replaced, last[column] + 1, current[column - 1] + 1)
        if row > 1, column > 1, left[row - 1] == right[column - 2],
          left[row - 2] == right[column - 1]
        {
          best = min(best, beforeLast[column - 2] + 1)
        }
        current.append(best)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
