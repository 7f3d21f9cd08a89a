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
  /// - Complexity: O(length of the text) for each word.
  public func matches(_ text: String) -> Bool {
    guard !input.isEmpty else { return true }
    let text = text.lowercased()
    return input.text.lowercased().split(separator: " ").allSatisfy { text.contains($0) }
  }
}
