import Clients
import Domain
import FoundationEssentials

/// A channel of a responder as it was when somebody passed the gate under duress (CHK-3).
struct KeptChannel: Sendable {
  var responder: Contact.ID
  var name: String
  var channel: Channel
  var secret: Secret<String>?
}

/// What postpones or weakens help (CHK-3).
extension InMemoryStore {
  /// Passes the gate for an operation that weakens help. Without a gate it waits after a reset of the
  /// password (AUTH-5).
  /// - Parameter weakens: Whether the operation does; asked before anything else.
  @discardableResult
  func pass<Failure: Error>(
    _ operation: GatedOperation, _ passphrase: Secret<String>?, notAuthenticated: Failure,
    _ failure: (GateError) -> Failure,
    if weakens: (Contents, Account) throws(Failure) -> Bool = { _, _ in true }
  ) throws(Failure) -> GatePass {
    let isNeeded = try read { contents throws(Failure) in
      try weakens(contents, try contents.account(or: notAuthenticated))
    }
    guard isNeeded else { return .open }
    if !operation.isSignOfLife, let end = waitEnd(of: operation) {
      throw failure(.afterReset(until: end))
    }
    return try passGate(passphrase, notAuthenticated: notAuthenticated, failure)
  }
}

extension InMemoryStore {
  /// Until when an operation waits after a reset, or `nil`. The first request for it begins the wait,
  /// and the person is notified of it with a code that takes it back.
  private func waitEnd(of operation: GatedOperation) -> Date? {
    write { contents in
      let now = now()
      guard let id = contents.signedIn, var account = contents.accounts[id],
        !account.user.locks.contains(.gate),
        let reset = account.resetAt, reset > now - ResetRules.caution
      else { return nil }
      let asked = account.waiting[operation]?.askedAt
      let end = ResetRules.end(ofRequestAt: asked ?? now, afterResetAt: reset)
      if asked == nil {
        let code = String(makeUUID().uuidString.prefix(8))
        account.waiting[operation] = (code, now)
        account.noticeOwner(
          .requestWaits(makeUUID()),
          ResetRules.notice(of: operation, from: now, to: end),
          behind: ResetRules.takeBack(code), at: now, makeUUID: makeUUID)
        contents.accounts[id] = account
      }
      return end > now ? end : nil
    }
  }
}

extension InMemoryStore.Contents {
  /// Everybody who responds for an account.
  func responders(of account: Account) -> [Contact] {
    account.contacts.filter(\.isResponder) + linkedResponders(of: account.user.id)
  }

  /// Keeps the responders as they are now for a silent alert, whatever is taken away later.
  mutating func keepResponders(of id: User.ID?) {
    guard let id, let account = accounts[id] else { return }
    for responder in responders(of: account) {
      let peer = responder.link.flatMap { accounts[$0.user] }
      for channel in responder.channels {
        let isKept = account.kept.contains {
          $0.responder == responder.id && $0.channel.leadsToSamePlace(as: channel)
        }
        guard !isKept else { continue }
        accounts[id]?.kept.append(
          KeptChannel(
            responder: responder.id, name: responder.name, channel: channel,
            secret: (peer ?? account).secrets[channel.id]))
      }
    }
  }

  /// Notifies every responder of a change that they should know about, on screen and on their
  /// channels.
  mutating func noticeResponders(
    of id: User.ID?, _ detail: String, at now: Date, makeUUID: () -> UUID
  ) {
    guard let id, let account = accounts[id] else { return }
    let stage = Stage.responderNotice(makeUUID())
    for responder in responders(of: account) {
      if let user = responder.link?.user {
        notify(user, .info, about: id, detail: detail, at: now, makeUUID: makeUUID)
      }
      for channel in responder.channels {
        accounts[id]?.enqueue(
          PlannedDelivery(
            occasion: .account, stage: stage, recipient: .contact(responder.id),
            recipientName: responder.name, channel: channel.kind, address: channel.address,
            detail: detail), at: now, makeUUID: makeUUID)
      }
    }
  }
}

extension Account {
  /// Who is kept for the silent alerts that are on.
  var keptResponders: [Contact] {
    kept.map {
      Contact(
        id: $0.responder, name: $0.name, roles: .responder, channels: [$0.channel],
        addedAt: .distantPast)
    }
  }

  /// Notifies the person of what was done with their account, on screen and on their own channels.
  /// - Parameter secret: What stands behind it on the channels, where nobody else reads it.
  mutating func noticeOwner(
    _ stage: Stage, _ detail: String, behind secret: String = "", at now: Date,
    makeUUID: () -> UUID
  ) {
    notify(.info, detail: detail, at: now, makeUUID: makeUUID)
    var places = user.ownChannels(besides: channels).map { ($0.kind, $0.address) }
    // The address that signs in, while another one waits for its code.
    if user.locks.contains(.unconfirmedAddress), let signInEmail {
      places.append((.email, signInEmail))
    }
    for (kind, address) in places {
      enqueue(
        PlannedDelivery(
          occasion: .account, stage: stage, recipient: .owner, recipientName: user.profile.name,
          channel: kind, address: address, detail: detail + secret), at: now, makeUUID: makeUUID)
    }
    touch()
  }
}
