public import Composable

/// The person's clipboard, reached through the terminal (OSC 52).
public struct ClipboardClient: Sendable {
  /// Copies a text. Whether the terminal allows that is not known.
  public var copy: @Sendable (String) async -> Void

  public init(copy: @escaping @Sendable (String) async -> Void) { self.copy = copy }
}

extension ClipboardClient: DependencyKey {
  /// Does nothing until the composition root gives it a terminal.
  public static var liveValue: Self { Self { _ in } }
  public static var testValue: Self {
    Self(copy: unimplemented("ClipboardClient.copy", placeholder: ()))
  }
}

extension DependencyValues {
  public var clipboardClient: ClipboardClient {
    get { self[ClipboardClient.self] }
    set { self[ClipboardClient.self] = newValue }
  }
}
