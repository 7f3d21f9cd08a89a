/// What a list is narrowed to by typing. It belongs into a feature's state; the view that shows it
/// is ``View/filterable(by:prompt:onAction:)``.
///
///     case .filter(let action): state.filter.apply(action)
///     …
///     var rows: [Contact] { contacts.filter { filter.matches($0.name) } }
public struct ListFilter: Equatable, Sendable {
  /// What a person does with the filter.
  public enum Action: Codable, Equatable, Sendable {
    /// `/`: typing begins, or goes on.
    case begin
    /// The text is edited.
    case edit(TextEdit)
    /// Enter: keys go to the list again, which stays narrowed.
    case accept
    /// Esc: all rows are shown again.
    case close
  }

  /// What has been typed.
  public private(set) var input: TextInput
  /// Whether the filter is to be seen.
  public private(set) var isShown = false
  /// Whether keys go to the filter rather than to the list.
  public private(set) var isEditing = false

  /// A filter that shows everything.
  /// - Parameter limit: The most characters that can be typed.
  public init(limit: Int = 50) {
    input = TextInput(limit: limit)
  }

  /// Changes the filter as the person wants it. The list's position is best reset with an edit.
  public mutating func apply(_ action: Action) {
    switch action {
    case .begin:
      isShown = true
      isEditing = true
    case .edit(let edit):
      input.apply(edit)
    case .accept:
      isEditing = false
      isShown = !input.isEmpty
    case .close:
      input = TextInput(limit: input.limit)
      isShown = false
      isEditing = false
    }
  }

  /// Whether a row is shown: each word that was typed is part of its text, in whatever case.
  public func matches(_ text: String) -> Bool { matcher.matches(text) }

  /// The same for many rows.
  public var matcher: ListMatcher { ListMatcher(words: input.text) }
}

/// Tells whether a row is shown: each word that was typed is part of its text, in whatever case.
public struct ListMatcher: Sendable {
  private let words: [String]

  init(words: String) {
    self.words = words.lowercased().split(separator: " ").map(String.init)
  }

  /// Whether nothing was typed that would hide a row.
  public var matchesAll: Bool { words.isEmpty }

  /// - Complexity: O(length of the text · length of a word) for each word; for text in ASCII, which
  ///   most is, nothing is taken from the heap.
  public func matches(_ text: String) -> Bool {
    guard !words.isEmpty else { return true }
    let answer = text.utf8.withContiguousStorageIfAvailable { bytes -> Bool? in
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
      return words.allSatisfy { Self.isFound($0, in: bytes) }
    }
    if let answer = answer ?? nil { return answer }
    let lowered = text.lowercased()
    return words.allSatisfy { lowered.contains($0) }
  }

  /// - Parameters:
  ///   - word: In lower case.
  ///   - bytes: ASCII in any case.
  private static func isFound(_ word: String, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let word = word.utf8
    guard word.count <= bytes.count else { return false }
    return (0...bytes.count - word.count).contains { start in
      zip(word, bytes[(bytes.startIndex + start)...]).allSatisfy { letter, byte in
        letter == (0x41...0x5A ~= byte ? byte | 0x20 : byte)
      }
    }
  }
}
