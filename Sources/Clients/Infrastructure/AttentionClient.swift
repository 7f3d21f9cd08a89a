public import Composable

/// A call for the person's attention: a desktop notification if the terminal can show one, and its
/// bell (NOT-2).
public struct AttentionClient: Sendable {
  public var call: @Sendable (_ title: String, _ text: String, _ rings: Bool) async -> Void

  public init(call: @escaping @Sendable (String, String, Bool) async -> Void) { self.call = call }

  /// Does nothing, for programs without a screen.
  public static let silent = Self { _, _, _ in }
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
