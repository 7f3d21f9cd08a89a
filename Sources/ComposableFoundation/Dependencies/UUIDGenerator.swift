public import Composable
public import FoundationEssentials
import Synchronization

/// A source of unique ids: `@Dependency(\.uuid) var uuid`, then `uuid()`.
public struct UUIDGenerator: Sendable {
  private let generate: @Sendable () -> UUID

  /// Creates a generator from a function.
  public init(_ generate: @escaping @Sendable () -> UUID) { self.generate = generate }

  /// Returns a generator that always gives the same id.
  public static func constant(_ uuid: UUID) -> Self { Self { uuid } }

  /// A generator of `00000000-0000-0000-0000-000000000000`, then `…001`, and so on in hexadecimal.
  public static var incrementing: Self {
    let counter = IncrementingUUID()
    return Self { counter.next() }
  }

  /// Returns a new id.
  public func callAsFunction() -> UUID { generate() }
}

private final class IncrementingUUID: Sendable {
  private let count = Atomic<UInt64>(0)

  func next() -> UUID { UUID(count.wrappingAdd(1, ordering: .relaxed).oldValue) }
}

extension UUID {
  /// Creates an id from a number, as `UUIDGenerator.incrementing` does: 12 gives `…00c`.
  public init(_ number: UInt64) {
    func byte(_ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: number >> (index * 8)) }
    self.init(
      uuid: (
        0, 0, 0, 0, 0, 0, 0, 0, byte(7), byte(6), byte(5), byte(4), byte(3), byte(2), byte(1),
        byte(0)
      ))
  }
}

extension DependencyValues {
  /// The source of unique ids. A test must override it.
  public var uuid: UUIDGenerator {
    get { self[UUIDKey.self] }
    set { self[UUIDKey.self] = newValue }
  }

  private enum UUIDKey: DependencyKey {
    static let liveValue = UUIDGenerator { UUID() }
    static let testValue = UUIDGenerator(
      unimplemented("DependencyValues.uuid", placeholder: UUID()))
  }
}
