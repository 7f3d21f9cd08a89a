public import FoundationEssentials

/// A contact's link to another account: the relation as one of its two sides sees it (CON-1).
public struct AccountLink: Equatable, Codable, Sendable {
  /// The other person.
  public var user: User.ID
  public var state: State
  /// The stored file with their picture, or `nil` if they have none or the relation is not active.
  public var picture: UUID?
  /// The kinds of channels on which they are notified, if the relation is active and they respond
  /// for me; `nil` from a server that doesn't report them.
  public var channelKinds: Set<Channel.Kind>?
  /// The other person's status, if the relation is active and I respond for them (CON-7).
  public var dependentStatus: DependentStatus?
  /// My last ping to them.
  public var sentPing: Ping?
  /// Their last ping to me.
  public var receivedPing: Ping?

  public init(
    user: User.ID, state: State, picture: UUID? = nil, dependentStatus: DependentStatus? = nil,
    sentPing: Ping? = nil, receivedPing: Ping? = nil
  ) {
    self.user = user
    self.state = state
    self.picture = picture
    self.dependentStatus = dependentStatus
    self.sentPing = sentPing
    self.receivedPing = receivedPing
  }

  /// The state of a relation, which takes effect once the other person consents (CON-2).
  public enum State: String, Equatable, Codable, CaseIterable, Sendable {
    /// I asked; they have not answered.
    case requested
    /// They asked; I have not answered.
    case offered
    case active
    /// They refused my request.
    case declined
  }
}

/// The part of a dependent's status that a responder can see.
public struct DependentStatus: Equatable, Codable, Sendable {
  public var interval: CheckInInterval
  public var lastCheckIn: Date
  public var grace: TimeSpan
  public var pausedUntil: Date?
  /// When the grace time of the running deadline restarted, or `nil` if it did not (ESC-4).
  public var graceFrom: Date?
  /// Where the last check-in came from, or `nil` if that is not known.
  public var lastSource: CheckIn.Source?
  /// The active alert, or `nil`; one raised by hand or under duress comes before a missed one.
  public var alert: Alert?
  /// Where the person lives, or `nil`.
  public var address: String?
  /// How to get in, or `nil`; always `nil` while no alert is on.
  public var access: String?
  /// The set times by which the person checks in, or `nil` if the interval counts (SCH-1).
  public var schedule: Schedule?
  /// The outing that is on; `nil` if there is none, or I'm not one of its responders (OUT-4).
  public var outing: Outing?
  /// Until when an outing lets the deadline wait at least, or `nil` (OUT-3).
  public var deadlineHeldUntil: Date?

  public init(
    interval: CheckInInterval, lastCheckIn: Date, grace: TimeSpan, pausedUntil: Date? = nil,
    graceFrom: Date? = nil, lastSource: CheckIn.Source? = nil, alert: Alert? = nil,
    address: String? = nil, access: String? = nil, schedule: Schedule? = nil
  ) {
    self.interval = interval
    self.lastCheckIn = lastCheckIn
    self.grace = grace
    self.pausedUntil = pausedUntil
    self.graceFrom = graceFrom
    self.lastSource = lastSource
    self.alert = alert
    self.address = address
    self.access = access
    self.schedule = schedule
  }

  public var deadline: Deadline {
    Deadline(
      lastCheckIn: lastCheckIn, interval: interval, grace: grace, pausedUntil: pausedUntil,
      graceFrom: graceFrom, setTime: schedule?.due, heldUntil: deadlineHeldUntil)
  }

  /// What the person promised.
  public var promise: Promise { Promise(interval, unless: schedule) }

  /// Returns the person's status (ORD-2). A drill is not an emergency, and a missed promise shows in
  /// the deadline or the outing already.
  public func status(at now: Date) -> CheckInStatus {
    switch alert?.kind {
    case .manual, .duress: .alert
    case .missed, .outing, .drill, nil:
      deadline.status(at: now).combined(with: outing?.status(at: now))
    }
  }
}

/// The code by which others add a person: a random UUID, distinct from the account's identity
/// (QR-1).
public struct AccountCode: Hashable, Codable, Sendable {
  public let uuid: UUID
  public init(_ uuid: UUID) { self.uuid = uuid }

  /// Reads a code in any case and spacing, with or without hyphens, alone or as a
  /// `lifesignal://add/` link.
  /// - Throws: ``ValidationError/code``.
  public init(parsing text: String) throws(ValidationError) {
    self = try SharedCode(parsing: text).code
  }

  fileprivate init(digitsIn rest: Substring) throws(ValidationError) {
    let digits = rest.filter { $0 != "-" && $0 != "\u{2010}" && $0 != "\u{2011}" }
    guard digits.utf8.count == 32, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
      throw .code
    }
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    guard let uuid = UUID(uuidString: text) else { throw .code }
    self.uuid = uuid
  }

  /// The code in lower case with hyphens.
  public var text: String { uuid.uuidString.lowercased() }
  public var link: String { SharedCode(self).link }
}

/// A code as people share it: `lifesignal://add/CODE`, or `lifesignal://add/SERVER/CODE` for an
/// account on a server.
public struct SharedCode: Hashable, Codable, Sendable {
  public var code: AccountCode
  /// The server's name, with its port unless it is the default; `nil` if the code names no server.
  public var server: String?

  public init(_ code: AccountCode, server: String? = nil) {
    self.code = code
    self.server = server
  }

  /// Reads a code in any case and spacing, alone or as a link.
  /// - Throws: ``ValidationError/code``, ``ValidationError/serverLink``.
  public init(parsing text: String) throws(ValidationError) {
    guard text.utf8.count <= 512 else { throw .code }
    var rest = Substring(text.lowercased().filter { !$0.isWhitespace })
    guard !Self.isServerLink(text) else { throw .serverLink }
    let isLink = rest.hasPrefix(Self.linkPrefix)
    if isLink { rest = rest.dropFirst(Self.linkPrefix.count) }
    while rest.hasSuffix("/") { rest = rest.dropLast() }
    var server: Substring?
    if isLink, let slash = rest.firstIndex(of: "/") {
      server = rest[..<slash]
      rest = rest[slash...].dropFirst()
    }
    guard server.map(Self.isName) ?? true else { throw .code }
    self.init(try AccountCode(digitsIn: rest), server: server.map(String.init))
  }

  /// Returns whether a text can be a server's name. None of the allowed characters affects a
  /// terminal.
  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-:[]".contains($0)) }
  }

  private static let linkPrefix = "lifesignal://add/"

  /// Returns whether a text is an invitation to a server, which is for `lifesignal join`.
  public static func isServerLink(_ text: String) -> Bool {
    text.trimmingWhitespace().lowercased().hasPrefix("lifesignal://join/")
  }

  public var link: String { Self.linkPrefix + (server.map { $0 + "/" } ?? "") + code.text }
}
