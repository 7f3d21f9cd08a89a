import Clients
import Domain
import FoundationEssentials

extension DateClient {
  /// A date as the person's calendar and clock tell it now: `tomorrow 06:00`.
  func describe(_ date: Date) -> String { calendar.describe(date, now: now()) }
}
