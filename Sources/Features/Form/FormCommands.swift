import Terminal

extension View {
  /// The keys of every form: Enter saves – Ctrl-S from a field in which Enter is a new line –, Tab
  /// and the arrows go from field to field, Esc leaves.
  func formCommands(
    entersLines: Bool, save: @escaping @MainActor () -> Void,
    next: @escaping @MainActor () -> Void, previous: @escaping @MainActor () -> Void,
    close: @escaping @MainActor () -> Void
  ) -> some View {
    command("enter", "Save", isHidden: entersLines, action: save)
      .command("ctrl+s", "Save", isHidden: !entersLines, action: save)
      .command("tab", "Next", action: next)
      .command("down", "Next", isHidden: true, action: next)
      .command("shift+tab", "Previous", isHidden: true, action: previous)
      .command("up", "Previous", isHidden: true, action: previous)
      .command("esc", "Cancel", action: close)
  }
}
