public import Domain
public import FoundationEssentials
import Synchronization

extension InMemoryPlatform {
  /// A store with a past: a person who lives alone and walks far, a year of their check-ins, and
  /// everybody around them, one for each way of standing.
  ///
  /// Everything follows from the time and the calendar, identities included, so that pictures of it
  /// are the same each time. Someone seems to watch as long as the platform lives: whoever lets the
  /// time pass runs a monitor beside it, and ``DemoNeighbours``.
  /// - Parameters:
  ///   - now: The store's clock; the story ends at its first reading.
  ///   - calendar: Whose mornings and evenings the check-ins belong to.
  ///   - clock: Gives leases their time.
  public static func demo(
    now: @escaping @Sendable () -> Date, calendar: CivilCalendar = .local,
    clock: any Clock<Duration> = ContinuousClock()
  ) -> InMemoryPlatform {
    let identities = CountedIdentities()
    let platform = InMemoryPlatform(now: now, makeUUID: { identities.next() }, clock: clock)
    let story = DemoStory(now: now(), calendar: calendar, makeUUID: { identities.next() })
    platform.store.write { contents in
      var account = story.account()
      account.isFirst = true
      for peer in story.peers(of: account.user) {
        contents.accounts[peer.account.user.id] = peer.account
        contents.relations.append(peer.relation)
      }
      contents.accounts[account.user.id] = account
      for delivery in account.deliveries {
        contents.deliveryAccounts[delivery.id] = account.user.id
      }
      contents.isWatchedFromWithin = true
    }
    return platform
  }

  /// The demo's address whose server puts mail off before it takes it.
  public static let slowMailbox = DemoStory.slowMailbox
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
