import Synchronization

/// The state of a child that is presented over its parent, such as a sheet or a dialog.
///
/// ```swift
/// struct State: Equatable, Sendable {
///   @Presents var sheet: ContactFeature.State?
/// }
/// ```
///
/// Setting a state presents the child, and setting `nil` dismisses it. `$sheet` is the
/// `PresentationState` that `ifLet` expects. A state can present another of its own type.
@propertyWrapper
public struct Presents<Value> {
  /// The presentation.
  public var projectedValue: PresentationState<Value>

  /// Creates a presentation of a child, or of none.
  public init(wrappedValue: Value?) {
    projectedValue = PresentationState(wrappedValue)
  }

  /// The child's state, or `nil` while nothing is presented.
  public var wrappedValue: Value? {
    get { projectedValue.value }
    _modify {
      let wasPresented = projectedValue.box != nil
      defer { projectedValue.modified(wasPresented: wasPresented) }
      yield &projectedValue.storage
    }
    set { projectedValue.assign(newValue) }
  }
}

extension Presents: Equatable where Value: Equatable {}
extension Presents: Hashable where Value: Hashable {}
extension Presents: Sendable where Value: Sendable {}

extension Presents: Encodable where Value: Encodable {
  /// Encodes the child's state as an optional.
  public func encode(to encoder: any Encoder) throws { try projectedValue.encode(to: encoder) }
}

extension Presents: Decodable where Value: Decodable {
  /// Decodes the child's state as an optional, which becomes a new presentation.
  public init(from decoder: any Decoder) throws {
    projectedValue = try PresentationState(from: decoder)
  }
}

// The compiler calls these for a property of a state. Like an optional, an absent child isn't
// encoded.
extension KeyedDecodingContainer {
  /// Decodes the state of a child, or `nil` if the key is missing.
  public func decode<Value: Decodable>(
    _: Presents<Value>.Type, forKey key: Key
  ) throws -> Presents<Value> {
    Presents(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
  }
}

extension KeyedEncodingContainer {
  /// Encodes the state of a child, unless it is `nil`.
  public mutating func encode<Value: Encodable>(_ value: Presents<Value>, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue, forKey: key)
  }
}

extension Presents: CustomReflectable {
  /// The child's state as an optional.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue as Any) }
}

/// An optional child, with the identity of its presentation.
public struct PresentationState<Value> {
  /// The child, or `nil` while nothing is presented. A box, so that a state can contain its own
  /// type. Modifying a shared box makes a new one.
  @usableFromInline var box: PresentationBox<Value>?
  /// The identity of the presentation: a new number each time something is presented after nothing.
  private(set) var number: UInt64 = 0
  /// How many times the value was assigned as a whole.
  private(set) var assignments: UInt32 = 0

  /// The child's state, or `nil` while nothing is presented.
  public var value: Value? { storage }

  /// The child's state, for changes in place.
  @inlinable
  var storage: Value? {
    get { box?.value }
    _modify {
      if box == nil {
        var value: Value?
        defer { if let value { box = PresentationBox(value) } }
        yield &value
      } else {
        if !isKnownUniquelyReferenced(&box) { box = PresentationBox(box!.value) }
        defer { if case nil = box!.value { box = nil } }
        yield &box!.value
      }
    }
  }

  /// Creates a presentation of a child, or of none.
  public init(_ value: Value? = nil) {
    guard let value else { return }
    box = PresentationBox(value)
    number = Self.nextNumber()
  }

  /// Modifies the child in place. Something must be presented.
  ///
  /// - Parameter isCopy: Whether this is a copy that replaces the state's presentation afterwards.
  @inlinable
  mutating func modify<Result>(isCopy: Bool, _ change: (inout Value) -> Result) -> Result {
    if !ownsBox(isCopy) { box = PresentationBox(box!.value) }
    return change(&box!.value!)
  }

  /// Whether nothing else refers to the box, apart from the presentation that this copy replaces.
  @usableFromInline
  mutating func ownsBox(_ isCopy: Bool) -> Bool {
    if isKnownUniquelyReferenced(&box) { return true }
    guard isCopy, box != nil else { return false }
    // Whether one reference is left if this one doesn't count. The state's own keeps the box alive in the
    // meantime.
    let reference = Unmanaged.passUnretained(box!)
    reference.release()
    defer { _ = reference.retain() }
    return isKnownUniquelyReferenced(&self.box)
  }

  /// Replaces the value.
  @usableFromInline
  mutating func assign(_ newValue: Value?) {
    let wasPresented = box != nil
    box = newValue.map { PresentationBox($0) }
    assignments &+= 1
    modified(wasPresented: wasPresented)
  }

  /// Begins a new presentation if nothing was presented before.
  mutating func modified(wasPresented: Bool) {
    if !wasPresented, box != nil { number = Self.nextNumber() }
  }

  private static func nextNumber() -> UInt64 {
    lastPresentation.wrappingAdd(1, ordering: .relaxed).newValue
  }
}

private let lastPresentation = Atomic<UInt64>(0)

/// Holds the state of a presented child.
@usableFromInline
final class PresentationBox<Value> {
  // Only a unique owner modifies it, and access to the owner is checked already.
  @exclusivity(unchecked) @usableFromInline var value: Value?

  @inlinable
  init(_ value: Value?) { self.value = value }
}

// Sendable: only a unique owner modifies it, or the copy that replaces the owner's, and all others only
// read.
extension PresentationBox: @unchecked Sendable where Value: Sendable {}

// The identity of a presentation isn't a part of its value.
extension PresentationState: Equatable where Value: Equatable {
  /// Returns whether both present equal values.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.value == rhs.value }
}

extension PresentationState: Hashable where Value: Hashable {
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension PresentationState: Sendable where Value: Sendable {}

extension PresentationState: Encodable where Value: Encodable {
  /// Encodes the value as an optional.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension PresentationState: Decodable where Value: Decodable {
  /// Decodes an optional value, which becomes a new presentation.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Value?.self))
  }
}

extension PresentationState: CustomReflectable {
  /// The child's state as an optional.
  public var customMirror: Mirror { Mirror(reflecting: value as Any) }
}
