public import Composable

/// How fast the time passes, if the person can choose that: in the demo.
public struct PaceClient: ClientInterface {
  /// Lets the time pass this many times as fast as real time; 0 stops it.
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
