/// The state of a list's filter, kept in the state of a feature.
/// ``View/filterable(by:prompt:onAction:)`` shows it.
///
///     case .filter(let action): state.filter.apply(action)
///     …
///     var rows: [Contact] { contacts.filter { filter.matches($0.name) } }
public struct ListFilter: Equatable, Sendable {
  /// An action of the user.
  public enum Action: Codable, Equatable, Sendable {
    /// `/`: starts or resumes typing.
    case begin
    /// An edit of the text.
    case edit(TextEdit)
    /// Enter: returns to the list, which stays filtered.
    case accept
    /// Esc: shows all rows again.
    case close
  }

  /// The text typed so far.
  public private(set) var input: TextInput
  /// Whether the filter is visible.
  public private(set) var isShown = false
  /// Whether keys go to the filter instead of the list.
  public private(set) var isEditing = false

  /// Creates a filter that matches everything.
  /// - Parameter limit: The maximum number of characters that can be typed.
  public init(limit: Int = 50) {
    input = TextInput(limit: limit)
  }

  /// Applies an action of the user. Reset the list's position after an edit.
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

  /// Whether a row is shown: its text must contain each of the words typed, in any case.
  public func matches(_ text: String) -> Bool { matcher.matches(text) }

  /// A matcher for checking many rows.
  public var matcher: ListMatcher { ListMatcher(words: input.text) }
}

/// Decides which rows are shown: those whose text contains each of the words typed, in any case.
public struct ListMatcher: Sendable {
  private let words: [Word]

  private struct Word {
    /// In lower case.
    var text: String
    var bytes: [UInt8]
    var isASCII: Bool
  }

  /// - Parameter words: What was typed.
  public init(words: String) {
    self.words = words.lowercased().split(separator: " ").map { word in
      Word(
        text: String(word), bytes: Array(word.utf8),
        isASCII: word.utf8.allSatisfy { $0 < 0x80 })
    }
  }

  /// Whether nothing was typed, so that no row is hidden.
  public var matchesAll: Bool { words.isEmpty }

  /// Whether the text contains all of the words.
  /// - Complexity: O(length of the text · length of a word) for each word. If either is ASCII, as
  ///   is usual, nothing is allocated on the heap.
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

  /// Finds a word by its bytes.
  /// - Parameters:
  ///   - word: A word in lower-case ASCII.
  ///   - bytes: UTF-8 in any case.
  private static func isFound(_ word: [UInt8], in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard word.count <= bytes.count else { return false }
    return (0...bytes.count - word.count).contains { start in
      for offset in word.indices {
        let byte = bytes[start + offset]
        guard word[offset] == (0x41...0x5A ~= byte ? byte | 0x20 : byte) else { return false }
      }
      // A letter followed by a combining mark is a different letter.
      let end = start + word.count
      return end == bytes.count || !(0xCC...0xCD ~= bytes[end])
    }
  }
}

/// The line into which a list's filter is typed: `/ part of a name`.
public struct FilterLine: View {
  private let input: TextInput
  private let isFocused: Bool
  private let prompt: String
  private let onFocus: @MainActor () -> Void
  private let onEdit: @MainActor (TextEdit) -> Void

  /// - Parameters:
  ///   - input: The text typed so far.
  ///   - isFocused: Whether keys go to the line.
  ///   - prompt: The placeholder shown while the line is empty.
  ///   - onFocus: Called when a click asks for the focus.
  ///   - onEdit: Receives each edit.
  public init(
    input: TextInput, isFocused: Bool, prompt: String,
    onFocus: @escaping @MainActor () -> Void, onEdit: @escaping @MainActor (TextEdit) -> Void
  ) {
    self.input = input
    self.isFocused = isFocused
    self.prompt = prompt
    self.onFocus = onFocus
    self.onEdit = onEdit
  }

  /// The view's content.
  public var body: some View {
    HStack(spacing: 1) {
      Text("/").foreground(.accent)
      TextField(
        "", input: input, isFocused: isFocused, placeholder: prompt, onFocus: onFocus,
        onEdit: onEdit)
    }
    .padding(.horizontal, 1)
  }
}

extension View {
  /// Lets the user filter a list: `/` opens a line above it, Enter returns to the list, Esc shows
  /// all rows again.
  ///
  /// - Parameters:
  ///   - filter: The state of the filter. The program itself filters the rows.
  ///   - prompt: The placeholder shown while the line is empty.
  ///   - onAction: Receives the user's actions, for ``ListFilter/apply(_:)``.
  public func filterable(
    by filter: ListFilter, prompt: String = "part of a name",
    onAction: @escaping @MainActor (ListFilter.Action) -> Void
  ) -> some View {
    var commands = [
      Command(
        key: "/", title: "Filter", fullTitle: "Filter the list", isAboutSelection: true
      ) { onAction(.begin) }
    ]
    if filter.isEditing {
      commands.append(Command(key: "enter", title: "To the list") { onAction(.accept) })
    }
    if filter.isShown {
      commands.append(Command(key: "esc", title: "Show all") { onAction(.close) })
    }
    return VStack {
      if filter.isShown {
        FilterLine(
          input: filter.input, isFocused: filter.isEditing, prompt: prompt,
          onFocus: { onAction(.begin) }, onEdit: { onAction(.edit($0)) })
      }
      self
    }
    .with(commands)
  }
}
