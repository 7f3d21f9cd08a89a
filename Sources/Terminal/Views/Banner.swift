/// A full-width line that says what is wrong or in progress, and what the user can do about it.
public struct Banner: View {
  private let text: String
  private let role: ThemeRole
  private let hint: String?

  /// - Parameters:
  ///   - text: What is wrong or in progress.
  ///   - role: The colour.
  ///   - hint: What the user can do, shown at the right: `r try again · Esc dismiss`.
  public init(_ text: String, role: ThemeRole = .warning, hint: String? = nil) {
    self.text = text
    self.role = role
    self.hint = hint
  }

  /// The view's content.
  public var body: some View {
    HStack(spacing: 2) {
      Text(text).bold().lineLimit(3)
      Spacer()
      if let hint { Text(hint).lineLimit(1).layoutPriority(1) }
    }
    .padding(.horizontal, 1)
    .background(role)
  }
}
