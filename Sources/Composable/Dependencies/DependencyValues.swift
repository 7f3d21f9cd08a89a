import Synchronization

/// All dependencies, by key. A value that nobody has set is the key's own for the context.
///
/// A new dependency is a key and a property:
///
/// ```swift
/// extension DependencyValues {
///   public var checkInClient: CheckInClient {
///     get { self[CheckInClient.self] }
///     set { self[CheckInClient.self] = newValue }
///   }
/// }
/// ```
public struct DependencyValues: Sendable {
  /// What kind of run this is.
  public var context: DependencyContext
  private var overrides: [ObjectIdentifier: any Sendable] = [:]
  private var defaults: DependencyDefaults

  /// Values that nobody has set, for this process: a test's if it runs tests, else live.
  public init() {
    context = isTesting ? .test : .live
    defaults = isTesting ? DependencyDefaults() : .shared
  }

  /// The value of a key.
  public subscript<Key: TestDependencyKey>(key: Key.Type) -> Key.Value {
    get {
      if let value = overrides[ObjectIdentifier(key)] { return value as! Key.Value }
      return defaults.value(of: key, in: context)
    }
    set { overrides[ObjectIdentifier(key)] = newValue }
  }

  /// The same values with their own defaults, so that what a default remembers is not shared with
  /// others.
  package mutating func isolateDefaults() { defaults = DependencyDefaults() }

  // MARK: Current

  @TaskLocal private static var scoped: DependencyValues?
  private static let prepared = Mutex(DependencyValues())

  /// The values in force here.
  public static var current: DependencyValues { scoped ?? prepared.withLock { $0 } }

  /// Runs an operation in which these values are in force.
  package static func with<Result>(
    _ values: DependencyValues, _ operation: () throws -> Result
  ) rethrows -> Result {
    try $scoped.withValue(values, operation: operation)
  }

  /// Runs an operation in which these values are in force.
  static func with<Result>(
    _ values: DependencyValues, isolation: isolated (any Actor)? = #isolation,
    _ operation: () async throws -> Result
  ) async rethrows -> Result {
    try await $scoped.withValue(values, operation: operation)
  }

  /// Changes the values that are in force where nothing else is.
  static func prepare(_ change: (inout DependencyValues) -> Void) {
    prepared.withLock { change(&$0) }
  }
}

/// The keys' own values, each made once.
final class DependencyDefaults: Sendable {
  static let shared = DependencyDefaults()

  private struct Slot: Hashable {
    let key: ObjectIdentifier
    let context: DependencyContext
  }

  private let values = Mutex<[Slot: any Sendable]>([:])

  func value<Key: TestDependencyKey>(of key: Key.Type, in context: DependencyContext) -> Key.Value {
    let slot = Slot(key: ObjectIdentifier(key), context: context)
    if let value = values.withLock({ $0[slot] }) { return value as! Key.Value }
    // Made without the lock, because a key may read others. If two threads make it, the first wins.
    let value = Self.make(key, in: context)
    return values.withLock { values in
      if let first = values[slot] { return first as! Key.Value }
      values[slot] = value
      return value
    }
  }

  private static func make<Key: TestDependencyKey>(
    _ key: Key.Type, in context: DependencyContext
  ) -> Key.Value {
    switch context {
    case .test: return Key.testValue
    case .preview: return Key.previewValue
    case .live:
      if let key = key as? any DependencyKey.Type { return live(key) as! Key.Value }
      reportIssue(
        """
        "\(key)" has no live value, and none was provided.

        Provide it in the program's composition root by `prepareDependencies`.
        """)
      return Key.testValue
    }
  }

  private static func live<Key: DependencyKey>(_: Key.Type) -> any Sendable { Key.liveValue }
}

/// Whether this process runs tests.
let isTesting: Bool = {
  let arguments = CommandLine.arguments
  return arguments.first?.hasSuffix(".xctest") == true
    || arguments.contains { $0 == "--testing-library" || $0.hasSuffix(".xctest") }
}()
