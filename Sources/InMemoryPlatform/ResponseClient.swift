import Clients
import Domain
import FoundationEssentials

extension InMemoryPlatform {
  var responseClient: ResponseClient {
    ResponseClient {
      $0.respond = { [store] (code: String) async throws(ResponseError) in
        try store.respond(code, isTyped: true)
      }
      $0.press = { [store] (code: String) async throws(ResponseError) in
        try store.respond(code, isTyped: false)
      }
      $0.look = { [store] (code: String) async throws(ResponseError) in
        try store.read { contents throws(ResponseError) in try contents.look(code) }
      }
    }
  }
}

extension Account {
  /// Makes the code by which the recipient of a call acknowledges the alert, or a new contact
  /// declines, unless there is one: it is the same in every message (ESC-2, CON-3).
  mutating func makeCode(for planned: PlannedDelivery, makeUUID: () -> UUID) {
    guard planned.stage.isCall || planned.stage == .contactAdded,
      case .contact(let responder) = planned.recipient, code(for: planned) == nil
    else { return }
    var alert: Alert.ID?
    if case .alert(let id) = planned.occasion { alert = id }
    let random = withUnsafeBytes(of: makeUUID().uuid) { Array($0.suffix(ResponseCode.length)) }
    codes.append(
      StoredCode(code: ResponseCode.make(from: random), alert: alert, responder: responder))
  }

  fileprivate func isSilent(_ alert: Alert.ID?) -> Bool {
    alerts.contains { $0.alert.id == alert && $0.alert.kind == .duress }
  }

  /// What a code answers: its own alert while that is on. Of one that ended while a silent alert was on
  /// it answers the silent one (CHK-3), but to the person's eyes it is over.
  fileprivate func standing(_ id: Alert.ID, isOwn: Bool) -> Int? {
    guard let index = alerts.firstIndex(where: { $0.alert.id == id }) else { return nil }
    guard let end = alerts[index].alert.resolvedAt else { return index }
    guard !isOwn, alerts[index].alert.kind != .drill, let silentAlert, end >= silentAlert.raisedAt
    else { return nil }
    return alerts.firstIndex { $0.alert.id == silentAlert.id }
  }

  /// What the recipient of a message answers it by.
  func code(for planned: PlannedDelivery) -> Secret<String>? {
    guard planned.stage.isCall || planned.stage == .contactAdded,
      case .contact(let responder) = planned.recipient
    else { return nil }
    var alert: Alert.ID?
    if case .alert(let id) = planned.occasion { alert = id }
    let code = codes.first { $0.alert == alert && $0.responder == responder }
    return code.map { Secret(ResponseCode.displayText($0.code)) }
  }
}

extension InMemoryStore {
  /// - Parameter isTyped: Whether it was typed in a program, and not pressed as a link.
  fileprivate func respond(_ typed: String, isTyped: Bool) throws(ResponseError) -> Response {
    let result = write { contents in
      Result { () throws(ResponseError) in
        try contents.respond(typed, isTyped: isTyped, at: now(), makeUUID: makeUUID)
      }
    }
    return try result.get()
  }

  /// Takes one of the account's contacts off by the code that they were sent (CON-3).
  func declineByCode(_ typed: Secret<String>) throws(ContactsError) -> Contact {
    // What was counted stays counted, as above.
    let result = write { contents in
      Result { () throws(ContactsError) in
        let id = try contents.account(or: ContactsError.notAuthenticated).user.id
        do throws(ResponseError) {
          let code = try contents.find(typed.value, decliningFor: id, isTyped: true, at: now()).code
          let index = contents.accounts[id]?.contacts.firstIndex { $0.id == code.responder }
          guard let index else { throw .unknownCode }
          contents.accounts[id]?.decline(index, at: now(), makeUUID: makeUUID)
          return contents.accounts[id]!.contacts[index]
        } catch {
          throw ContactsError.code(error)
        }
      }
    }
    return try result.get()
  }
}

