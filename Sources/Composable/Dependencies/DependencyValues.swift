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
///
/// It is a value with copy-on-write; copying it costs one reference.
public struct DependencyValues: Sendable {
  private var storage: Storage

  /// Values that nobody has set, for this process: a test's if it runs tests, else live.
  public init() {
    storage = Storage(
      context: isTesting ? .test : .live,
      defaults: isTesting ? DependencyDefaults() : .shared)
  }

  private init(storage: Storage) { self.storage = storage }

  /// What kind of run this is.
  public var context: DependencyContext {
    get { storage.context }
    set { change { $0.context = newValue } }
  }

  /// The value of a key.
  public subscript<Key: TestDependencyKey>(key: Key.Type) -> Key.Value {
    get {
      if !storage.overrides.isEmpty, let box = storage.overrides[ObjectIdentifier(key)] {
        // Only the setter below makes this entry, with this type.
        return unsafeDowncast(box, to: DependencyBox<Key.Value>.self).value
      }
      return storage.defaults.value(of: key, in: storage.context)
    }
    set { change { $0.overrides[ObjectIdentifier(key)] = DependencyBox(newValue, of: key) } }
  }

  /// The names of the keys whose values were set, in alphabetical order.
  public var overriddenKeys: [String] { storage.overrides.values.map { typeName($0.key) }.sorted() }

  /// Whether these are the same values, and not only equal ones.
  func isIdentical(to other: Self) -> Bool { storage === other.storage }

  /// The same values with their own defaults, so that what a default remembers is not shared with
  /// others.
  package mutating func isolateDefaults() { change { $0.defaults = DependencyDefaults() } }

  private mutating func change(_ change: (Storage) -> Void) {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
    change(storage)
  }

  private final class Storage: @unchecked Sendable {
    // Sendable: it is changed only by `change`, which has made sure that nobody else refers to it.
    var context: DependencyContext
    var overrides: [ObjectIdentifier: AnyDependencyBox]
    var defaults: DependencyDefaults

    init(context: DependencyContext, defaults: DependencyDefaults) {
      self.context = context
      self.defaults = defaults
      overrides = [:]
    }

    init(copying other: Storage) {
      context = other.context
      defaults = other.defaults
      overrides = other.overrides
    }
  }

  // MARK: Current

  @TaskLocal private static var scoped: DependencyValues?

  /// What is in force where nothing else is. It is read often and without a lock, and replaced
  /// hardly ever: what it referred to before is never released, so that a reader cannot lose it.
  private static let prepared = Atomic(Unmanaged.passRetained(DependencyValues().storage))

  /// Whether these are the values in force here.
  var isCurrent: Bool {
    if let scoped = Self.scoped { return scoped.storage === storage }
    return Self.prepared.load(ordering: .acquiring).takeUnretainedValue() === storage
  }

  /// The values in force here.
  public static var current: DependencyValues {
    if let scoped { return scoped }
    var values = DependencyValues(
      storage: prepared.load(ordering: .acquiring).takeUnretainedValue())
    if isTesting { values.change { $0.defaults = .ofCurrentTest } }
    return values
  }

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
    var values = DependencyValues(
      storage: prepared.load(ordering: .acquiring).takeUnretainedValue())
    change(&values)
    prepared.store(Unmanaged.passRetained(values.storage), ordering: .releasing)
  }
}
