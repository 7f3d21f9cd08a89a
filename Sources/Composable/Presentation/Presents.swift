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
      let wasPresented = projectedValue.value != nil
      defer { projectedValue.modified(wasPresented: wasPresented) }
      yield &projectedValue.storage
    }
    set { projectedValue.assign(newValue) }
  }
}

extension Presents: Equatable where Value: Equatable {}
extension Presents: Hashable where Value: Hashable {}
extension Presents: Sendable where Value: Sendable {}

extension Presents: CustomReflectable {
  /// The child's state, as an optional.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue as Any) }
}

/// A child that may be presented, with what tells one presentation from the next.
public struct PresentationState<Value> {
  @usableFromInline var storage: Value?
  /// Which presentation it is: a new number each time when something is presented after nothing.
  private(set) var number: UInt64 = 0
  /// How often something was put in place of the value as a whole.
  private(set) var assignments: UInt32 = 0

  /// The child's state, or `nil` while nothing is presented.
  public var value: Value? { storage }

  /// Makes a presentation of a child, or of none.
  public init(_ value: Value? = nil) {
    storage = value
    if value != nil { number = Self.nextNumber() }
  }

  /// Takes the presentation out, to be put back.
  @inlinable
  mutating func take() -> Self {
    let taken = self
    storage = nil
    return taken
  }

  /// Puts a value in place of the old one.
  @usableFromInline
  mutating func assign(_ newValue: Value?) {
    let wasPresented = storage != nil
    storage = newValue
    assignments &+= 1
    modified(wasPresented: wasPresented)
  }

  /// Notes whether a new presentation has begun.
  mutating func modified(wasPresented: Bool) {
    if !wasPresented, value != nil { number = Self.nextNumber() }
  }

  private static func nextNumber() -> UInt64 {
    lastPresentation.wrappingAdd(1, ordering: .relaxed).newValue
  }
}

private let lastPresentation = Atomic<UInt64>(0)

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

extension PresentationState: CustomReflectable {
  /// The child's state, as an optional.
  public var customMirror: Mirror { Mirror(reflecting: value as Any) }
}