extension InMemoryStore.Contents {
  fileprivate func look(_ typed: String) throws(ResponseError) -> Response {
    guard let (account, code, contact) = known(typed) else { throw .unknownCode }
    var kind = Response.Kind.declined
    if let id = code.alert {
      guard let index = account.standing(id, isOwn: false),
        !account.alerts[index].alert.acknowledgements.contains(where: {
          $0.responder == code.responder
        })
      else { throw .unknownCode }
      kind = .acknowledged
    } else if contact.declinedAt != nil {
      throw .unknownCode
    }
    return Response(kind: kind, person: account.user.profile.name, responder: contact.name)
  }

  /// The code that was typed, in any case and spacing, and who was sent it.
  private func known(_ typed: String) -> (account: Account, code: StoredCode, contact: Contact)? {
    let spellings = [ResponseCode.normalized(typed), ResponseCode.plain(typed)]
    for account in accounts.values {
      guard let code = account.codes.first(where: { spellings.contains($0.code) }) else { continue }
      let known = account.contacts + linkedResponders(of: account.user.id) + account.keptResponders
      return known.first { $0.id == code.responder }.map { (account, code, $0) }
    }
    return nil
  }

  /// Whether the person of an account, and nobody else, may look on: to their eyes there is no silent
  /// alert (ALT-9). Where nobody is signed in, too: they may have been made to sign out.
  private func isOwn(_ account: Account) -> Bool {
    (signedIn ?? account.user.id) == account.user.id
  }

  /// Wrong codes are counted; the right one always counts, because a stranger's guesses must not keep
  /// a responder from answering.
  /// - Parameters:
  ///   - account: Whose contacts' codes to decline by count alone; `nil` for every code.
  ///   - isTyped: Whether it was typed in a program, and not pressed as a link.
  fileprivate mutating func find(
    _ typed: String, decliningFor account: User.ID? = nil, isTyped: Bool, at now: Date
  ) throws(ResponseError) -> (account: Account, code: StoredCode, contact: Contact) {
    // An account's wrong codes are its own affair.
    let place = account.map { "declining-code \($0)" } ?? "response-code"
    if let found = known(typed),
      account == nil || (found.account.user.id == account && found.code.alert == nil),
      !found.account.isSilent(found.code.alert) || !isTyped || !isOwn(found.account)
    {
      wrongTries[place] = nil
      return found
    }
    if let tries = wrongTries[place] {
      let end = tries.last + LockOut.pause(afterWrongTries: tries.count)
      if end > now { throw .tooManyAttempts(until: end) }
    }
    wrongTries = wrongTries.filter { $0.value.last >= now - .days(1) }
    wrongTries[place] = ((wrongTries[place]?.count ?? 0) + 1, now)
    throw .unknownCode
  }

  fileprivate mutating func respond(
    _ typed: String, isTyped: Bool, at now: Date, makeUUID: () -> UUID
  ) throws(ResponseError) -> Response {
    let (account, code, contact) = try find(typed, isTyped: isTyped, at: now)
    let person = account.user.profile.name
    let isAboutUser = isTyped && account.user.id == signedIn
    guard let alert = code.alert else {
      if let index = account.contacts.firstIndex(where: { $0.id == code.responder }) {
        accounts[account.user.id]?.decline(index, at: now, makeUUID: makeUUID)
      }
      return Response(
        kind: .declined, person: person, responder: contact.name, isAboutUser: isAboutUser)
    }
    guard let index = account.standing(alert, isOwn: isTyped && isOwn(account)) else {
      throw .alertEnded(person: person)
    }
    acknowledge(
      index, of: account.user.id,
      Acknowledgement(responder: code.responder, name: contact.name, date: now),
      makeUUID: makeUUID)
    return Response(
      kind: .acknowledged, person: person, responder: contact.name, isAboutUser: isAboutUser)
  }
}
