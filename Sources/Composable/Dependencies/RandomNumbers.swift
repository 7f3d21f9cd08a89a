import Synchronization

/// A source of random numbers: `withRandomNumberGenerator { Int.random(in: 1...6, using: &$0) }`.
public final class WithRandomNumberGenerator: Sendable {
  private let generator: Mutex<any RandomNumberGenerator & Sendable>

  /// Creates a source from a generator.
  public init(_ generator: any RandomNumberGenerator & Sendable) {
    self.generator = Mutex(generator)
  }

  /// Gives a closure exclusive use of the generator.
  public func callAsFunction<Result: Sendable>(
    _ work: (inout any RandomNumberGenerator & Sendable) -> sending Result
  ) -> Result {
    generator.withLock { work(&$0) }
  }
}

extension DependencyValues {
  /// The source of random numbers. A test must override it.
  public var withRandomNumberGenerator: WithRandomNumberGenerator {
    get { self[RandomNumberKey.self] }
    set { self[RandomNumberKey.self] = newValue }
  }

  private enum RandomNumberKey: DependencyKey {
    static let liveValue = WithRandomNumberGenerator(SystemRandomNumberGenerator())
    static let testValue = WithRandomNumberGenerator(UnimplementedRandomNumberGenerator())
  }
}

private struct UnimplementedRandomNumberGenerator: RandomNumberGenerator, Sendable {
  private var last: UInt64 = 0

  /// Returns numbers that differ, because `Int.random(in:)` can loop forever on zeros.
  mutating func next() -> UInt64 {
    reportIssue(
      """
      "DependencyValues.withRandomNumberGenerator" was used, but it is not implemented.

      A test must override it with `withDependencies`.
      """)
    last &+= 0x9E37_79B9_7F4A_7C15
    return last
  }
}
