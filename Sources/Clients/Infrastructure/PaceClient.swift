public import Composable

/// How fast the time goes, where that is for the person to say: in the demo.
public struct PaceClient: Sendable {
  /// Lets the time go so many times as fast as outside; 0 stops it.
  public var setSpeed: @Sendable (Int) -> Void

  public init(setSpeed: @escaping @Sendable (Int) -> Void) { self.setSpeed = setSpeed }
}

extension PaceClient: TestDependencyKey {
  public static var testValue: Self {
    Self(setSpeed: unimplemented("PaceClient.setSpeed", placeholder: ()))
  }
}

extension DependencyValues {
  public var paceClient: PaceClient {
    get { self[PaceClient.self] }
    set { self[PaceClient.self] = newValue }
  }
}
