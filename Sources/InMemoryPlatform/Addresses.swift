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

  func takeBackAddress(_ typed: String) throws(AuthError) {
    let isRight = try write { contents throws(AuthError) -> Bool in
      let found = contents.accounts.values.compactMap { account in
        account.replacedAddresses.first { $0.code == plain(typed) && $0.expiresAt > now() }
          .map { (account.user.id, $0.email) }
      }.first
      guard let (id, email) = found else {
        try contents.requireUnlocked("address-back", now: now()) { .tooManyAttempts(until: $0) }
        contents.count(false, at: "address-back", now: now())
        return false
      }
      contents.accounts[id]?.user.profile.email = email
      contents.accounts[id]?.signInEmail = email
      contents.accounts[id]?.addressCode = nil
      contents.accounts[id]?.replacedAddresses = []
      contents.accounts[id]?.showAddress()
      contents.passwordResets[id] = nil
      contents.sessions = contents.sessions.filter { $0.value.account != id }
      contents.accounts[id]?.noticeOwner(
        .addressTakenBack(makeUUID()), AddressRules.takenBackNotice, at: now(), makeUUID: makeUUID)
      for peer in contents.relations.compactMap({ $0.side(of: id)?.peer }) {
        contents.accounts[peer]?.touch()
      }
      return true
    }
    guard isRight else { throw .resetCodeInvalid }
  }

  private func plain(_ typed: String) -> String {
    typed.uppercased().filter { $0.isLetter || $0.isNumber }
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
