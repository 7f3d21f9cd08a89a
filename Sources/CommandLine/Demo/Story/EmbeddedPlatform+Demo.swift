import Domain
import SQLite
import FoundationEssentials
import Synchronization

extension EmbeddedPlatform {
  /// Returns a store in memory with a past: a person who lives alone and walks far, a year of their
  /// check-ins, and the people around them, one for each status.
  ///
  /// The past is played through the clients, on a clock that runs through the year before `now`.
  /// Everything follows from the time and the calendar, including identities, so that screenshots
  /// are the same each time. At first the monitor ``DemoStory/monitor`` counts as watching; a
  /// caller that lets time pass must run it, and ``DemoNeighbours``.
  /// - Parameters:
  ///   - now: The store's clock; the story ends at its first reading.
  ///   - calendar: The calendar for the mornings and evenings of the check-ins.
  ///   - clock: The clock for leases.
  static func demo(
    now: @escaping @Sendable () -> Date, calendar: CivilCalendar = .local,
    clock: any Clock<Duration> = ContinuousClock()
  ) async -> EmbeddedPlatform {
    let identities = CountedIdentities()
    let past = PastTime()
    let platform = EmbeddedPlatform.inMemory(
      now: { past.date ?? now() }, makeUUID: { identities.next() }, clock: clock)
    let story = DemoStory(
      now: now(), calendar: calendar, platform: platform, time: past,
      makeUUID: { identities.next() })
    do { try await story.happen() } catch {
      fatalError("The demo's story cannot happen: \(error)")
    }
    return platform
  }
}

/// The time of the story's current event; `nil` once the story is over.
final class PastTime: Sendable {
  private let contents = Mutex<Date?>(nil)

  var date: Date? {
    get { contents.withLock { $0 } }
    set { contents.withLock { $0 = newValue } }
  }
}

/// Identities that are the same in every run: UUIDs of version 8 (RFC 9562), counted from 1.
private final class CountedIdentities: Sendable {
  private let count = Mutex<UInt32>(0)

  func next() -> UUID {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return withUnsafeBytes(of: number.bigEndian) { bytes in
      UUID(
        uuid: (
          0x11, 0xFE, 0x51, 0x64, 0xA1, 0xDE, 0x80, 0x00, 0x80, 0x00, 0x00, 0x00,
          bytes[0], bytes[1], bytes[2], bytes[3]
        ))
    }
  }
}
