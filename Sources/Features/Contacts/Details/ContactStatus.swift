import Domain
import FoundationEssentials
import Terminal

/// How a contact stands, as lists and details show it: a mark whose shape says the same as its
/// colour, and words.
struct ContactStatus: Equatable {
  var mark: String
  var role: ThemeRole
  var text: String
  /// Whether the words are the time left to a deadline, which stands at the right like any number.
  var isTimeLeft = false

  /// - Parameter snapshot: Gives the time and the calendar.
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
    let late = TimeSpan(seconds: -dependent.deadline.secondsLeft(at: now)).shortDescription
    switch status {
    case .ok, .dueSoon:
      return TimeSpan(seconds: dependent.deadline.secondsLeft(at: now)).shortDescription
    case .overdue: return "Overdue \(late)"
    case .nonResponsive: return "Non-responsive \(late)"
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
  /// My ping to them, while they have not answered it.
  func openSentPing(at now: Date) -> Ping? {
    link?.sentPing.map { $0.asOf(now) }.flatMap { $0.state == .open ? $0 : nil }
  }

  /// Their ping to me, while I have not answered it.
  func openReceivedPing(at now: Date) -> Ping? {
    link?.receivedPing.map { $0.asOf(now) }.flatMap { $0.state == .open ? $0 : nil }
  }

  /// The alert of theirs that somebody should respond to.
  var activeAlert: Alert? { link?.dependentStatus?.alert }

  /// Who has said that they are responding.
  var helpers: String? {
    guard let words = activeAlert?.acknowledgements, !words.isEmpty else { return nil }
    return words.map(\.name).joined(separator: ", ")
  }

  /// Whether something about them needs the person now.
  func needsAttention(at now: Date) -> Bool {
    switch link?.dependentStatus?.status(at: now) {
    case .alert, .nonResponsive: true
    default: false
    }
  }
}

extension CivilCalendar {
  /// How long ago something was, as lists show it: `just now` under a minute, `5h 23m`, a date beyond
  /// 30 days (ORD-4).
  func age(of date: Date, now: Date) -> String {
    let span = TimeSpan(seconds: max(0, Int(bounded: now.timeIntervalSince(date))))
    if span < .seconds(60) { return "just now" }
    return span > .days(30) ? time(of: date).dateText : span.shortDescription
  }
}

extension AccountSnapshot {
  /// The people the person responds for who have called for help, the newest call first.
  var dependentsInAlert: [Contact] {
    linked.filter { $0.link?.dependentStatus?.status(at: now) == .alert }
      .sorted {
        ($0.activeAlert?.raisedAt ?? .distantPast) > ($1.activeAlert?.raisedAt ?? .distantPast)
      }
  }

  /// How many wait for the person's consent to this role.
  func offers(of role: Roles) -> Int {
    linked.count { $0.link?.state == .offered && $0.roles.contains(role) }
  }
}

extension Roles {
  /// What somebody asks who offers a relation with these roles.
  fileprivate var offerText: String {
    switch (contains(.responder), contains(.dependent)) {
    case (true, true): "asks that you respond for each other"
    case (true, false): "asks to respond for you"
    default: "asks you to respond for them"
    }
  }
}
