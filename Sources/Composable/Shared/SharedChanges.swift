import Synchronization

/// What has changed in a test's shared values since the test asserted them.
package final class SharedChanges: Sendable {
  private struct Contents {
    /// The asserted values of all that was ever changed.
    var asserted: [ObjectIdentifier: any Sendable] = [:]
    /// The values as they are now.
    var current: [ObjectIdentifier: any Sendable] = [:]
    /// What was changed since the last action was reduced.
    var uncommitted: [ObjectIdentifier: any Sendable] = [:]
    /// Keeps what is noted alive, so that no other object gets its identity.
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

  /// What was changed since the last call: what belongs to an action that was reduced now.
  package func commit() -> SharedCommit {
    contents.withLock { contents in
      defer { contents.uncommitted = [:] }
      return SharedCommit(values: contents.uncommitted)
    }
  }

  /// Notes that what belongs to an action was asserted.
  package func assert(_ commit: SharedCommit) {
    contents.withLock { $0.asserted.merge(commit.values) { $1 } }
  }

  /// Whether nothing was ever changed.
  var isEmpty: Bool { contents.withLock { $0.asserted.isEmpty } }

  /// Notes that all was asserted.
  package func assertAll() { contents.withLock { $0.asserted = $0.current } }

  /// The asserted and the current values of all that was changed.
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

/// The shared values that belong to an action of a test.
package struct SharedCommit: Sendable {
  let values: [ObjectIdentifier: any Sendable]
}

/// An assertion of a test store: how shared values are read while it is made.
package final class SharedAssertion: Sendable {
  /// How a shared value is read.
  package enum Side: Sendable {
    /// As the test expects it.
    case expected
    /// As the reducer made it.
    case actual
    /// As it was before.
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

  /// Lets a test's closure begin with what the reducer made.
  package func expectActual() { expected.withLock { $0 = commit.values } }

  /// Runs a test's closure, whose changes of shared values say what is expected.
  package func expect<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self, operation: body)
  }

  /// Compares two states: on either side shared values are read in its own way.
  package func compare<Result>(
    _ left: Side, _ right: Side, _ body: () throws -> Result
  ) rethrows -> Result {
    // Without shared values, which is the usual case, both sides are read alike.
    if changes.isEmpty, expected.withLock({ $0.isEmpty }) { return try body() }
    return try Self.$current.withValue(self) {
      try Self.$left.withValue(left) { try Self.$right.withValue(right, operation: body) }
    }
  }

  /// Reads what is on the left of a comparison.
  package static func readLeft<Result>(_ body: () -> Result) -> Result {
    $reading.withValue(left, operation: body)
  }

  /// Reads what is on the right of a comparison.
  package static func readRight<Result>(_ body: () -> Result) -> Result {
    $reading.withValue(right, operation: body)
  }

  /// A value, or `nil` if it was never changed.
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
