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

/// A seeded generator: each seed gives the same numbers in every run, so that a failing test can be
/// repeated. Not for secrets.
///
///     $0.withRandomNumberGenerator = WithRandomNumberGenerator(SplitMix64(seed: 1))
///
/// The algorithm is Steele, Lea and Flood's, “Fast splittable pseudorandom number generators”, 2014.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64
  private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Creates a generator.
  /// - Parameters:
  ///   - seed: Chooses the numbers.
  ///   - count: How many of the first numbers to skip.
  public init(seed: UInt64, skipping count: Int = 0) {
    state = seed &+ UInt64(truncatingIfNeeded: count) &* Self.increment
  }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= Self.increment
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
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
