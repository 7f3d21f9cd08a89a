/// A dependency that has no live value of its own: the program's composition root provides it.
public protocol TestDependencyKey {
  /// What is depended on; the key itself unless said otherwise.
  associatedtype Value: Sendable = Self

  /// The value in previews and demonstrations; `testValue` unless given.
  static var previewValue: Value { get }

  /// The value in tests: usually one that reports an issue when it is used.
  static var testValue: Value { get }
}

extension TestDependencyKey {
  /// The value in tests.
  public static var previewValue: Value { testValue }
}

/// A dependency with a live value.
public protocol DependencyKey: TestDependencyKey {
  /// What is depended on; the key itself unless said otherwise.
  associatedtype Value = Self

  /// The value in the running program.
  static var liveValue: Value { get }
}

extension DependencyKey {
  /// The live value.
  public static var previewValue: Value { liveValue }

  /// The live value, with an issue: a test has to override it.
  public static var testValue: Value {
    reportIssue(
      """
      "\(Self.self)" was used in a test, but it has only a live value.

      Override it in the test by `withDependencies`, or give the key a `testValue`.
      """)
    return liveValue
  }
}

/// What kind of run dependencies are read in.
public enum DependencyContext: Sendable, Hashable {
  /// The running program.
  case live
  /// A preview or a demonstration.
  case preview
  /// A test.
  case test
}
