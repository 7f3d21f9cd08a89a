import Synchronization

/// The changes of a test's shared values that the test hasn't asserted yet.
package final class SharedChanges: Sendable {
  private struct Contents {
    /// The last asserted value of each shared value that was ever changed.
    var asserted: [ObjectIdentifier: any Sendable] = [:]
    /// The current values.
    var current: [ObjectIdentifier: any Sendable] = [:]
    /// The values changed since the last commit.
    var uncommitted: [ObjectIdentifier: any Sendable] = [:]
    /// Retains the changed values, so that no other object reuses their identities.
    var references: [ObjectIdentifier: any AnyObject & Sendable] = [:]
  }

  private let contents = Mutex(Contents())

  package init() {}

  func note(
    _ reference: any AnyObject & Sendable, _ id: ObjectIdentifier, from old: any Sendable,
    to new: any Sendable
  ) {
    contents.withLock { contents in
      if contents.asserted[id] == nil { contents.asserted[id] = old }
      contents.current[id] = new
      contents.uncommitted[id] = new
      contents.references[id] = reference
    }
  }

  /// Returns the changes made since the last call, which belong to the action just reduced.
  package func commit() -> SharedCommit {
    contents.withLock { contents in
      defer { contents.uncommitted = [:] }
      return SharedCommit(values: contents.uncommitted)
    }
  }

  /// Marks the changes of an action as asserted.
  package func assert(_ commit: SharedCommit) {
    contents.withLock { $0.asserted.merge(commit.values) { $1 } }
  }

  /// Whether nothing was ever changed.
  var isEmpty: Bool { contents.withLock { $0.asserted.isEmpty } }

  /// Marks all changes as asserted.
  package func assertAll() { contents.withLock { $0.asserted = $0.current } }

  /// The asserted and the current values of everything that was changed.
  package var all: [(asserted: any Sendable, current: any Sendable)] {
    contents.withLock { contents in
      contents.asserted.compactMap { id, asserted in
        contents.current[id].map { (asserted, $0) }
      }
    }
  }

  func asserted(_ id: ObjectIdentifier) -> (any Sendable)? {
    contents.withLock { $0.asserted[id] }
  }
}

/// The changes of shared values that belong to one action of a test.
package struct SharedCommit: Sendable {
  let values: [ObjectIdentifier: any Sendable]
}

/// An assertion of a test store. It decides how shared values are read during the assertion.
package final class SharedAssertion: Sendable {
  /// The version of a shared value to read.
  package enum Side: Sendable {
    /// The value that the test expects.
    case expected
    /// The value after the reducer ran.
    case actual
    /// The value before the action.
    case before
  }

  let changes: SharedChanges
  package let commit: SharedCommit
  private let expected = Mutex<[ObjectIdentifier: any Sendable]>([:])

  package init(_ changes: SharedChanges, _ commit: SharedCommit) {
    self.changes = changes
    self.commit = commit
  }

  @TaskLocal static var current: SharedAssertion?
  @TaskLocal static var left = Side.expected
  @TaskLocal static var right = Side.expected
  @TaskLocal static var reading = Side.expected

  /// Makes the reducer's values the starting point of a test's closure.
  package func expectActual() { expected.withLock { $0 = commit.values } }

  /// Runs a test's closure. Its changes of shared values are expectations.
  package func expect<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self, operation: body)
  }

  /// Compares two states, reading the shared values of each side as specified.
  package func compare<Result>(
    _ left: Side, _ right: Side, _ body: () throws -> Result
  ) rethrows -> Result {
    // Without changed shared values, the usual case, both sides read the same.
    if changes.isEmpty, expected.withLock({ $0.isEmpty }) { return try body() }
    return try Self.$current.withValue(self) {
      try Self.$left.withValue(left) { try Self.$right.withValue(right, operation: body) }
    }
  }

  /// Reads shared values as on the left of the comparison.
  package static func readLeft<Result>(_ body: () -> Result) -> Result {
    $reading.withValue(left, operation: body)
  }

  /// Reads shared values as on the right of the comparison.
  package static func readRight<Result>(_ body: () -> Result) -> Result {
    $reading.withValue(right, operation: body)
  }

  /// Returns one version of a value, or `nil` if the value was never changed.
  func value(of id: ObjectIdentifier, _ side: Side?) -> (any Sendable)? {
    switch side ?? Self.reading {
    case .expected: expected.withLock { $0[id] } ?? changes.asserted(id)
    case .actual: commit.values[id] ?? changes.asserted(id)
    case .before: changes.asserted(id)
    }
  }

  func expect(_ id: ObjectIdentifier, _ value: any Sendable) {
    expected.withLock { $0[id] = value }
  }
}
