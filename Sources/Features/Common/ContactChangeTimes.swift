import Domain
import FoundationEssentials

/// The times at which a contact looks different although its data doesn't change. Computed once
/// when the contacts change, because every update needs it and a person can have thousands of
/// contacts.
struct ContactChangeTimes: Equatable, Sendable {
  private let dates: [Date]

  /// - Parameter linked: The contacts with accounts. Nothing about the others depends on the time.
  init(_ linked: [Contact]) {
    var dates: [Date] = []
    for link in linked.lazy.compactMap(\.link) {
      if let deadline = link.dependentStatus?.deadline {
        dates += [
          deadline.start, deadline.pausedUntil ?? deadline.date, deadline.date, deadline.graceEnd,
        ]
      }
      if let outing = link.dependentStatus?.outing {
        dates += [outing.until - Outing.reminders[0], outing.until, outing.graceEnd]
      }
      for ping in [link.sentPing, link.receivedPing] {
        if let ping, ping.state == .open { dates.append(ping.expiresAt) }
      }
    }
    self.dates = dates.sorted()
  }

  func next(after now: Date) -> Date? {
    let index = count(upTo: now)
    return index < dates.count ? dates[index] : nil
  }

  /// Whether the clock passed any of these times on its way from one date to the other, in either
  /// direction.
  func contains(anyBetween old: Date, and new: Date) -> Bool {
    count(upTo: old) != count(upTo: new)
  }

  /// The number of times that aren't after a date.
  private func count(upTo date: Date) -> Int {
    var (low, high) = (0, dates.count)
    while low < high {
      let middle = (low + high) / 2
      if dates[middle] <= date { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
