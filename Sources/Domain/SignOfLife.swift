public import FoundationEssentials

/// Decides whether a sign of life counts: a command that was typed in a shell, which checks in for a
/// while if the person chose that (CHK-10).
///
///     SignOfLife(of: user, lastTrueCheckIn: date, isAlertShown: false).refusal(at: now)
///
/// The store decides with it, and the command `lifesignal signs` says with it what would happen.
public struct SignOfLife: Equatable, Sendable {
  public var user: User
  /// When the person last checked in themselves, neither by a sign nor by a link; `nil` if that isn't
  /// known.
  public var lastTrueCheckIn: Date?
  /// Whether an alert is on that the person sees, or one that they began is about to be sent. A drill
  /// is none, and a silent alert must make no difference.
  public var isAlertShown: Bool

  public init(of user: User, lastTrueCheckIn: Date?, isAlertShown: Bool) {
    self.user = user
    self.lastTrueCheckIn = lastTrueCheckIn
    self.isAlertShown = isAlertShown
  }

  /// - Parameter checkIns: The person's check-ins, newest first.
  public init(of user: User, after checkIns: [CheckIn], isAlertShown: Bool) {
    self.init(
      of: user, lastTrueCheckIn: checkIns.first(where: \.source.isTrue)?.date,
      isAlertShown: isAlertShown)
  }

  /// Why a sign doesn't count.
  public enum Refusal: CaseIterable, Equatable, Sendable {
    /// The person hasn't chosen signs of life.
    case off
    case gate
    case paused
    /// An outing is on, which no sign ends (OUT-2).
    case outing
    case alert
    case overdue
    /// The last check-in, of any source, is less than ``pause`` ago.
    case tooSoon
    /// The next set time isn't open yet (SCH-2), so that a check-in would change nothing.
    case early
    /// The deadline would be later than ``limit(at:)``.
    case budgetSpent
  }

  /// How long after a check-in the next sign counts.
  public static let pause = TimeSpan.minutes(30)
  /// How many intervals or set times after the last true check-in the deadline can be.
  public static let mostDeadlines = 3
  /// How long after the last true check-in the deadline can be, whatever the interval.
  public static let longest = TimeSpan.days(7)

  /// Returns why a sign doesn't count, or `nil` if it does.
  public func refusal(at now: Date) -> Refusal? {
    let deadline = user.deadline
    if !user.locks.contains(.signsOfLife) { return .off }
    // The gate as it seems to the person, as for every check-in (CHK-3).
    if user.locks.contains(.gate) { return .gate }
    if user.outing != nil { return .outing }
    if deadline.isPaused(at: now) { return .paused }
    if isAlertShown { return .alert }
    if now >= deadline.date { return .overdue }
    // Also while a clock that was ahead stamped the last one later than now.
    if now < user.lastCheckIn + Self.pause { return .tooSoon }
    if deadline.isEarly(at: now) { return .early }
    return isWithinLimit(at: now) ? nil : .budgetSpent
  }

  /// Returns whether a check-in now would give a deadline that signs and links can carry it to.
  public func isWithinLimit(at now: Date) -> Bool {
    user.deadline(afterCheckInAt: now) <= limit(at: now)
  }

  /// Returns the latest deadline to which signs of life, and links after them, can carry the person:
  /// 3 intervals after the last true check-in, or the third set time that was to come after it, but at
  /// most 7 days after it.
  public func limit(at now: Date) -> Date {
    guard let lastTrueCheckIn else { return .distantPast }
    // A clock that was far ahead stamped it: nobody knows when it was.
    guard lastTrueCheckIn <= now + CheckIn.maximumClockLead else { return .distantPast }
    // A clock that was ahead doesn't stretch the budget.
    let start = min(lastTrueCheckIn, now)
    let longest = start + Self.longest
    guard let schedule = user.schedule else {
      return min(start + .seconds(Self.mostDeadlines * user.interval.span.seconds), longest)
    }
    guard let rules = schedule.rules else { return start }
    let upcoming = schedule.times.upcoming(
      Self.mostDeadlines, after: start, floor: start, rules: rules)
    return min(upcoming[Self.mostDeadlines - 1].date, longest)
  }

  /// What a person reads before they choose signs of life.
  public static let explanation = [
    "A command that you enter in a shell of this account then checks in by itself, at most once in"
      + " 30 minutes. An empty line doesn't, and nothing is printed.",
    "Whatever types in your terminal counts, because it can't be told from you: a program, a script in"
      + " tmux, someone else at your keyboard, or someone who forces you. If that could hide that you need"
      + " help, leave this off.",
    "So a sign only postpones: at most to 3 intervals (or set times) after your last check-in of your own,"
      + " and never over 7 days. None counts once your deadline has passed, in a pause, while an alert is on,"
      + " with a passphrase gate, or if your server can't be reached.",
  ]
}

extension User {
  /// Returns the deadline that a check-in at that instant would give.
  func deadline(afterCheckInAt now: Date) -> Date {
    var moved = self
    moved.lastCheckIn = now
    moved.schedule?.moveOn(lastCheckIn: now, pausedUntil: pausedUntil)
    return moved.deadline.date
  }
}
