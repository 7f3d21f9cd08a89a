import Clients
import Domain
import FoundationEssentials

extension InMemoryPlatform {
  var responseClient: ResponseClient {
    ResponseClient(
      respond: { [store] (code: String) async throws(ResponseError) in
        try store.respond(code)
      },
      look: { [store] (code: String) async throws(ResponseError) in
        try store.read { contents throws(ResponseError) in try contents.look(code) }
      })
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
  fileprivate func respond(_ typed: String) throws(ResponseError) -> Response {
    let result = write { contents in
      Result { () throws(ResponseError) in
        try contents.respond(typed, at: now(), makeUUID: makeUUID)
      }
    }
    return try result.get()
  }
}

extension InMemoryStore.Contents {
  private static let codePlace = "response-code"

  fileprivate func look(_ typed: String) throws(ResponseError) -> Response {
    let spellings = [ResponseCode.normalized(typed), ResponseCode.plain(typed)]
    for account in accounts.values {
      guard let code = account.codes.first(where: { spellings.contains($0.code) }) else { continue }
      let known = account.contacts + linkedResponders(of: account.user.id)
      guard let contact = known.first(where: { $0.id == code.responder }) else { break }
      var kind = Response.Kind.declined
      if let id = code.alert {
        let alert = account.alerts.first { $0.alert.id == id }?.alert
        guard let alert, alert.isActive,
          !alert.acknowledgements.contains(where: { $0.responder == code.responder })
        else { break }
        kind = .acknowledged
      } else if contact.declinedAt != nil {
        break
      }
      return Response(kind: kind, person: account.user.profile.name, responder: contact.name)
    }
    throw .unknownCode
  }

  /// Wrong codes are counted; the right one always counts, because a stranger's guesses must not keep
  /// a responder from answering.
  fileprivate mutating func respond(
    _ typed: String, at now: Date, makeUUID: () -> UUID
  ) throws(ResponseError) -> Response {
    let spellings = [ResponseCode.normalized(typed), ResponseCode.plain(typed)]
    for account in accounts.values {
      guard let code = account.codes.first(where: { spellings.contains($0.code) }) else { continue }
      let known = account.contacts + linkedResponders(of: account.user.id)
      guard let name = known.first(where: { $0.id == code.responder })?.name else { break }
      wrongTries[Self.codePlace] = nil
      let person = account.user.profile.name
      let isAboutUser = account.user.id == signedIn
      guard code.alert != nil else {
        if let index = account.contacts.firstIndex(where: { $0.id == code.responder }) {
          accounts[account.user.id]?.decline(index, at: now, makeUUID: makeUUID)
        }
        return Response(
          kind: .declined, person: person, responder: name, isAboutUser: isAboutUser)
      }
      let index = account.alerts.firstIndex { $0.alert.id == code.alert }
      guard let index, account.alerts[index].alert.isActive else {
        throw .alertEnded(person: person)
      }
      acknowledge(
        index, of: account.user.id,
        Acknowledgement(responder: code.responder, name: name, date: now), makeUUID: makeUUID)
      return Response(
        kind: .acknowledged, person: person, responder: name, isAboutUser: isAboutUser)
    }
    if let tries = wrongTries[Self.codePlace] {
      let end = tries.last + LockOut.pause(afterWrongTries: tries.count)
      if end > now { throw .tooManyAttempts(until: end) }
    }
    wrongTries = wrongTries.filter { $0.value.last >= now - .days(1) }
    wrongTries[Self.codePlace] = ((wrongTries[Self.codePlace]?.count ?? 0) + 1, now)
    throw .unknownCode
  }
}
