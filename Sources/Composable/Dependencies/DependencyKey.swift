/// The key of a dependency without a live value. The program's composition root provides one.
public protocol TestDependencyKey {
  /// The type of the value; the key itself by default.
  associatedtype Value: Sendable = Self

  /// The value in previews and demonstrations; `testValue` by default.
  static var previewValue: Value { get }

  /// The value in tests, usually one that reports an issue when it is used.
  static var testValue: Value { get }
}

extension TestDependencyKey {
  /// The test value.
  public static var previewValue: Value { testValue }
}

/// The key of a dependency with a live value.
public protocol DependencyKey: TestDependencyKey {
  /// The type of the value; the key itself by default.
  associatedtype Value = Self

  /// The value in the running program.
  static var liveValue: Value { get }
}

extension DependencyKey {
  /// The live value.
  public static var previewValue: Value { liveValue }

  /// Reports an issue, because a test must override the value, and returns the live value.
  public static var testValue: Value {
    reportIssue(
      """
      "\(Self.self)" was used in a test, but it has only a live value.

      Override it in the test with `withDependencies`, or give the key a `testValue`.
      """)
    return liveValue
  }
}

/// The kind of run in which dependencies are read.
public enum DependencyContext: Sendable, Hashable {
  /// The running program.
  case live
  /// A preview or a demonstration.
  case preview
  /// A test.
  case test
}
