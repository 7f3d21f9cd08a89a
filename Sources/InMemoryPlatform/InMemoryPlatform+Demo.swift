public import Domain
public import FoundationEssentials
import Synchronization

extension InMemoryPlatform {
  /// A store with a past: a person who lives alone and walks far, whom they named, five weeks of
  /// check-ins, and alerts with all that can become of telling somebody.
  ///
  /// Everything follows from the time and the calendar, identities included, so that pictures of it
  /// are the same each time. A monitor seems to be alive as long as the platform lives.
  /// - Parameters:
  ///   - now: The store's clock; the story ends at its first reading.
  ///   - calendar: Whose mornings and evenings the check-ins belong to.
  ///   - clock: Gives the monitor's signs of life their pace.
  public static func demo(
    now: @escaping @Sendable () -> Date, calendar: CivilCalendar = .local,
    clock: any Clock<Duration> = ContinuousClock()
  ) -> InMemoryPlatform {
    let identities = CountedIdentities()
    let platform = InMemoryPlatform(now: now, makeUUID: { identities.next() }, clock: clock)
    let start = now()
    let story = DemoStory(
      now: start, calendar: calendar, makeUUID: { identities.next() })
    platform.store.write { contents in
      var account = story.account()
      account.isFirst = true
      contents.accounts[account.user.id] = account
      for peer in story.peers(of: account.user) {
        contents.accounts[peer.account.user.id] = peer.account
        contents.relations.append(peer.relation)
      }
    }
    platform.store.keepSeeingMonitor(identities.next(), since: start - .seconds(3), clock: clock)
    return platform
  }
}

extension InMemoryStore {
  /// A sign of life every ten seconds, for as long as the store lives.
  fileprivate func keepSeeingMonitor(_ monitor: UUID, since start: Date, clock: any Clock<Duration>)
  {
    seeMonitor(monitor, at: start)
    Task { [weak self] in
      while (try? await clock.sleep(for: .seconds(10))) != nil {
        guard let self else { return }
        seeMonitor(monitor, at: now())
      }
    }
  }

  private func seeMonitor(_ monitor: UUID, at date: Date) {
    write(.other) { contents in
      contents.monitors[monitor] = MonitorLease(
        lastSeen: date, leasedUntil: date + .minutes(10), problem: nil)
    }
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
