import Synchronization

/// What tells one element of a stack from all others that were ever on a stack of the same program
/// or test. In a test the first is 0, the next 1.
public struct StackElementID: Hashable, Sendable {
  /// Which element it is, in the order in which they came.
  public let number: UInt64

  /// The id of a number.
  public init(_ number: UInt64) { self.number = number }
}

extension StackElementID: ExpressibleByIntegerLiteral {
  /// The id of a number.
  public init(integerLiteral number: UInt64) { self.init(number) }
}

extension StackElementID: Codable {
  /// Reads the number.
  public init(from decoder: any Decoder) throws {
    number = try decoder.singleValueContainer().decode(UInt64.self)
  }

  /// Writes the number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }
}

extension StackElementID: CustomStringConvertible {
  /// `#0`
  public var description: String { "#\(number)" }
}

extension StackElementID: CustomReflectable {
  /// Nothing inside: it is shown by its description.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// Makes the ids of stack elements, each once.
package final class StackElementIDGenerator: Sendable {
  private let number: Atomic<UInt64>

  package init(from first: UInt64 = 0) { number = Atomic(first) }

  /// The number of the next id.
  package var next: UInt64 { number.load(ordering: .relaxed) }

  func make() -> StackElementID {
    StackElementID(number.wrappingAdd(1, ordering: .relaxed).oldValue)
  }
}

extension DependencyValues {
  /// Makes the ids of stack elements.
  package var stackElementID: StackElementIDGenerator {
    get { self[StackElementIDKey.self] }
    set { self[StackElementIDKey.self] = newValue }
  }

  private enum StackElementIDKey: DependencyKey {
    static let liveValue = StackElementIDGenerator()
    static var testValue: StackElementIDGenerator { StackElementIDGenerator() }
  }
}
