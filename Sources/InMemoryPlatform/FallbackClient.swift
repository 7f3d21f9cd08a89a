import Clients
import Domain
import FoundationEssentials

extension InMemoryPlatform {
  var fallbackClient: FallbackClient {
    FallbackClient {
      $0.waiting = { [store] (now: Date, offset: Int, limit: Int) async throws(StorageError) in
        store.read { $0.waiting(at: now, offset: offset, limit: limit) }
      }
      $0.account = { [store] (id: User.ID) async throws(StorageError) in
        store.read { contents in contents.accounts[id].map(contents.monitored) }
      }
      $0.equip = { [store] (message: ClaimedDelivery, now: Date) async throws(StorageError) in
        store.read { $0.equip(message, at: now) }
      }
      $0.adopt = { [store] (memory: AccountMemory) async throws(StorageError) in
        store.write { contents in contents.adopt(memory, makeUUID: store.makeUUID) }
      }
    }
  }
}

extension InMemoryStore.Contents {
  fileprivate func waiting(at now: Date, offset: Int, limit: Int) -> WaitingPage {
    let waiting = accounts.values.filter { account in
      account.needsAttention(at: now) || account.deliveries.contains { $0.isClaimable(at: now) }
    }
    .sorted {
      ($0.attentionAt ?? .distantFuture, $0.user.lastCheckIn, $0.user.id.uuidString)
        < ($1.attentionAt ?? .distantFuture, $1.user.lastCheckIn, $1.user.id.uuidString)
    }
    .dropFirst(offset).prefix(limit)
    return WaitingPage(
      accounts: waiting.map(monitored), next: waiting.count < limit ? nil : offset + limit)
  }

  fileprivate func equip(_ message: ClaimedDelivery, at now: Date) -> ClaimedDelivery? {
    guard let account = accounts[message.user.id] else { return nil }
    var message = message
    if let stored = account.deliveries.first(where: { $0.id == message.id }) {
      guard stored.state == .pending, stored.leasedUntil.map({ $0 <= now }) ?? true else {
        return nil
      }
      message.recipientName = stored.planned.recipientName
      message.inReplyTo = stored.planned.inReplyTo
      message.detail = stored.planned.detail
      message.plannedAt = stored.plannedAt
      message.code = account.code(for: stored.planned)
    }
    return addingSecret(to: message, of: message.user.id)
  }

  fileprivate mutating func adopt(_ memory: AccountMemory, makeUUID: () -> UUID) {
    guard var account = accounts[memory.account] else { return }
    let alerts = account.activeAlerts
    accounts[memory.account] = nil
    account.adopt(memory, makeUUID: makeUUID)
    account.touch()
    accounts[memory.account] = account
    if memory.alerts.contains(where: { $0.kind == .duress }) { keepResponders(of: account.user.id) }
    tellResponders(
      of: memory.account, alertsBefore: alerts, at: memory.alerts.first?.raisedAt ?? .distantPast,
      makeUUID: makeUUID)
  }
}

extension Account {
  fileprivate mutating func adopt(_ memory: AccountMemory, makeUUID: () -> UUID) {
    for alert in memory.alerts where alert.kind == .manual {
      raise(alert, at: alert.raisedAt, makeUUID: makeUUID)
    }
    for alert in memory.alerts where alert.kind == .duress {
      raiseSilently(alert, makeUUID: makeUUID)
    }
    for alert in memory.alerts
    where alert.kind == .missed
      && !alerts.contains(where: {
        $0.alert.kind == .missed && $0.alert.sequence == alert.sequence
      })
    {
      insertAlert(alert.settled(by: user), makeUUID: makeUUID)
      notify(.nonResponsive, at: alert.raisedAt, makeUUID: makeUUID)
    }
    if let grace = memory.grace, grace.sequence == user.checkInSequence, user.graceFrom == nil {
      user.graceFrom = grace.from
    }
    for message in memory.messages {
      if let planned = message.planned {
        enqueue(planned, at: message.plannedAt, makeUUID: makeUUID)
      }
      guard let index = deliveries.firstIndex(where: { $0.id == message.id }) else { continue }
      deliveries[index].adopt(message)
    }
  }
}

extension StoredDelivery {
  fileprivate mutating func adopt(_ message: AccountMemory.Message) {
    guard state != .sent else { return }
    attempts += message.attempts
    guard let sentAt = message.sentAt else {
      isDoubtful = true
      return
    }
    token = nil
    leasedUntil = nil
    isUnrecorded = false
    lastError = nil
    planned.detail = ""
    state = .sent
    finishedAt = sentAt
  }
}
