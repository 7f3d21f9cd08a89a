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
    storage =
      isTesting
      ? Storage(.test, DependencyTable(), DependencyDefaults())
      : Storage(.live, DependencyTable(), .shared)
  }

  private init(storage: Storage) { self.storage = storage }

  /// What kind of run this is.
  public var context: DependencyContext {
    get { storage.context }
    set { storage = Storage(newValue, storage.overrides, storage.defaults) }
  }

  /// The value of a key.
  public subscript<Key: TestDependencyKey>(key: Key.Type) -> Key.Value {
    // Inlined, so that another module copies a value whose type it knows.
    @inlinable
    get { unsafeDowncast(box(of: key), to: DependencyBox<Key.Value>.self).value }
    set {
      var overrides = storage.overrides
      overrides.set(DependencyBox(newValue, of: key), for: ObjectIdentifier(key))
      storage = Storage(storage.context, overrides, storage.defaults)
    }
  }

  /// The value of a key, in a `DependencyBox<Key.Value>`: only the setter above and the defaults
  /// make boxes, of this type.
  @usableFromInline
  func box<Key: TestDependencyKey>(of key: Key.Type) -> AnyDependencyBox {
    storage.overrides[ObjectIdentifier(key)] ?? storage.defaults.box(of: key, in: storage.context)
  }

  /// The names of the keys whose values were set, in alphabetical order.
  public var overriddenKeys: [String] { storage.overrides.values.map { typeName($0.key) }.sorted() }

  /// The same values with their own defaults, so that what a default remembers is not shared with
  /// others.
  package mutating func isolateDefaults() { setDefaults(DependencyDefaults()) }

  private mutating func setDefaults(_ defaults: DependencyDefaults) {
    storage = Storage(storage.context, storage.overrides, defaults)
  }

  private final class Storage: Sendable {
    let context: DependencyContext
    let overrides: DependencyTable
    let defaults: DependencyDefaults

    init(
      _ context: DependencyContext, _ overrides: DependencyTable,
      _ defaults: DependencyDefaults
    ) {
      self.context = context
      self.overrides = overrides
      self.defaults = defaults
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
    if isTesting { values.setDefaults(.ofCurrentTest) }
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

  /// Runs an operation in which no values are in force but those that are everywhere: tasks that it
  /// makes do not hold on to others.
  static func withoutOverrides<Result>(_ operation: () throws -> Result) rethrows -> Result {
    try $scoped.withValue(nil, operation: operation)
  }

  /// Changes the values that are in force where nothing else is.
  static func prepare(_ change: (inout DependencyValues) -> Void) {
    var values = DependencyValues(
      storage: prepared.load(ordering: .acquiring).takeUnretainedValue())
    change(&values)
    prepared.store(Unmanaged.passRetained(values.storage), ordering: .releasing)
  }
}
