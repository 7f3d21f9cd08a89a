import Composable
import ComposableFoundation
import FoundationEssentials
import Testing

/// The dependencies whose types are Foundation's.
@Suite struct FoundationDependencyTests {
  @Test func datesAndIDsHaveToBeOverriddenInTests() {
    let values = DependencyValues.current
    withKnownIssue { _ = values.date.now }
    withKnownIssue { _ = values.uuid() }
    withKnownIssue { _ = values.calendar }
    withKnownIssue { _ = values.locale }
    withKnownIssue { _ = values.timeZone }
  }

  @Test func theCalendarTheLocaleAndTheTimeZoneCanBeOverridden() {
    withDependencies {
      $0.calendar = Calendar(identifier: .iso8601)
      $0.locale = Locale(identifier: "de_AT")
      $0.timeZone = TimeZone(secondsFromGMT: 3_600)!
    } operation: {
      @Dependency(\.calendar) var calendar
      @Dependency(\.locale) var locale
      @Dependency(\.timeZone) var timeZone
      #expect(calendar.identifier == .iso8601)
      #expect(locale.identifier == "de_AT")
      #expect(timeZone.secondsFromGMT() == 3_600)
    }
  }

  @Test func incrementingIDsAndConstantDates() {
    withDependencies {
      $0.uuid = .incrementing
      $0.date = .constant(Date(timeIntervalSince1970: 0))
    } operation: {
      @Dependency(\.uuid) var uuid
      @Dependency(\.date) var date
      #expect(uuid() == UUID(uuidString: "00000000-0000-0000-0000-000000000000"))
      #expect(uuid() == UUID(1))
      #expect(
        UUID(0x0102_0304_0506_0708) == UUID(uuidString: "00000000-0000-0000-0102-030405060708"))
      #expect(date.now == Date(timeIntervalSince1970: 0))
    }
  }
}
