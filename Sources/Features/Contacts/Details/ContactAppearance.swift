import Domain
import FoundationEssentials
import Terminal

extension ContactStatus {
  /// A mark whose shape says the same as its colour.
  var mark: (text: String, role: ThemeRole) {
    switch self {
    case .declined, .requested: ("◌", .dim)
    case .outside: ("○", .dim)
    case .offered: ("◌", .accent)
    case .account: ("●", .calm)
    case .dependent(_, let status): (status.mark, status.role)
    }
  }

  /// Whether the text is the time left until a deadline, which is right-aligned.
  var isTimeLeft: Bool {
    if case .dependent(_, let status) = self { status == .ok || status == .dueSoon } else { false }
  }

  /// The status in lists and details.
  func text(of contact: Contact, in snapshot: AccountSnapshot) -> String {
    switch self {
    case .declined: "declined"
    case .outside: contact.phone.map(PhoneNumber.grouped) ?? "no account here"
    case .offered: contact.roles.offerText
    case .requested: "asked, has not answered yet"
    case .account: contact.phone.map(PhoneNumber.grouped) ?? ""
    case .dependent(let dependent, let status):
      Self.lines(for: dependent, status, now: snapshot.now, calendar: snapshot.calendar)
    }
  }

  /// What is said of an outing where it decides the status.
  private static func outing(
    of dependent: DependentStatus, _ status: CheckInStatus, now: Date
  ) -> String? {
    guard let outing = dependent.outing, status != .alert, status == outing.status(at: now),
      now >= outing.until || now < dependent.deadline.date
    else { return nil }
    switch status {
    case .ok, .dueSoon: return "out, back in \(outing.distanceText(at: now))"
    case .overdue: return "Not back for \(outing.distanceText(at: now))"
    case .nonResponsive:
      let text = outing.text.replacing("\n", with: " ")
      return "NOT BACK for \(outing.distanceText(at: now))" + (text.isEmpty ? "" : " · “\(text)”")
    case .alert, .paused: return nil
    }
  }

  private static func lines(
    for dependent: DependentStatus, _ status: CheckInStatus, now: Date, calendar: CivilCalendar
  ) -> String {
    let late = dependent.deadline.distanceText(at: now)
    if let text = outing(of: dependent, status, now: now) { return text }
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
  /// The names of the people responding to their alert.
  var helpers: String? {
    guard let acknowledgements = activeAlert?.acknowledgements, !acknowledgements.isEmpty else {
      return nil
    }
    return acknowledgements.map(\.name).joined(separator: ", ")
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
