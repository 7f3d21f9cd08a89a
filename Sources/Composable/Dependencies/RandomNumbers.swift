import Synchronization

/// Makes random numbers: `withRandomNumberGenerator { Int.random(in: 1...6, using: &$0) }`.
public final class WithRandomNumberGenerator: Sendable {
  private let generator: Mutex<any RandomNumberGenerator & Sendable>

  /// Makes random numbers by a generator.
  public init(_ generator: any RandomNumberGenerator & Sendable) {
    self.generator = Mutex(generator)
  }

  /// Uses the generator, which no other task uses in the meantime.
  public func callAsFunction<Result: Sendable>(
    _ work: (inout any RandomNumberGenerator & Sendable) -> sending Result
  ) -> Result {
    generator.withLock { work(&$0) }
  }
}

extension DependencyValues {
  /// Makes random numbers. In tests it has to be overridden.
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

  /// Numbers that differ: `Int.random(in:)` asks again, perhaps for ever, where they are all zero.
  mutating func next() -> UInt64 {
    reportIssue(
      """
      "DependencyValues.withRandomNumberGenerator" was used, but it is not implemented.

      A test has to override it by `withDependencies`.
      """)
    last &+= 0x9E37_79B9_7F4A_7C15
    return last
  }
}
