import Domain
import FoundationEssentials

extension AccountSnapshot {
  /// The snapshot of an account that hasn't been loaded.
  static func unread(now: Date, calendar: CivilCalendar) -> Self {
    Self(
      user: User(
        id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
        profile: Profile(name: ""), lastCheckIn: now, createdAt: now),
      now: now, calendar: calendar)
  }

  /// The data of one stream, in the order in which they are loaded: large parts later, and last
  /// those that the first screen doesn't show.
  enum Part: String, Codable, CaseIterable, Sendable {
    case session, user, history, alerts, armed, watch
    case record, notifications, contacts, channels

    /// The name of the part for the user.
    var title: String {
      switch self {
      case .session: "who is signed in"
      case .user: "your deadline"
      case .history, .record: "your check-ins"
      case .alerts, .armed: "your alerts"
      case .watch: "who watches"
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

  /// Notes that a stream has failed, keeping the time of its first failure.
  mutating func note(_ error: ErrorText, of part: Part, at date: Date) {
    stalls[part] = Stall(error: error, since: stalls[part]?.since ?? date)
  }

  /// The time since which the server hasn't answered, or `nil` if it answers, is still being tried,
  /// or there is no server.
  var unreachableSince: Date? {
    if case .offline(let since, _) = connection { since } else { nil }
  }

  /// The watch status, or `nil` if the last known one may no longer be true (WCH-1). Views read the
  /// situation's.
  var knownWatch: WatchStatus? {
    guard stalls[.watch] == nil, !connection.isAway, var watch else { return nil }
    // In the app there is a key for it.
    if host == .thisMachine {
      watch.problem = watch.problem?.replacing(
        "run lifesignal mail setup", with: "press m on Profile")
    }
    return watch
  }

  /// The time of the data shown while the server is away, such as `yesterday 17:41`.
  var asOfText: String? { connection.asOf.map { calendar.describe($0, now: now) } }

  /// The text shown in place of the watch status while that is unknown, fitted to the width, or
  /// `nil` if it is known.
  func unknownWatchText(columns: Int) -> String? {
    guard stalls[.watch] != nil || connection.isAway else { return nil }
    if let queuedCountText, let unreachableSince {
      return columns >= 100
        ? "◌ offline since \(clock(unreachableSince)) · \(queuedCountText)" : "◌ \(queuedCountText)"
    }
    if case .reconnecting = connection { return columns >= 80 ? "◌ reconnecting" : "◌" }
    if let unreachableSince, columns >= 140 {
      let time = clock(unreachableSince)
      return "▲ server unreachable since \(time) · who watches: unknown"
    }
    return columns >= 100 ? "▲ who watches: unknown" : "▲ unknown"
  }

  /// Whether the person's status may differ from what the screen shows.
  var isStatusOutOfDate: Bool {
    connection.isAway || stalls.keys.contains { [.session, .user, .alerts, .armed].contains($0) }
  }

  /// What is out of date, since when, why, and what to do about it, or `nil` if everything is
  /// current.
  var stallText: (text: String, recovery: String?)? {
    let parts = Part.allCases.filter { stalls[$0] != nil }
    let errors = parts.compactMap { stalls[$0]?.error }
    // Errors that a retry can't fix come first.
    let lasting = errors.first { !$0.isRetryable }
    if let unreachableSince {
      let asOf = asOfText.map { " What you see is as of \($0)." } ?? ""
      // For example a rejected key. Saying only "unreachable" would make the person wait in vain.
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
