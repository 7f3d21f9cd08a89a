import Clients
import Domain
import FoundationEssentials

extension InMemoryPlatform {
  var pingClient: PingClient {
    PingClient {
      $0.send = { [store] (contact: Contact.ID) async throws(PingError) in
        try store.sendPing(contact)
      }
      $0.withdraw = { [store] (id: Ping.ID) async throws(PingError) in try store.withdrawPing(id) }
      $0.answer = { [store] (id: Ping.ID, passphrase: Secret<String>?) async throws(PingError) in
        try store.answerPing(id, passphrase)
      }
      $0.answerAll = { [store] (passphrase: Secret<String>?) async throws(PingError) in
        try store.answerPing(nil, passphrase)
      }
    }
  }
}

extension InMemoryStore {
  fileprivate func sendPing(_ contact: Contact.ID) throws(PingError) -> Ping {
    try write { contents throws(PingError) in
      let own = try contents.account(or: PingError.notAuthenticated).user.id
      guard let index = contents.relations.firstIndex(where: { $0.id == contact }),
        let side = contents.relations[index].side(of: own), side.state == .active,
        side.roles.contains(.dependent)
      else { throw .notAllowed }
      guard contents.relations[index].lastPing(from: own, at: now())?.state != .open else {
        throw .alreadyOpen(name: contents.accounts[side.peer]?.user.profile.name ?? "")
      }
      contents.expirePings(at: now(), makeUUID: makeUUID)
      let ping = Ping(id: makeUUID(), sentAt: now())
      contents.relations[index].pings.append((own, ping))
      contents.notify(own, .pingSent, about: side.peer, at: now(), makeUUID: makeUUID)
      contents.notify(side.peer, .pingReceived, about: own, at: now(), makeUUID: makeUUID)
      return ping
    }
  }

  fileprivate func withdrawPing(_ id: Ping.ID) throws(PingError) -> Ping {
    try write { contents throws(PingError) in
      let own = try contents.account(or: PingError.notAuthenticated).user.id
      let open = contents.openPings(at: now()) { $0.ping.id == id && $0.sender == own }
      guard let place = open.first, let side = contents.relations[place.relation].side(of: own)
      else { throw .notOpen }
      contents.relations[place.relation].pings[place.ping].ping.end(.withdrawn, at: now())
      contents.notify(side.peer, .pingWithdrawn, about: own, at: now(), makeUUID: makeUUID)
      return contents.relations[place.relation].pings[place.ping].ping
    }
  }

  /// Answers one ping, or with `nil` all, and checks in.
  fileprivate func answerPing(
    _ id: Ping.ID?, _ passphrase: Secret<String>?
  ) throws(PingError) -> User {
    try pass(
      .answerPings,
      passphrase, notAuthenticated: PingError.notAuthenticated, PingError.gate)
    return try write { contents throws(PingError) in
      let own = try contents.account(or: PingError.notAuthenticated).user.id
      let open = contents.openPings(at: now()) {
        $0.sender != own && (id == nil || $0.ping.id == id)
      }
      .filter { contents.relations[$0.relation].side(of: own) != nil }
      guard !open.isEmpty else { throw .notOpen }
      for place in open {
        let sender = contents.relations[place.relation].pings[place.ping].sender
        contents.relations[place.relation].pings[place.ping].ping.end(.answered, at: now())
        contents.notify(sender, .pingAnswered, about: own, at: now(), makeUUID: makeUUID)
      }
      return try contents.changeAccount(
        or: PingError.notAuthenticated, at: now(), makeUUID: makeUUID
      ) { account throws(PingError) in
        return account.checkIn(.pingAnswer, at: now(), makeUUID: makeUUID)
      }
    }
  }
}

extension InMemoryStore.Contents {
  fileprivate func openPings(
    at now: Date, where isChosen: ((sender: User.ID, ping: Ping)) -> Bool
  ) -> [(relation: Int, ping: Int)] {
    relations.indices.flatMap { relation in
      relations[relation].pings.indices
        .filter { ping in
          let sent = relations[relation].pings[ping]
          return sent.ping.asOf(now).state == .open && isChosen(sent)
        }
        .map { (relation, $0) }
    }
  }

  /// Writes down which pings have expired, and tells both sides; for the eye they have expired
  /// before (``Ping/asOf(_:)``).
  mutating func expirePings(at now: Date, makeUUID: () -> UUID) {
    for relation in relations.indices {
      for index in relations[relation].pings.indices {
        let ping = relations[relation].pings[index].ping
        guard ping.state == .open, ping.asOf(now).state == .expired else { continue }
        relations[relation].pings[index].ping = ping.asOf(now)
        let ends = [relations[relation].requester, relations[relation].addressee]
        for end in ends {
          notify(
            end, .pingExpired, about: ends.first { $0 != end }, at: now, makeUUID: makeUUID)
        }
      }
    }
  }
}
