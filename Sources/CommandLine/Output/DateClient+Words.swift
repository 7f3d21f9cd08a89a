import Clients
import Domain
import FoundationEssentials

extension DateClient {
  /// Describes a date in the user's calendar, relative to now: `tomorrow 06:00`.
  func describe(_ date: Date) -> String { calendar.describe(date, now: now()) }
}
