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
  private let words: [Word]

  private struct Word {
    /// In lower case.
    var text: String
    var bytes: [UInt8]
    var isASCII: Bool
  }

  init(words: String) {
    self.words = words.lowercased().split(separator: " ").map { word in
      Word(
        text: String(word), bytes: Array(word.utf8),
        isASCII: word.utf8.allSatisfy { $0 < 0x80 })
    }
  }

  /// Whether nothing was typed that would hide a row.
  public var matchesAll: Bool { words.isEmpty }

  /// - Complexity: O(length of the text · length of a word) for each word; where either is in ASCII,
  ///   as most are, nothing is taken from the heap.
  public func matches(_ text: String) -> Bool {
    guard !words.isEmpty else { return true }
    var text = text
    return words.allSatisfy { word in
      guard word.isASCII || text.utf8.allSatisfy({ $0 < 0x80 }) else {
        return text.lowercased().contains(word.text)
      }
      return word.isASCII && text.withUTF8 { Self.isFound(word.bytes, in: $0) }
    }
  }

  /// - Parameters:
  ///   - word: ASCII in lower case.
  ///   - bytes: UTF-8 in any case.
  private static func isFound(_ word: [UInt8], in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard word.count <= bytes.count else { return false }
    return (0...bytes.count - word.count).contains { start in
      for offset in word.indices {
        let byte = bytes[start + offset]
        guard word[offset] == (0x41...0x5A ~= byte ? byte | 0x20 : byte) else { return false }
      }
      // A letter with a mark behind it is another one.
      let end = start + word.count
      return end == bytes.count || !(0xCC...0xCD ~= bytes[end])
    }
  }
}
