import Synchronization

/// A way into and out of one case of an enum: it embeds a value in the case and extracts it again.
///
/// Written beside the enum, one line per case that holds a child's state or action:
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
/// A case path has an identity, given when it is made: keep it in a `static let`, so that a store
/// scoped by it twice is the same store.
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

  /// Makes a case path.
  ///
  /// - Parameters:
  ///   - embed: Puts a value into the case; usually the case's own constructor.
  ///   - extract: The value in the case, or `nil` if the root is another case.
  @inlinable
  public init(
    _ embed: @escaping @Sendable (Value) -> Root, _ extract: @escaping @Sendable (Root) -> Value?
  ) {
    storage = Storage(embed: embed, extract: extract)
  }

  /// Puts a value into the case.
  @inlinable
  public func embed(_ value: Value) -> Root { storage.embed(value) }

  /// The value in the case, or `nil` if `root` is another case.
  @inlinable
  public func extract(from root: Root) -> Value? { storage.extract(root) }

  /// Puts a value into the case.
  @inlinable
  public func callAsFunction(_ value: Value) -> Root { storage.embed(value) }

  /// What makes two case paths the same one.
  var identity: ObjectIdentifier { ObjectIdentifier(storage) }

  /// The path through this case into a case of its value.
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
  /// Makes a case path to a case without a value.
  public init(
    _ root: @autoclosure @escaping @Sendable () -> Root,
    _ matches: @escaping @Sendable (Root) -> Bool
  ) {
    self.init({ _ in root() }, { matches($0) ? () : nil })
  }
}

extension CasePath {
  /// Makes a case path that finds the value by reflection: one line for a case, in place of a closure
  /// that takes it apart.
  ///
  /// Taking a value out costs about a microsecond. For what is taken apart more often than a person
  /// presses keys, write the closure.
  ///
  /// - Parameter embed: The case's own constructor.
  public init(reflecting embed: @escaping @Sendable (Value) -> Root) {
    let name = CaseName()
    self.init(embed) { root in
      guard let child = Mirror(reflecting: root).children.first, let value = child.value as? Value
      else { return nil }
      // Two cases may hold values of the same type.
      let wanted = name.value { Mirror(reflecting: embed(value)).children.first?.label }
      return child.label == wanted ? value : nil
    }
  }
}

/// The name of a case, found out once.
private final class CaseName: Sendable {
  private let name = Mutex<String?>(nil)

  func value(_ find: () -> String?) -> String? {
    name.withLock { name in
      if name == nil { name = find() }
      return name
    }
  }
}
