import Domain
import FoundationEssentials

/// When something about the contacts looks different although nobody wrote to the store. It is found out
/// when they change, since it is asked for whenever anything does: a person may have thousands.
struct ContactMoments: Equatable, Sendable {
  private let dates: [Date]

  /// - Parameter linked: The contacts with accounts; of the others nothing depends on the time.
  init(_ linked: [Contact]) {
    var dates: [Date] = []
    for link in linked.lazy.compactMap(\.link) {
      if let deadline = link.dependentStatus?.deadline {
        dates += [deadline.start, deadline.date, deadline.graceEnd]
      }
      for ping in [link.sentPing, link.receivedPing] {
        if let ping, ping.state == .open { dates.append(ping.expiresAt) }
      }
    }
    self.dates = dates.sorted()
  }

  func next(after now: Date) -> Date? { dates.first { $0 > now } }

  /// Whether the way of the clock from one instant to another, back or forth, leads over any of them.
  func areAny(from old: Date, to new: Date) -> Bool {
    let (first, last) = (min(old, new), max(old, new))
    return dates.contains { $0 > first && $0 <= last }
  }
}
