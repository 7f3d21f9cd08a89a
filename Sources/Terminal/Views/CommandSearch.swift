/// Finds commands by what was typed: the letters have to come in their order in the title. Titles
/// that are no more than them come first, then those that begin with them, then those with a word that does, then the others.
struct CommandSearch {
  private let letters: [Character]

  init(_ query: String) {
    letters = query.lowercased().filter { $0 != " " }
  }

  func matches(in commands: [Command]) -> [Command] {
    let ranked = commands.enumerated().compactMap { index, command in
      rank(of: command.title).map {
        (rank: isWhole(command.title) ? -1 : $0, index: index, command: command)
      }
    }
    return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.command)
  }

  private func isWhole(_ title: String) -> Bool {
    title.lowercased().filter { $0 != " " }.elementsEqual(letters)
  }

  /// How well a title fits, 0 the best; `nil` when it does not.
  func rank(of title: String) -> Int? {
    let title = title.lowercased()
    if title.filter({ $0 != " " }).starts(with: letters) { return 0 }
    let words = title.split(separator: " ")
    if words.contains(where: { $0.starts(with: letters) }) { return 1 }
    var rest = letters[...]
    for character in title where character == rest.first { rest.removeFirst() }
    return rest.isEmpty ? 2 : nil
  }
}
