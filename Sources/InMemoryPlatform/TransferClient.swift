import Clients
import Domain
import FoundationEssentials

extension InMemoryPlatform {
  var transferClient: TransferClient {
    TransferClient {
      $0.exportAccount = { [store] () async throws(TransferError) in
        try store.read { contents throws(TransferError) in
          let account = try contents.account(or: TransferError.notAuthenticated)
          return account.export(documents: Array(contents.documents.values))
        }
      }
      $0.importAccount = {
        [store] (export: AccountExport, passphrase: Secret<String>?)
          async throws(TransferError) in
        // Into a store without an account there is nothing to weaken.
        do throws(TransferError) {
          try store.pass(
            .importAccount, passphrase, notAuthenticated: TransferError.notAuthenticated,
            TransferError.gate)
        } catch .notAuthenticated {}
        return try store.importAccount(export)
      }
    }
  }
}

extension InMemoryStore {
  fileprivate func importAccount(_ export: AccountExport) throws(TransferError) -> ImportReport {
    let export = try export.checked(at: now())
    return try write { contents throws(TransferError) in
      var report = ImportReport()
      var account: Account
      if contents.accounts.values.contains(where: { $0.user.deletedAt == nil }) {
        account = try contents.account(or: TransferError.notAuthenticated)
      } else {
        report.opened = true
        account = Account(imported: export.user)
        contents.documentsByAccount[nil] = nil
        seat.isSignedOut = false
      }
      account.add(export, to: &report, at: now(), makeUUID: makeUUID)
      account.touch()
      contents.accounts[account.user.id] = account
      var documents = contents.documentsByAccount[account.user.id] ?? [:]
      for document in export.documents {
        guard let path = try? document.path, documents[path] == nil else { continue }
        documents[path] = Document(path: path, version: 1, json: Data(document.json.utf8))
        report.documents += 1
      }
      contents.documentsByAccount[account.user.id] = documents
      return report
    }
  }
}

extension Account {
  fileprivate init(imported user: User) {
    self.user = user
    isFirst = true
    signInEmail = user.profile.email
  }

  fileprivate func export(documents: [Document]) -> AccountExport {
    AccountExport(
      user: user, channels: channels, mutedTopics: mutedTopics, contacts: contacts.byName,
      checkIns: checkIns,
      alerts: alerts.filter { $0.alert.kind != .duress }.map(\.alert), notifications: notifications,
      documents: documents.map {
        .init(
          collection: $0.path.collection.name, id: $0.path.id,
          json: String(decoding: $0.json, as: UTF8.self))
      }.sorted { ($0.collection, $0.id) < ($1.collection, $1.id) }, files: emergencyDocuments)
  }

  fileprivate mutating func add(
    _ export: AccountExport, to report: inout ImportReport, at now: Date, makeUUID: () -> UUID
  ) {
    for contact in export.contacts {
      let drafts = contact.channels.map { ChannelDraft($0.kind, $0.address) }
      let isKnown =
        contacts.contains { $0.id == contact.id } || self.contact(reachedBy: drafts) != nil
      guard !isKnown else { continue }
      contacts.append(contact)
      for channel in contact.channels { giveSecret(to: channel, makeUUID: makeUUID) }
      report.contacts += 1
      // In a store that is set up anew from an export they know it from the old one.
      if !report.opened { welcome(contact, before: nil, at: now, makeUUID: makeUUID) }
    }
    for channel in export.channels
    where !channels.contains(where: { $0.id == channel.id || $0.leadsToSamePlace(as: channel) }) {
      channels.append(channel)
      mutedTopics[channel.id] = export.mutedTopics[channel.id]
      giveSecret(to: channel, makeUUID: makeUUID)
    }
    if report.opened { mutedTopics[user.id] = export.mutedTopics[user.id] }
    guard user.id == export.user.id else { return }
    let knownIDs = Set(checkIns.map(\.id))
    let knownSequences = Set(checkIns.map(\.sequence))
    let missing = export.checkIns.filter {
      $0.sequence <= user.checkInSequence && !knownIDs.contains($0.id)
        && !knownSequences.contains($0.sequence)
    }
    report.checkIns = missing.count
    checkIns = (checkIns + missing).sorted { $0.sequence < $1.sequence }
    for alert in export.alerts {
      let isKnown = alerts.contains {
        $0.alert.id == alert.id
          || ($0.alert.kind == .missed && alert.kind == .missed
            && $0.alert.sequence == alert.sequence)
          || ($0.alert.kind == alert.kind && alert.kind != .missed && alert.isActive
            && $0.alert.isActive)
      }
      guard !isKnown else { continue }
      alerts.append(StoredAlert(alert: alert, isSettled: !alert.isActive))
      report.alerts += 1
    }
    let knownItems = Set(notifications.map(\.id))
    let newItems = export.notifications.filter { !knownItems.contains($0.id) }
    report.notifications = newItems.count
    notifications += newItems
  }
}
