public import Terminal

/// Pictures of views for tests.
@MainActor
public enum FrameSnapshot {
  /// The picture of a view.
  public static func frame(of view: some View, size: Size, theme: Theme = .dark) -> Frame {
    ViewHost(theme: theme).frame(view, size: size)
  }

  /// The rows of a view as plain text, without blanks at their ends.
  public static func lines(of view: some View, size: Size, theme: Theme = .dark) -> [String] {
    frame(of: view, size: size, theme: theme).lines
  }
}
