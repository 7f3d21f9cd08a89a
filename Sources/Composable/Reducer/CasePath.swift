import Synchronization

/// A path to one case of an enum, which embeds a value in the case and extracts it again.
///
/// Declare one beside the enum for each case that holds a child's state or action:
///
/// ```swift
/// enum Action: Equatable, Sendable {
///   case checkIn(CheckInFeature.Action)
///
///   static let checkInCase = CasePath(Self.checkIn) {
///     if case .checkIn(let action) = $0 { action } else { nil }
///   }
/// }
/// ```
///
/// A case path gets its identity when it is created. Keep it in a `static let`, so that scoping a
/// store by it twice returns the same store.
public struct CasePath<Root, Value>: Sendable {
  @usableFromInline
  final class Storage: Sendable {
    @usableFromInline let embed: @Sendable (Value) -> Root
    @usableFromInline let extract: @Sendable (Root) -> Value?

    @usableFromInline
    init(
      embed: @escaping @Sendable (Value) -> Root, extract: @escaping @Sendable (Root) -> Value?
    ) {
      self.embed = embed
      self.extract = extract
    }
  }

  @usableFromInline let storage: Storage

  /// Creates a case path.
  ///
  /// - Parameters:
  ///   - embed: Puts a value into the case; usually the case's constructor.
  ///   - extract: Returns the value in the case, or `nil` if the root is another case.
  @inlinable
  public init(
    _ embed: @escaping @Sendable (Value) -> Root, _ extract: @escaping @Sendable (Root) -> Value?
  ) {
    storage = Storage(embed: embed, extract: extract)
  }

  /// Puts a value into the case.
  @inlinable
  public func embed(_ value: Value) -> Root { storage.embed(value) }

  /// Returns the value in the case, or `nil` if `root` is another case.
  @inlinable
  public func extract(from root: Root) -> Value? { storage.extract(root) }

  /// Puts a value into the case.
  @inlinable
  public func callAsFunction(_ value: Value) -> Root { storage.embed(value) }

  /// The identity of the path. Copies share it; paths created separately differ.
  var identity: ObjectIdentifier { ObjectIdentifier(storage) }

  /// Returns the path through this case to a case of its value.
  @inlinable
  public func appending<Leaf>(_ path: CasePath<Value, Leaf>) -> CasePath<Root, Leaf> {
    CasePath<Root, Leaf> {
      self.embed(path.embed($0))
    } _: {
      self.extract(from: $0).flatMap(path.extract(from:))
    }
  }
}

extension CasePath where Value == Void {
  /// Creates a case path to a case without a value.
  public init(
    _ root: @autoclosure @escaping @Sendable () -> Root,
    _ matches: @escaping @Sendable (Root) -> Bool
  ) {
    self.init({ _ in root() }, { matches($0) ? () : nil })
  }
}

extension CasePath {
  /// Creates a case path that extracts the value by reflection, which saves writing a closure for
  /// the case.
  ///
  /// Extraction takes about a microsecond. Write the closure for values that are extracted more
  /// often than a person presses keys.
  ///
  /// - Parameter embed: The case's constructor.
  public init(reflecting embed: @escaping @Sendable (Value) -> Root) {
    let name = CaseName()
    self.init(embed) { root in
      guard let child = Mirror(reflecting: root).children.first, let value = child.value as? Value
      else { return nil }
      // Two cases can hold values of the same type, so the names are compared as well.
      let wanted = name.value { Mirror(reflecting: embed(value)).children.first?.label }
      return child.label == wanted ? value : nil
    }
  }
}

/// The name of a case, looked up once.
private final class CaseName: Sendable {
  private let name = Mutex<String?>(nil)

  func value(_ find: () -> String?) -> String? {
    name.withLock { name in
      if name == nil { name = find() }
      return name
    }
  }
}
