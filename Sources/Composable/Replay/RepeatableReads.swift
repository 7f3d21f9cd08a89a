import FoundationEssentials
import Synchronization

/// What reducers read of the world beside their actions: the time, and new ids. While an action is
/// reduced, the time stands still, and ids are counted up from a first one; so a replay that knows
/// the instant of each action and the first id reads the same again.
///
/// Effects, and everything else outside of reducers, read what they would read without it.
final class RepeatableReads: Sendable {
  /// The instant of the action that is being reduced here.
  @TaskLocal private static var instant: Date?

  private let firstID: UUID
  private let count = Atomic<UInt64>(0)

  init(firstID: UUID) { self.firstID = firstID }

  /// Reduces an action at an instant.
  func reduce<Result>(at instant: Date, _ body: () -> Result) -> Result {
    Self.$instant.withValue(instant, operation: body)
  }

  /// The time as reducers read it, and outside of them as `now` says.
  static func now(_ now: @escaping @Sendable () -> Date) -> @Sendable () -> Date {
    { instant ?? now() }
  }

  /// Lets reducers read by `\.date` and `\.uuid` what can be read again.
  func install(in values: inout DependencyValues) {
    let (date, uuid) = (values.date, values.uuid)
    values.date = DateGenerator(Self.now { date.now })
    values.uuid = UUIDGenerator { Self.instant == nil ? uuid() : self.nextID() }
  }

  private func nextID() -> UUID {
    firstID.advanced(by: count.wrappingAdd(1, ordering: .relaxed).oldValue)
  }
}

extension UUID {
  /// The id that comes so many after this one, when ids are taken for numbers. The first half is
  /// never changed.
  fileprivate func advanced(by distance: UInt64) -> UUID {
    var bytes = uuid
    withUnsafeMutableBytes(of: &bytes) { bytes in
      let low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      bytes.storeBytes(of: (low &+ distance).bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    return UUID(uuid: bytes)
  }
}
