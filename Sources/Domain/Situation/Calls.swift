public import FoundationEssentials

extension Situation {
  /// The contacts with accounts who want something from the person now.
  public struct Calls: Equatable, Sendable {
    /// The dependents whose responders are being notified, the newest alert first: they raised an
    /// alert, or missed a deadline.
    public let alerted: [Contact]
    /// Those of them who raised one.
    public let inAlert: [Contact]
    /// The dependents who haven't checked in and whose responders are being notified.
    public let nonResponsive: [Contact]
    /// The contacts whose pings are open, newest first.
    public let pingSenders: [Contact]
    /// The dependents who can be pinged.
    public let pingable: [Contact]
    /// The numbers of contact requests that wait for the person's consent.
    private let offers: [Roles: Int]

    init(of linked: [Contact], at now: Date) {
      var alerted: [(contact: Contact, date: Date, isRaised: Bool)] = []
      var pings: [(contact: Contact, date: Date)] = []
      var nonResponsive: [Contact] = []
      var pingable: [Contact] = []
      var offers: [Roles: Int] = [:]
      for contact in linked {
        guard let link = contact.link else { continue }
        if link.state == .offered { offers[contact.roles, default: 0] += 1 }
        let status = link.dependentStatus?.status(at: now)
        if let alert = link.dependentStatus?.alert, alert.kind != .drill {
          alerted.append((contact, alert.raisedAt, status == .alert))
        }
        if status == .nonResponsive { nonResponsive.append(contact) }
        if contact.isPingable(at: now) { pingable.append(contact) }
        if let ping = contact.openReceivedPing(at: now) { pings.append((contact, ping.sentAt)) }
      }
      alerted.sort { $0.date > $1.date }
      self.alerted = alerted.map(\.contact)
      inAlert = alerted.filter(\.isRaised).map(\.contact)
      self.nonResponsive = nonResponsive
      pingSenders = pings.sorted { $0.date > $1.date }.map(\.contact)
      self.pingable = pingable
      self.offers = offers
    }

    /// The number of contact requests for a role that wait for the person's consent.
    public func offers(of role: Roles) -> Int {
      offers.reduce(0) { $0 + ($1.key.contains(role) ? $1.value : 0) }
    }
  }
}

/// What a contact is to the person now.
public enum ContactStatus: Equatable, Sendable {
  /// They don't want to be a contact.
  case declined
  /// They have no account here.
  case outside
  /// They ask for the person's consent.
  case offered
  /// They haven't answered the person's request.
  case requested
  /// They have an account, and the person doesn't respond for them.
  case account
  /// The person responds for them.
  case dependent(DependentStatus, CheckInStatus)
}

extension Contact {
  public func status(at now: Date) -> ContactStatus {
    guard let link else { return isActive ? .outside : .declined }
    switch link.state {
    case .offered: return .offered
    case .requested: return .requested
    case .declined: return .declined
    case .active:
      return link.dependentStatus.map { .dependent($0, $0.status(at: now)) } ?? .account
    }
  }

  /// The person's ping to them, if it is still open.
  public func openSentPing(at now: Date) -> Ping? {
    link?.sentPing.map { $0.asOf(now) }.flatMap { $0.state == .open ? $0 : nil }
  }

  /// Their ping to the person, if it is still open.
  public func openReceivedPing(at now: Date) -> Ping? {
    link?.receivedPing.map { $0.asOf(now) }.flatMap { $0.state == .open ? $0 : nil }
  }

  /// Whether the person can ask them to check in.
  public func isPingable(at now: Date) -> Bool {
    link?.state == .active && roles.contains(.dependent) && openSentPing(at: now) == nil
  }

  /// Their active alert, which needs a response.
  public var activeAlert: Alert? { link?.dependentStatus?.alert }
}
