/// Finds commands by typed text. Exact matches of the title come first, then titles that start with
/// the text, titles containing a word that does, keywords that do, and finally titles that contain
/// its letters in order. The short and the full title count alike. Recently used commands precede
/// equally good matches. A command that needs a keyword is found by the whole of one, or of its
/// title, alone.
struct CommandSearch {
  private let letters: [Character]

  init(_ query: String) {
    letters = query.lowercased().filter { $0 != " " }
  }

  /// - Parameter recent: The full titles of recently used commands, newest first.
  func matches(in commands: [PaletteCommand], recent: [String] = []) -> [PaletteCommand] {
    let ranked = commands.enumerated().compactMap { index, placed in
      rank(of: placed.command).map {
        let age = recent.firstIndex(of: placed.command.fullTitle) ?? recent.count
        return (rank: $0, age: age, index: index, placed: placed)
      }
    }
    return ranked.sorted { ($0.rank, $0.age, $0.index) < ($1.rank, $1.age, $1.index) }
      .map(\.placed)
  }

  /// Returns how well a command matches, from 0 for the best to 4, or `nil` if it doesn't.
  func rank(of command: Command) -> Int? {
    guard !command.needsKeyword else {
      let words = command.keywords + [command.fullTitle.lowercased()]
      return words.contains { $0.filter { $0 != " " }.elementsEqual(letters) } ? 3 : nil
    }
    let ranks = [command.title, command.fullTitle].compactMap { rank(ofTitle: $0.lowercased()) }
    let best = ranks.min()
    if let best, best < 3 { return best }
    if command.keywords.contains(where: { $0.filter { $0 != " " }.starts(with: letters) }) {
      return 3
    }
    return best
  }

  private func rank(ofTitle title: String) -> Int? {
    let joined = title.filter { $0 != " " }
    if joined.elementsEqual(letters) { return 0 }
    if joined.starts(with: letters) { return 1 }
    if title.split(separator: " ").contains(where: { $0.starts(with: letters) }) { return 2 }
    var rest = letters[...]
    for character in title where character == rest.first { rest.removeFirst() }
    return rest.isEmpty ? 4 : nil
  }
}
