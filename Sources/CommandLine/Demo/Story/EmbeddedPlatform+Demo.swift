import Domain
import SQLite
import FoundationEssentials
import Synchronization

extension EmbeddedPlatform {
  /// A store in memory with a past: a person who lives alone and walks far, a year of their check-ins,
  /// and everybody around them, one for each way of standing.
  ///
  /// They did it all as people do, through the clients, on a clock that goes through the year before
  /// `now`. Everything follows from the time and the calendar, identities included, so that pictures of
  /// it are the same each time. The monitor of ``DemoStory/monitor`` watches at first: a caller that lets the
  /// time pass runs it, and ``DemoNeighbours``.
  /// - Parameters:
  ///   - now: The store's clock; the story ends at its first reading.
  ///   - calendar: Whose mornings and evenings the check-ins belong to.
  ///   - clock: Gives leases their time.
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

/// When something of the story happens; `nil` once it is over.
final class PastTime: Sendable {
  private let contents = Mutex<Date?>(nil)

  var date: Date? {
    get { contents.withLock { $0 } }
    set { contents.withLock { $0 = newValue } }
  }
}

/// Identities that are the same in every run: version 8 (RFC 9562), counted from 1.
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
