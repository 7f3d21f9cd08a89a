import Clients
import Domain
import FoundationEssentials

extension InMemoryPlatform {
  var alertClient: AlertClient {
    AlertClient(
      raise: { [store] (message: String) async throws(AlertError) in
        try store.raiseAlert(message)
      },
      cancel: { [store] () async throws(AlertError) in try store.cancelAlert() },
      history: { [store] (limit: Int) async throws(AlertError) in try store.alerts(limit) },
      observe: { [store] limit in
        store.observe { try $0.account(or: AlertError.notAuthenticated).reports(limit) }
      })
  }
}

extension InMemoryStore {
  fileprivate func raiseAlert(_ message: String) throws(AlertError) -> Alert {
    let text: String
    do { text = try ProfileRules.alertMessage(message) } catch { throw .invalid(error) }
    return try changeAccount(or: AlertError.notAuthenticated) { account throws(AlertError) in
      if let index = account.activeManualAlert { return account.alerts[index].alert }
      let alert = Alert(id: makeUUID(), kind: .manual, message: text, raisedAt: now())
      account.alerts.append(StoredAlert(alert: alert))
      return alert
    }
  }

  fileprivate func cancelAlert() throws(AlertError) -> Alert {
    try changeAccount(or: AlertError.notAuthenticated) { account throws(AlertError) in
      guard let index = account.activeManualAlert else { throw .notActive }
      account.alerts[index].alert.resolvedAt = now()
      return account.alerts[index].alert
    }
  }

  fileprivate func alerts(_ limit: Int) throws(AlertError) -> [AlertReport] {
    try read { contents throws(AlertError) in
      try contents.account(or: AlertError.notAuthenticated).reports(limit)
    }
  }
}

extension Account {
  fileprivate var activeManualAlert: Int? {
    alerts.firstIndex { $0.alert.kind == .manual && $0.alert.isActive }
  }

  /// Newest first.
  fileprivate func reports(_ limit: Int) -> [AlertReport] {
    alerts.suffix(max(0, limit)).reversed().map { stored in
      AlertReport(
        alert: stored.alert,
        deliveries: deliveries.filter { $0.planned.occasion == .alert(stored.alert.id) }
          .map(\.report))
    }
  }
}
