public import Composable

/// How fast the time goes, where that is for the person to say: in the demo.
public struct PaceClient: ClientInterface {
  /// Lets the time go so many times as fast as outside; 0 stops it.
  public var setSpeed: @Sendable (Int) -> Void = unimplemented(
    "PaceClient.setSpeed", placeholder: ())

  public init() {}
}

extension DependencyValues {
  public var paceClient: PaceClient {
    get { self[PaceClient.self] }
    set { self[PaceClient.self] = newValue }
  }
}
