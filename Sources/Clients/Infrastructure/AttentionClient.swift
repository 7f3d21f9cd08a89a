public import Composable

/// Calls the person to the screen: the terminal's bell, and a notification of the desktop where the
/// terminal can show one (NOT-2).
public struct AttentionClient: Sendable {
  public var call: @Sendable (_ title: String, _ text: String) async -> Void

  public init(call: @escaping @Sendable (String, String) async -> Void) { self.call = call }

  /// Nobody is called, as where nobody looks.
  public static let silent = Self { _, _ in }
}

extension AttentionClient: DependencyKey {
  /// Silent until the composition root gives it a terminal.
  public static var liveValue: Self { .silent }
  public static var testValue: Self {
    Self(call: unimplemented("AttentionClient.call", placeholder: ()))
  }
}

extension DependencyValues {
  public var attentionClient: AttentionClient {
    get { self[AttentionClient.self] }
    set { self[AttentionClient.self] = newValue }
  }
}
