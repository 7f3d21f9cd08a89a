import Synchronization

/// The id of a stack element, unique among all elements that were ever on a stack in the same
/// program or test. In a test the ids start at 0.
public struct StackElementID: Hashable, Sendable {
  /// The number of the id. Ids are numbered in the order of creation.
  public let number: UInt64

  /// Creates an id from a number.
  public init(_ number: UInt64) { self.number = number }
}

extension StackElementID: ExpressibleByIntegerLiteral {
  /// Creates an id from a number.
  public init(integerLiteral number: UInt64) { self.init(number) }
}

extension StackElementID: Codable {
  /// Decodes the number.
  public init(from decoder: any Decoder) throws {
    number = try decoder.singleValueContainer().decode(UInt64.self)
  }

  /// Encodes the number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }
}

extension StackElementID: CustomStringConvertible {
  /// The number after a hash sign: `#0`.
  public var description: String { "#\(number)" }
}

extension StackElementID: CustomReflectable {
  /// A mirror without children, so that the id is shown by its description.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// Generates unique ids for stack elements.
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
  /// Generates the ids of stack elements.
  package var stackElementID: StackElementIDGenerator {
    get { self[StackElementIDKey.self] }
    set { self[StackElementIDKey.self] = newValue }
  }

  private enum StackElementIDKey: DependencyKey {
    static let liveValue = StackElementIDGenerator()
    static var testValue: StackElementIDGenerator { StackElementIDGenerator() }
  }
}
