import Domain
package import FoundationEssentials
import Synchronization

/// The time as the database has it: several machines that use one store agree on it, whatever their own
/// clocks say.
///
/// Within a transaction it stands still at the transaction's time; between two it goes on from there.
package final class DatabaseClock: Sendable {
  /// What says the time of a transaction.
  static let milliseconds = "(extract(epoch FROM now()) * 1000)::bigint"

  private struct Contents {
    /// What the transaction that runs has.
    var current: Date?
    var last: (date: Date, at: ContinuousClock.Instant)?
  }

  private let contents = Mutex(Contents())

  package init() {}

  package var now: Date {
    contents.withLock { contents in
      if let current = contents.current { return current }
      guard let last = contents.last else { return Date() }
      let passed = last.at.duration(to: .now)
      return last.date.addingTimeInterval(passed / .seconds(1))
    }
  }

  func begin(_ date: Date) {
    contents.withLock { $0 = Contents(current: date, last: (date, .now)) }
  }

  func end() { contents.withLock { $0.current = nil } }
}
