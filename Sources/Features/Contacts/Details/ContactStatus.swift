import Domain
import FoundationEssentials
import Terminal

/// A contact's status in lists and details: a text, and a mark whose shape says the same as its
/// colour.
struct ContactStatus: Equatable {
  var mark: String
  var role: ThemeRole
  var text: String
  /// Whether the text is the time left until a deadline, which is right-aligned.
  var isTimeLeft = false

  /// - Parameter snapshot: The source of the time and the calendar.
  init(_ contact: Contact, in snapshot: AccountSnapshot) {
    let (now, calendar) = (snapshot.now, snapshot.calendar)
    guard let link = contact.link else {
      guard contact.isActive else {
        self.init("◌", .dim, "declined")
        return
      }
      self.init("○", .dim, contact.phone.map(PhoneNumber.grouped) ?? "no account here")
      return
    }
    switch link.state {
    case .offered: self.init("◌", .accent, contact.roles.offerText)
    case .requested: self.init("◌", .dim, "asked, has not answered yet")
    case .declined: self.init("◌", .dim, "declined")
    case .active:
      guard let dependent = link.dependentStatus else {
        self.init("●", .calm, contact.phone.map(PhoneNumber.grouped) ?? "")
        return
      }
      let status = dependent.status(at: now)
      self.init(
        status.mark, status.role, Self.words(for: dependent, status, now: now, calendar: calendar))
      isTimeLeft = status == .ok || status == .dueSoon
    }
  }

  private init(_ mark: String, _ role: ThemeRole, _ text: String) {
    self.mark = mark
    self.role = role
    self.text = text
  }

  private static func words(
    for dependent: DependentStatus, _ status: CheckInStatus, now: Date, calendar: CivilCalendar
  ) -> String {
    let late = dependent.deadline.distanceText(at: now)
    switch status {
    case .ok, .dueSoon:
      return TimeSpan(seconds: dependent.deadline.secondsLeft(at: now)).shortDescription
    case .overdue: return "Overdue \(late)"
    case .nonResponsive: return "No check-in, overdue \(late)"
    case .paused: return "paused until \(calendar.describe(dependent.pausedUntil ?? now, now: now))"
    case .alert:
      guard let alert = dependent.alert else { return "ALERT" }
      let age = calendar.age(of: alert.raisedAt, now: now)
      let message = alert.message.replacing("\n", with: " ")
      return "ALERT \(age)" + (message.isEmpty ? "" : " · “\(message)”")
    }
  }
}

extension Contact {
  /// The person's ping to them, if it is still open.
  func openSentPing(at now: Date) -> Ping? {
    link?.sentPing.map { $0.asOf(now) }.flatMap { $0.state == .open ? $0 : nil }
  }

  /// Their ping to the person, if it is still open.
  func openReceivedPing(at now: Date) -> Ping? {
    link?.receivedPing.map { $0.asOf(now) }.flatMap { $0.state == .open ? $0 : nil }
  }

  /// Their active alert, which needs a response.
  var activeAlert: Alert? { link?.dependentStatus?.alert }

  /// The names of the people responding to their alert.
  var helpers: String? {
    guard let words = activeAlert?.acknowledgements, !words.isEmpty else { return nil }
    return words.map(\.name).joined(separator: ", ")
  }
}

extension CivilCalendar {
  /// The age of an event in lists: `just now` under a minute, a span such as `5h 23m`, or the date
  /// beyond 30 days (ORD-4).
  func age(of date: Date, now: Date) -> String {
    let span = TimeSpan(seconds: max(0, Int(bounded: now.timeIntervalSince(date))))
    if span < .seconds(60) { return "just now" }
    return span > .days(30) ? time(of: date).dateText : span.shortDescription
  }
}

extension Roles {
  /// The text of a contact request that offers these roles.
  fileprivate var offerText: String {
    switch (contains(.responder), contains(.dependent)) {
    case (true, true): "asks that you respond for each other"
    case (true, false): "asks to respond for you"
    default: "asks you to respond for them"
    }
  }
}
