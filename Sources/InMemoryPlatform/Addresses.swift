import Clients
import Domain
import FoundationEssentials

/// A code that was mailed to an e-mail address.
struct AddressCode: Sendable {
  var email: String
  var code: String
  var expiresAt: Date
}

/// E-mail addresses that change (AUTH-5).
extension InMemoryStore {
  func sendAddressCode() throws(AuthError) {
    try changeAccount(or: AuthError.notAuthenticated) { account throws(AuthError) in
      guard account.user.locks.contains(.unconfirmedAddress),
        let address = account.user.profile.email
      else { return }
      account.mailAddressCode(to: address, at: now(), makeUUID: makeUUID)
    }
  }

  func confirmAddress(_ typed: String) throws(AuthError) {
    let isRight = try write { contents throws(AuthError) -> Bool in
      let account = try contents.account(or: AuthError.notAuthenticated)
      let place = "address:\(account.user.id)"
      try contents.requireUnlocked(place, now: now()) { .tooManyAttempts(until: $0) }
      let known = account.addressCode
      let isRight =
        known.map {
          $0.code == plain(typed) && $0.expiresAt > now() && $0.email == account.user.profile.email
        } ?? false
      contents.count(isRight, at: place, now: now())
      guard isRight else { return false }
      let id = account.user.id
      contents.accounts[id]?.signInEmail = known?.email
      contents.accounts[id]?.addressCode = nil
      contents.accounts[id]?.showAddress()
      contents.accounts[id]?.touch()
      contents.passwordResets[id] = nil
      return true
    }
    guard isRight else { throw .resetCodeInvalid }
  }

  func takeBack(_ typed: String) throws(AuthError) {
    let isRight = try write { contents throws(AuthError) -> Bool in
      for id in contents.accounts.keys {
        guard let account = contents.accounts[id] else { continue }
        if let email = account.replacedAddresses.first(where: {
          $0.code == plain(typed) && $0.expiresAt > now()
        })?.email {
          contents.accounts[id]?.user.profile.email = email
          contents.accounts[id]?.signInEmail = email
          contents.accounts[id]?.replacedAddresses = []
          contents.shutOut(id)
          contents.accounts[id]?.noticeOwner(
            .addressTakenBack(makeUUID()), AddressRules.takenBackNotice, at: now(),
            makeUUID: makeUUID)
          for peer in contents.relations.compactMap({ $0.side(of: id)?.peer }) {
            contents.accounts[peer]?.touch()
          }
          return true
        }
        if account.waiting.values.contains(where: {
          $0.code == plain(typed) && $0.askedAt > now() - AddressRules.takeBackPeriod
        }) {
          // The one who asked may know the password: what they ask for next waits as long again.
          contents.accounts[id]?.resetAt = now()
          contents.shutOut(id)
          contents.accounts[id]?.noticeOwner(
            .addressTakenBack(makeUUID()), ResetRules.takenBackNotice, at: now(),
            makeUUID: makeUUID)
          return true
        }
      }
      try contents.requireUnlocked("address-back", now: now()) { .tooManyAttempts(until: $0) }
      contents.count(false, at: "address-back", now: now())
      return false
    }
    guard isRight else { throw .resetCodeInvalid }
  }

  private func plain(_ typed: String) -> String {
    typed.uppercased().filter { $0.isLetter || $0.isNumber }
  }
}

extension InMemoryStore.Contents {
  /// Ends every session, and whatever somebody who was signed in had begun.
  fileprivate mutating func shutOut(_ id: User.ID) {
    accounts[id]?.addressCode = nil
    accounts[id]?.waiting = [:]
    accounts[id]?.showAddress()
    passwordResets[id] = nil
    sessions = sessions.filter { $0.value.account != id }
  }
}

extension Account {
  /// Mails a code to a new address, and to the one that signs in a code that brings it back.
  mutating func noticeAddressChange(at now: Date, makeUUID: () -> UUID) {
    addressCode = nil
    defer { showAddress() }
    let new = user.profile.email
    guard password != nil else {
      signInEmail = new
      return
    }
    guard signInEmail?.lowercased() != new?.lowercased() else { return }
    guard let old = signInEmail else {
      signInEmail = new
      return
    }
    if let new { mailAddressCode(to: new, at: now, makeUUID: makeUUID) }
    let code = String(makeUUID().uuidString.prefix(8))
    replacedAddresses.removeAll { $0.expiresAt <= now }
    replacedAddresses.append(
      AddressCode(email: old, code: code, expiresAt: now + AddressRules.takeBackPeriod))
    mail(.addressReplaced, code, to: old, at: now, makeUUID: makeUUID)
  }

  fileprivate mutating func mailAddressCode(
    to address: String, at now: Date, makeUUID: () -> UUID
  ) {
    let code = String(makeUUID().uuidString.prefix(8))
    addressCode = AddressCode(
      email: address, code: code, expiresAt: now + AddressRules.codeLifetime)
    mail(.addressCode, code, to: address, at: now, makeUUID: makeUUID)
  }

  private mutating func mail(
    _ stage: Stage, _ code: String, to address: String, at now: Date, makeUUID: () -> UUID
  ) {
    deliveries.removeAll { $0.planned.stage == stage && $0.planned.address == address }
    enqueue(
      PlannedDelivery(
        occasion: .account, stage: stage, recipient: .owner, recipientName: user.profile.name,
        channel: .email, address: address, detail: code), at: now, makeUUID: makeUUID)
    touch()
  }

  /// Shows whether the address of the profile waits for its code.
  mutating func showAddress() {
    let email = user.profile.email?.lowercased()
    if password != nil, email != nil, let signInEmail, email != signInEmail.lowercased() {
      user.locks.insert(.unconfirmedAddress)
    } else {
      user.locks.remove(.unconfirmedAddress)
    }
  }
}
