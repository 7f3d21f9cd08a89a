import Composable
import FoundationEssentials
import Synchronization

/// Makes the time and the ids that reducers read repeatable. While an action is reduced, the time
/// stands still, and ids count up from a first one, so a replay that knows the time of each action
/// and the first id reads the same values.
///
/// Effects, and everything else outside reducers, aren't affected.
final class RepeatableReads: Sendable {
  /// The time of the action that is being reduced here.
  @TaskLocal private static var instant: Date?

  private let firstID: UUID
  private let count = Atomic<UInt64>(0)

  init(firstID: UUID) { self.firstID = firstID }

  /// Reduces an action at a given time.
  func reduce<Result>(at instant: Date, _ body: () -> Result) -> Result {
    Self.$instant.withValue(instant, operation: body)
  }

  /// Returns a function for the time: the action's in a reducer, and that of `now` elsewhere.
  static func now(_ now: @escaping @Sendable () -> Date) -> @Sendable () -> Date {
    { instant ?? now() }
  }

  /// Makes `\.date` and `\.uuid` repeatable in reducers.
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
  /// Returns the id that is the given distance after this one. Only the second half counts up.
  fileprivate func advanced(by distance: UInt64) -> UUID {
    var bytes = uuid
    withUnsafeMutableBytes(of: &bytes) { bytes in
      let low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      bytes.storeBytes(of: (low &+ distance).bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    return UUID(uuid: bytes)
  }
}
