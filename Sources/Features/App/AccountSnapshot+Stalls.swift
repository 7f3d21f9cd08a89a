import Domain
import FoundationEssentials

extension AccountSnapshot {
  /// That of an account of which nothing is known.
  static func unread(now: Date, calendar: CivilCalendar) -> Self {
    Self(
      user: User(
        id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
        profile: Profile(name: ""), lastCheckIn: now, createdAt: now),
      now: now, calendar: calendar)
  }

  /// What one stream from the store brings, in the order in which they are read: what may be much
  /// comes later, and last what the first screen does not show.
  enum Part: String, Codable, CaseIterable, Sendable {
    case session, user, history, alerts, armed, watch, appearance, lists
    case record, notifications, contacts, channels

    /// The part, for a person.
    var title: String {
      switch self {
      case .session: "who is signed in"
      case .user: "your deadline"
      case .history, .record: "your check-ins"
      case .alerts, .armed: "your alerts"
      case .watch: "who watches"
      case .appearance, .lists: "your settings"
      case .notifications: "the notifications"
      case .contacts: "your contacts"
      case .channels: "your channels"
      }
    }
  }

  /// Why a part is out of date.
  struct Stall: Equatable, Sendable {
    var error: ErrorText
    var since: Date
  }

  /// Notes that a stream has failed, since when it first did.
  mutating func note(_ error: ErrorText, of part: Part, at date: Date) {
    stalls[part] = Stall(error: error, since: stalls[part]?.since ?? date)
  }

  /// Since when the server has not answered; `nil` while it does or is still being asked, and where there is
  /// none.
  var unreachableSince: Date? {
    if case .offline(let since, _) = connection { since } else { nil }
  }

  /// Who watches, unless nobody can say so now: what was last known may not hold any more (WCH-1).
  var knownWatch: WatchStatus? {
    guard stalls[.watch] == nil, !connection.isAway, var watch else { return nil }
    // In the app nobody has to go to a shell for it.
    if host == .thisMachine {
      watch.problem = watch.problem?.replacing(
        "run lifesignal mail setup", with: "press m on Profile")
    }
    return watch
  }

  /// From when what is shown is, while the server is away: `yesterday 17:41`.
  var asOfText: String? { connection.asOf.map { calendar.describe($0, now: now) } }

  /// What stands in place of who watches where nobody can say so, as far as there is room for it; `nil` else.
  func unknownWatchText(columns: Int) -> String? {
    guard stalls[.watch] != nil || connection.isAway else { return nil }
    if case .reconnecting = connection { return columns >= 80 ? "◌ reconnecting" : "◌" }
    if let unreachableSince, columns >= 140 {
      let time = clock(unreachableSince)
      return "▲ server unreachable since \(time) · who watches: unknown"
    }
    return columns >= 100 ? "▲ who watches: unknown" : "▲ unknown"
  }

  /// Whether the person may stand otherwise than the screen says.
  var isStatusOutOfDate: Bool {
    connection.isAway || stalls.keys.contains { [.session, .user, .alerts, .armed].contains($0) }
  }

  /// What is out of date, since when and why, and what to do about it; `nil` when nothing is.
  var stallText: (text: String, recovery: String?)? {
    let parts = Part.allCases.filter { stalls[$0] != nil }
    let errors = parts.compactMap { stalls[$0]?.error }
    // What does not pass by itself comes first.
    let lasting = errors.first { !$0.isRetryable }
    if let unreachableSince {
      let asOf = asOfText.map { " What you see is as of \($0)." } ?? ""
      // Another key, say: a person who reads that it is away would wait.
      if let lasting {
        return ("\(lasting.description) Who watches is unknown.\(asOf)", lasting.recovery)
      }
      return (
        "Server unreachable since \(clock(unreachableSince)) · who watches: unknown.\(asOf)"
          + " Trying again by itself.", nil
      )
    }
    guard let since = stalls.values.map(\.since).min(), let error = lasting ?? errors.first else {
      return nil
    }
    var titles: [String] = []
    for part in parts where !titles.contains(part.title) { titles.append(part.title) }
    let what = titles.count > 3 ? "this screen" : titles.joinedAsList
    let lead = "Out of date since \(calendar.describe(since, now: now)): \(what)."
    return error.isRetryable
      ? ("\(lead) \(error.description) Trying again by itself.", nil)
      : ("\(lead) \(error.description)", error.recovery)
  }
}
