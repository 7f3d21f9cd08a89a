import Clients
import Composable
import Domain
import FoundationEssentials

extension DemoStory {
  /// Days before today without a check-in. Each made the next one late, and responders were
  /// notified.
  private static let missedDays: Set<Int> = [8, 97, 241]
  /// Days before today on which the user had paused check-ins (CHK-7).
  private static let holiday = 131...139
  /// The length of the history in days.
  private static let days = 365

  /// Returns the account, its contacts without accounts (CON-3), and the check-ins of the last
  /// year.
  func life() -> [Event] {
    let dates = checkInDates
    let profile = Profile(
      name: "Ida Lindqvist", phone: "+46701740605",
      note: """
        Penicillin allergy. Asthma: inhaler in the blue jacket.
        Spare key with Bo, second floor. The dog is called Sot.
        """,
      email: "ida@example.org", address: "Lindvägen 4, 3rd floor\n123 45 Björkby",
      access: "Door code 1789. Spare key with Bo, second floor.")
    var events = [
      Event(date: dates[0]) { [ida] in
        _ = try await ida.authClient.createAccount(
          NewAccount(
            profile: profile, interval: Self.interval, reminders: [.hours(2), .minutes(30)],
            grace: Self.grace))
      }
    ]
    for (index, contact) in Self.outsideContacts.enumerated() {
      events.append(
        Event(date: dates[0] + .hours(index * 20)) { [ida] in
          _ = try await ida.contactsClient.add(contact)
          try await deliver(for: ida)
        })
    }
    for (index, date) in dates.enumerated().dropFirst() {
      events += checkIn(index, at: date, after: dates[index - 1])
    }
    return events
  }

  /// Returns a check-in, preceded by the messages that were sent if it was late.
  private func checkIn(_ index: Int, at date: Date, after previous: Date) -> [Event] {
    let gap = date.timeIntervalSince(previous)
    let deadline = previous + Self.interval.span
    let isHoliday = gap > 4 * 86_400
    let isLate = deadline < date && !isHoliday
    var events: [Event] = []
    if isHoliday {
      events.append(
        Event(date: previous + .hours(1)) { [ida] in
          _ = try await ida.checkInClient.pause(date - .hours(6))
        })
    }
    if isLate {
      events.append(Event(date: deadline + Self.grace) { [ida] in try await deliver(for: ida) })
    }
    events.append(
      Event(date: date) { [ida] in
        _ = try await ida.checkInClient.checkIn(Self.source(ofCheckIn: index))
        if isLate { try await deliver(for: ida) }
      })
    return events
  }

  private static let outsideContacts = [
    ContactDraft(
      name: "Bo Nyström", phone: "+46731230044", note: "Neighbour, has the key.",
      email: "bo@example.org", roles: .responder),
    ContactDraft(
      name: "Aoife O’Neill", phone: "+353861234567", note: "Sister.", email: "aoife@example.net",
      roles: [.responder, .dependent]),
    ContactDraft(
      name: "Dr. Amara Okafor", phone: "+442071838750", email: slowMailbox, roles: .responder),
    ContactDraft(
      name: "小林 さくら", phone: "+81312345678", note: "Walks with me on Sundays.",
      email: "sakura@example.jp", roles: .responder),
    ContactDraft(
      name: "Grandpa Erik", phone: "+46812345678", note: "Lives alone, hard of hearing.",
      roles: .dependent),
    ContactDraft(
      name: "Zoë van Dijk", phone: "+31612345678", note: "Sails single-handed.",
      email: "zoe@example.nl", roles: .dependent),
  ]

  /// The times of the check-ins, oldest first.
  private var checkInDates: [Date] {
    let time = calendar.time(of: now)
    let midnight = now - .seconds(time.hour * 3_600 + time.minute * 60 + time.second)
    let end = now - .minutes(5)
    var dates: [Date] = []
    for day in (0...Self.days).reversed() {
      let second: Date = midnight - .days(day) + .seconds(day * 37 % 60)
      let weekday = (time.weekday + 7 * 53 - day) % 7
      for minutes in minutes(ofDay: day, weekday: weekday) {
        let date: Date = second + .minutes(minutes)
        if date < end { dates.append(date) }
      }
    }
    return dates
  }

  /// Returns the times of the check-ins on a day, in minutes after midnight: in the morning, later
  /// at weekends, and sometimes again in the evening.
  private func minutes(ofDay day: Int, weekday: Int) -> [Int] {
    guard !Self.missedDays.contains(day), !Self.holiday.contains(day) else { return [] }
    if day == 0 { return [7 * 60 + 52] }
    let isWeekend = weekday == 0 || weekday == 6
    let morning = 7 * 60 + 30 + (isWeekend ? 70 : 0) + Self.variation(of: day) % 55
    let hasEvening = Self.variation(of: day + 1_000) % 6 == 0
    return hasEvening ? [morning, 20 * 60 + 15 + Self.variation(of: day + 2_000) % 130] : [morning]
  }

  private static func source(ofCheckIn index: Int) -> CheckIn.Source {
    switch variation(of: index + 3_000) % 20 {
    case 0...1: .commandLine
    case 2: .pingAnswer
    default: .manual
    }
  }

  /// Returns a number that looks random but is the same in every run.
  private static func variation(of index: Int) -> Int {
    var random = SplitMix64(seed: 0, skipping: index - 1)
    return Int(random.next() >> 33)
  }
}
