public import FoundationEssentials
import Synchronization

/// Makes unique ids: `@Dependency(\.uuid) var uuid`, then `uuid()`.
public struct UUIDGenerator: Sendable {
  private let generate: @Sendable () -> UUID

  /// Makes ids by a function.
  public init(_ generate: @escaping @Sendable () -> UUID) { self.generate = generate }

  /// Always the same id.
  public static func constant(_ uuid: UUID) -> Self { Self { uuid } }

  /// `00000000-0000-0000-0000-000000000000`, then `…001`, and so on in hexadecimal.
  public static var incrementing: Self {
    let counter = IncrementingUUID()
    return Self { counter.next() }
  }

  /// A new id.
  public func callAsFunction() -> UUID { generate() }
}

private final class IncrementingUUID: Sendable {
  private let count = Atomic<UInt64>(0)

  func next() -> UUID { UUID(count.wrappingAdd(1, ordering: .relaxed).oldValue) }
}

extension UUID {
  /// The id of a number, as `UUIDGenerator.incrementing` makes it: `…00c` is 12.
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
  /// Makes unique ids. In tests it has to be overridden.
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
