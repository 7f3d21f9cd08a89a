import Terminal

extension View {
  /// Declares a command only if a condition holds, so that the help bar shows just what works now.
  @ViewBuilder func commandIf(
    _ condition: Bool, _ key: KeyPress, _ title: String, fullTitle: String? = nil,
    scope: Command.Scope = .local,
    keywords: [String] = [], isAboutSelection: Bool = false,
    action: @escaping @MainActor () -> Void
  ) -> some View {
    if condition {
      command(
        key, title, fullTitle: fullTitle, scope: scope, keywords: keywords,
        isAboutSelection: isAboutSelection,
        action: action)
    } else {
      self
    }
  }
}
