import Domain
import FoundationEssentials

extension DemoStory {
  /// What has become of telling others, in every way in which that can end.
  func raisePastAlerts(in account: inout Account) {
    raiseFall(in: &account)
    raiseMissedDeadlines(in: &account)
    raiseDrill(in: &account)
    raiseMistake(in: &account)
  }

  /// A fall weeks ago; one address was refused.
  private func raiseFall(in account: inout Account) {
    var alert = Alert(
      id: makeUUID(), kind: .manual, message: "Fell on the coast path, ankle, at the red hut.",
      raisedAt: now - .days(16) - .minutes(133), resolvedAt: now - .days(16) - .minutes(71))
    alert.acknowledgements = [
      Acknowledgement(
        responder: makeUUID(), name: "Liv Solberg", date: alert.raisedAt + .minutes(6))
    ]
    let fall = account.raise(alert)
    for (index, responder) in account.responders.enumerated() {
      if index == 2 {
        tell(
          responder, .alertOn, of: fall, in: &account, .failed,
          error: "550 5.1.1 The mailbox is unknown.")
      } else {
        tell(responder, .alertOn, of: fall, in: &account)
        tell(responder, .alertOff, of: fall, in: &account)
      }
    }
  }

  /// One for each late check-in of the history.
  private func raiseMissedDeadlines(in account: inout Account) {
    for late in account.checkIns {
      guard let margin = late.margin, margin < .zero else { continue }
      let deadline = late.date + margin
      let missed = account.raise(
        Alert(
          id: makeUUID(), kind: .missed, raisedAt: deadline + Self.grace,
          sequence: late.sequence - 1, resolvedAt: late.date))
      for responder in account.responders {
        tell(responder, .nonResponsive, of: missed, in: &account)
        tell(responder, .allClear, of: missed, in: &account)
      }
    }
  }

  private func raiseDrill(in account: inout Account) {
    let start = now - .hours(267) - .minutes(5)
    let drill = account.raise(
      Alert(id: makeUUID(), kind: .drill, raisedAt: start, resolvedAt: start + .minutes(5)))
    for responder in account.responders { tell(responder, .alertOn, of: drill, in: &account) }
  }

  /// A slip of the hand this morning; of its end one server has not taken the word yet.
  private func raiseMistake(in account: inout Account) {
    let mistake = account.raise(
      Alert(
        id: makeUUID(), kind: .manual, message: "", raisedAt: now - .hours(4),
        resolvedAt: now - .hours(4) + .minutes(2)), isSettled: false)
    let responders = account.responders
    for responder in responders.prefix(3) {
      tell(responder, .alertOn, of: mistake, in: &account)
    }
    tell(responders[3], .alertOn, of: mistake, in: &account, .cancelled)
    tell(responders[0], .alertOff, of: mistake, in: &account)
    tell(responders[1], .alertOff, of: mistake, in: &account)
    tell(
      responders[2], .alertOff, of: mistake, in: &account, .pending,
      error: "451 4.7.1 Try again later.")
  }

  private func tell(
    _ responder: Contact, _ stage: Stage, of alert: Alert, in account: inout Account,
    _ state: DeliveryState = .sent, error: String? = nil
  ) {
    let isEnd = stage == .allClear || stage == .alertOff
    let plannedAt = isEnd ? alert.resolvedAt ?? now : alert.raisedAt
    var delivery = StoredDelivery(
      id: makeUUID(),
      planned: PlannedDelivery(
        occasion: .alert(alert.id), stage: stage, recipient: .contact(responder.id),
        recipientName: responder.name, channel: .email, address: responder.email ?? ""),
      plannedAt: plannedAt, state: state, notBefore: plannedAt)
    delivery.attempts = state == .cancelled ? 0 : 1
    delivery.lastError = error
    if state == .pending {
      delivery.attempts = 9
      delivery.notBefore = now + .minutes(4)
    } else {
      delivery.finishedAt = plannedAt + .seconds(2)
    }
    account.deliveries.append(delivery)
  }
}

extension Account {
  fileprivate var responders: [Contact] { contacts.filter { $0.roles.contains(.responder) } }

  fileprivate mutating func raise(_ alert: Alert, isSettled: Bool = true) -> Alert {
    alerts.append(StoredAlert(alert: alert, isSettled: isSettled))
    return alert
  }
}
