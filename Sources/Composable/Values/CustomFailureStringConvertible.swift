import Synchronization

/// A type that says how its values are shown in failures, differences and descriptions, which
/// otherwise show all properties. For a type that describes itself, the conformance is enough.
///
/// ```swift
/// extension Money: CustomFailureStringConvertible {
///   var descriptionInFailures: String { "\(amount) \(currency)" }
/// }
/// ```
public protocol CustomFailureStringConvertible: SendableMetatype {
  /// The value in one line. Different values should have different texts.
  var descriptionInFailures: String { get }
}

extension CustomFailureStringConvertible where Self: CustomStringConvertible {
  /// The value's description.
  public var descriptionInFailures: String { description }
}

// The mirrors of some of these have children. For all of them, it is faster than a mirror.
extension Bool: CustomFailureStringConvertible {}
extension Character: CustomFailureStringConvertible {}
extension Double: CustomFailureStringConvertible {}
extension Duration: CustomFailureStringConvertible {}
extension Int: CustomFailureStringConvertible {}
extension UInt: CustomFailureStringConvertible {}

/// Returns a type with its conformance; `nil` if it has none.
func describingType(_ type: any Any.Type) -> (any CustomFailureStringConvertible.Type)? {
  let id = ObjectIdentifier(type)
  if let known = describingTypes.withLock({ $0[id] }) { return known }
  let found = type as? any CustomFailureStringConvertible.Type
  describingTypes.withLock { $0[id] = .some(found) }
  return found
}

/// A cache, because a failing cast is expensive.
private let describingTypes = Mutex<
  [ObjectIdentifier: (any CustomFailureStringConvertible.Type)?]
>([:])

/// Returns the text of a value whose type is known, which makes casting it cheap.
func descriptionInFailures<Value: CustomFailureStringConvertible>(
  of value: Any, as _: Value.Type
) -> String {
  (value as! Value).descriptionInFailures
}
