import Clients
import Domain
import FoundationEssentials

extension InMemoryPlatform {
  var standbyClient: StandbyClient {
    StandbyClient {
      $0.standby = { [store] () async throws(UserError) in try store.standby() }
      $0.update = {
        [store] (standby: Standby, passphrase: Secret<String>?) async throws(UserError) in
        try store.pass(
          .changeStandby, passphrase, notAuthenticated: UserError.notAuthenticated, UserError.gate
        ) { _, account throws(UserError) in account.standby != standby }
        return try store.updateStandby(standby)
      }
      $0.duties = { [store] () async throws(StorageError) in store.read(\.standbyDuties) }
      $0.record = {
        [store] (account: User.ID, waiting: WaitingMessage?) async throws(StorageError) in
        store.write(.other) { $0.accounts[account]?.waitingMessage = waiting }
      }
    }
  }
}

extension InMemoryStore {
  fileprivate func standby() throws(UserError) -> Standby {
    try read { contents throws(UserError) in
      try contents.account(or: UserError.notAuthenticated).standby
    }
  }

  fileprivate func updateStandby(_ standby: Standby) throws(UserError) {
    let checked: Standby
    do throws(ValidationError) {
      checked = try Standby(validating: standby.heartbeat ?? "", topic: standby.topic ?? "")
    } catch {
      throw .invalid(error)
    }
    try write { contents throws(UserError) in
      try contents.changeAccount(
        or: UserError.notAuthenticated, at: now(), makeUUID: makeUUID
      ) { account throws(UserError) in account.standby = checked }
    }
  }
}

extension InMemoryStore.Contents {
  fileprivate var standbyDuties: [StandbyDuty] {
    accounts.values
      .sorted {
        ($0.user.createdAt, $0.user.id.uuidString) < ($1.user.createdAt, $1.user.id.uuidString)
      }
      .map { account in
        StandbyDuty(
          account: account.user.id, name: account.user.profile.name,
          deadline: account.user.deadline,
          standby: account.user.deletedAt == nil ? account.standby : Standby(),
          kinds: account.user.deletedAt == nil
            ? monitored(account).responderKinds : [],
          waiting: account.waitingMessage)
      }
      .filter { !$0.standby.isNone || $0.waiting != nil }
  }
}
