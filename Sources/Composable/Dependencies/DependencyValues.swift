import Synchronization

/// The dependencies, by key. A key without an override has its default for the context.
///
/// To add a dependency, declare a key and a property:
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
/// A value type with copy-on-write; a copy costs one retain.
public struct DependencyValues: Sendable {
  private var storage: Storage

  /// Creates values without overrides, for the test context if this process runs tests, otherwise
  /// for the live one.
  public init() {
    storage =
      isTesting
      ? Storage(.test, DependencyTable(), DependencyDefaults())
      : Storage(.live, DependencyTable(), .shared)
  }

  private init(storage: Storage) { self.storage = storage }

  /// The kind of run.
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

  /// Returns the value of a key, in a `DependencyBox<Key.Value>`. Only the setter above and the
  /// defaults create boxes, always with this type.
  @usableFromInline
  func box<Key: TestDependencyKey>(of key: Key.Type) -> AnyDependencyBox {
    storage.overrides[ObjectIdentifier(key)] ?? storage.defaults.box(of: key, in: storage.context)
  }

  /// The names of the overridden keys, in alphabetical order.
  public var overriddenKeys: [String] { storage.overrides.values.map { typeName($0.key) }.sorted() }

  /// Gives these values separate defaults, so that state kept in a default isn't shared.
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

  /// The values where no others are set. They are read often and without a lock, and replaced very
  /// rarely. The old storage is never released, so a reader can't lose it.
  private static let prepared = Atomic(Unmanaged.passRetained(DependencyValues().storage))

  /// Whether these are the current values.
  var isCurrent: Bool {
    if let scoped = Self.scoped { return scoped.storage === storage }
    return Self.prepared.load(ordering: .acquiring).takeUnretainedValue() === storage
  }

  /// The values that are current here.
  public static var current: DependencyValues {
    if let scoped { return scoped }
    var values = DependencyValues(
      storage: prepared.load(ordering: .acquiring).takeUnretainedValue())
    if isTesting { values.setDefaults(.ofCurrentTest) }
    return values
  }

  /// Runs an operation with these values as the current ones.
  package static func with<Result>(
    _ values: DependencyValues, _ operation: () throws -> Result
  ) rethrows -> Result {
    try $scoped.withValue(values, operation: operation)
  }

  /// Runs an asynchronous operation with these values as the current ones.
  static func with<Result>(
    _ values: DependencyValues, isolation: isolated (any Actor)? = #isolation,
    _ operation: () async throws -> Result
  ) async rethrows -> Result {
    try await $scoped.withValue(values, operation: operation)
  }

  /// Runs an operation without overrides, so that tasks created in it don't retain any.
  static func withoutOverrides<Result>(_ operation: () throws -> Result) rethrows -> Result {
    try $scoped.withValue(nil, operation: operation)
  }

  /// Changes the values that apply where no others are set.
  static func prepare(_ change: (inout DependencyValues) -> Void) {
    var values = DependencyValues(
      storage: prepared.load(ordering: .acquiring).takeUnretainedValue())
    change(&values)
    prepared.store(Unmanaged.passRetained(values.storage), ordering: .releasing)
  }
}

/// A small table of dependency values by key, read for almost every action and rarely changed.
///
/// An open-addressed hash table. `Dictionary` would do, but its hash function is made to withstand
/// attackers, who can't choose the types used as keys here, and takes longer than the rest of a
/// look-up.
struct DependencyTable: Sendable {
  /// The keys as integers, 0 for an empty slot. At least half of the slots are empty, which keeps
  /// searches short.
  private var keys: [UInt] = [0, 0]
  private var boxes: [AnyDependencyBox?] = [nil, nil]
  private var count = 0
  /// How far to shift a 64-bit product so that it becomes a slot's index.
  private var shift: UInt = 63

  /// The value of a key, or `nil` if it has none.
  subscript(id: ObjectIdentifier) -> AnyDependencyBox? { boxes[slot(of: UInt(bitPattern: id))] }

  /// All values, unordered.
  var values: [AnyDependencyBox] { boxes.compactMap(\.self) }

  /// Sets the value of a key.
  mutating func set(_ box: AnyDependencyBox, for id: ObjectIdentifier) {
    let key = UInt(bitPattern: id)
    if keys[slot(of: key)] == 0 {
      if 2 * (count + 1) > keys.count { grow() }
      count += 1
    }
    let slot = slot(of: key)
    keys[slot] = key
    boxes[slot] = box
  }

  /// Returns the slot that holds a key, or the one where it belongs.
  private func slot(of key: UInt) -> Int {
    // Fibonacci hashing: metadata addresses are regularly spaced, and the product spreads them.
    var slot = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> shift)
    while keys[slot] != key, keys[slot] != 0 { slot = (slot + 1) & (keys.count - 1) }
    return slot
  }

  private mutating func grow() {
    let (oldKeys, oldBoxes) = (keys, boxes)
    keys = Array(repeating: 0, count: 2 * oldKeys.count)
    boxes = Array(repeating: nil, count: keys.count)
    shift -= 1
    for (key, box) in zip(oldKeys, oldBoxes) where key != 0 {
      let slot = slot(of: key)
      keys[slot] = key
      boxes[slot] = box
    }
  }
}

/// The value of a dependency, with its type erased.
@usableFromInline
class AnyDependencyBox: @unchecked Sendable {
  // Sendable: it holds a constant type, and its only subclass is Sendable in its own right.

  /// The key of the value.
  let key: any TestDependencyKey.Type

  init(key: any TestDependencyKey.Type) { self.key = key }
}

/// The value of a dependency.
@usableFromInline
final class DependencyBox<Value: Sendable>: AnyDependencyBox, @unchecked Sendable {
  // Sendable: it holds one constant that is Sendable. Unchecked only because its superclass is.
  @usableFromInline let value: Value

  init(_ value: Value, of key: any TestDependencyKey.Type) {
    self.value = value
    super.init(key: key)
  }
}
