import Synchronization

/// State of a child that is presented over its parent: a sheet, a dialog.
///
/// ```swift
/// struct State: Equatable, Sendable {
///   @Presents var sheet: ContactFeature.State?
/// }
/// ```
///
/// Setting it presents, `nil` dismisses. `$sheet` is the `PresentationState` that `ifLet` asks for.
/// A state may present another of its own type.
@propertyWrapper
public struct Presents<Value> {
  /// The presentation.
  public var projectedValue: PresentationState<Value>

  /// Presents a child from the start, or none.
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
  /// Encodes the child's state, as an optional.
  public func encode(to encoder: any Encoder) throws { try projectedValue.encode(to: encoder) }
}

extension Presents: Decodable where Value: Decodable {
  /// Decodes the child's state, as an optional: a presentation of its own.
  public init(from decoder: any Decoder) throws {
    projectedValue = try PresentationState(from: decoder)
  }
}

// What the compiler calls for a property of a state: as for an optional, nothing is written for what
// is not presented.
extension KeyedDecodingContainer {
  /// Decodes the state of a child that may be presented.
  public func decode<Value: Decodable>(
    _: Presents<Value>.Type, forKey key: Key
  ) throws -> Presents<Value> {
    Presents(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
  }
}

extension KeyedEncodingContainer {
  /// Encodes the state of a child that may be presented.
  public mutating func encode<Value: Encodable>(_ value: Presents<Value>, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue, forKey: key)
  }
}

extension Presents: CustomReflectable {
  /// The child's state, as an optional.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue as Any) }
}

/// A child that may be presented, with what tells one presentation from the next.
public struct PresentationState<Value> {
  /// The child, in a box, so that a state can hold one of its own type; `nil` while nothing is
  /// presented. Changing it while others hold it, too, makes a new box.
  @usableFromInline var box: PresentationBox<Value>?
  /// Which presentation it is: a new number each time when something is presented after nothing.
  private(set) var number: UInt64 = 0
  /// How often something was put in place of the value as a whole.
  private(set) var assignments: UInt32 = 0

  /// The child's state, or `nil` while nothing is presented.
  public var value: Value? { storage }

  /// The child's state, to be changed in place.
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

  /// Makes a presentation of a child, or of none.
  public init(_ value: Value? = nil) {
    guard let value else { return }
    box = PresentationBox(value)
    number = Self.nextNumber()
  }

  /// Changes the child, which is there, in place.
  @inlinable
  mutating func modify<Result>(_ change: (inout Value) -> Result) -> Result {
    if !isKnownUniquelyReferenced(&box) { box = PresentationBox(box!.value) }
    return change(&box!.value!)
  }

  /// Takes the presentation out, to be put back.
  @inlinable
  mutating func take() -> Self {
    let taken = self
    box = nil
    return taken
  }

  /// Puts a value in place of the old one.
  @usableFromInline
  mutating func assign(_ newValue: Value?) {
    let wasPresented = box != nil
    box = newValue.map { PresentationBox($0) }
    assignments &+= 1
    modified(wasPresented: wasPresented)
  }

  /// Notes whether a new presentation has begun.
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
  // Only its one owner changes it, who is watched himself.
  @exclusivity(unchecked) @usableFromInline var value: Value?

  @inlinable
  init(_ value: Value?) { self.value = value }
}

// Only its one owner changes it; who shares it only reads.
extension PresentationBox: @unchecked Sendable where Value: Sendable {}

// Which presentation it is, is not part of what is presented.
extension PresentationState: Equatable where Value: Equatable {
  /// Whether both present the same.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.value == rhs.value }
}

extension PresentationState: Hashable where Value: Hashable {
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension PresentationState: Sendable where Value: Sendable {}

extension PresentationState: Encodable where Value: Encodable {
  /// Encodes the value, as an optional.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension PresentationState: Decodable where Value: Decodable {
  /// Decodes a value, as an optional: a presentation of its own.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Value?.self))
  }
}

extension PresentationState: CustomReflectable {
  /// The child's state, as an optional.
  public var customMirror: Mirror { Mirror(reflecting: value as Any) }
}
