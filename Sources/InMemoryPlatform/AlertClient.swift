import Clients
import Cryptography
import Domain
import FoundationEssentials

extension InMemoryPlatform {
  var alertClient: AlertClient {
    AlertClient {
      $0.raise = { [store] (message: String) async throws(AlertError) in
        try store.raiseAlert(message)
      }
      $0.arm = {
        [store] (id: Alert.ID, message: String, delay: TimeSpan) async throws(AlertError) in
        try store.arm(id, message, delay)
      }
      $0.disarm = { [store] (id: Alert.ID) async throws(AlertError) in try store.disarm(id) }
      $0.spool = {
        [store] (id: Alert.ID, message: String, delay: TimeSpan) async throws(AlertError) in
        try store.keepInSpool(store.armedAlert(id, message, delay))
      }
      $0.observeArmed = { [store] in store.observe { try $0.observedArmed() } }
      $0.cancel = { [store] (passphrase: Secret<String>?) async throws(AlertError) in
        _ = try store.pass(
          .cancelAlert, passphrase, notAuthenticated: AlertError.notAuthenticated, AlertError.gate)
        return try store.cancelAlert()
      }
      $0.acknowledge = { [store] (id: Alert.ID) async throws(AlertError) in
        try store.acknowledge(id)
      }
      $0.drill = { [store] () async throws(AlertError) in try store.beginDrill() }
      $0.endDrill = { [store] () async throws(AlertError) in try store.endDrill() }
      $0.history = { [store] (limit: Int) async throws(AlertError) in try store.alerts(limit) }
      $0.observe = { [store] limit in
        store.observe { try $0.account(or: AlertError.notAuthenticated).reports(limit) }
      }
    }
  }
}

extension InMemoryStore {
  fileprivate func raiseAlert(_ message: String) throws(AlertError) -> Alert {
    let text: String
    do { text = try ProfileRules.alertMessage(message) } catch { throw .invalid(error) }
    return try changeArmed { account, waiting throws(AlertError) in
      account.takeFiles(waiting, at: now(), makeUUID: makeUUID)
      if let index = account.activeManualAlert { return account.alerts[index].alert }
      // One that was begun is the one that is meant.
      let alert = Alert(
        id: account.armed?.id ?? makeUUID(), kind: .manual,
        message: text.isEmpty ? account.armed?.message ?? "" : text, raisedAt: now())
      account.raise(alert, at: now(), makeUUID: makeUUID)
      return alert
    }
  }

  fileprivate func arm(
    _ id: Alert.ID, _ message: String, _ delay: TimeSpan
  ) throws(AlertError) -> Arming {
    let armed = armedAlert(id, message, delay)
    return try changeArmed { account, waiting throws(AlertError) in
      account.takeFiles(waiting.filter { $0.id != id }, at: armed.armedAt, makeUUID: makeUUID)
      return account.arm(armed, at: armed.armedAt, makeUUID: makeUUID)
    }
  }

  /// Changes the account, and takes what waits for it.
  private func changeArmed<Value: Sendable>(
    _ body: (inout Account, _ waiting: [ArmedAlert]) throws(AlertError) -> Value
  ) throws(AlertError) -> Value {
    try write { contents throws(AlertError) in
      let id = try contents.account(or: AlertError.notAuthenticated).user.id
      let waiting = contents.waiting(of: id)
      let value = try contents.changeAccount(
        or: AlertError.notAuthenticated, at: now(), makeUUID: makeUUID
      ) { account throws(AlertError) in try body(&account, waiting) }
      contents.spooled.removeAll { $0.account == id }
      return value
    }
  }

  /// An alert that is armed now.
  fileprivate func armedAlert(
    _ id: Alert.ID, _ message: String, _ delay: TimeSpan
  ) -> ArmedAlert {
    let now = now()
    return ArmedAlert(
      id: id, message: ProfileRules.shortenedAlertMessage(message), armedAt: now,
      firesAt: now + delay)
  }

  fileprivate func disarm(_ id: Alert.ID) throws(AlertError) {
    try changeArmed { account, waiting throws(AlertError) in
      let isDue = waiting.first { $0.id == id }?.isDue(at: now()) == true
      guard !isDue else { throw .alreadyOn }
      try account.stop(id, at: now(), makeUUID: makeUUID)
      account.takeFiles(waiting, at: now(), makeUUID: makeUUID)
    }
  }

  fileprivate func keepInSpool(_ wanted: ArmedAlert) throws(AlertError) -> ArmedAlert {
    try write { contents throws(AlertError) in
      let account = try contents.account(or: AlertError.notAuthenticated).user.id
      var armed = wanted
      if let known = contents.spooled.first(where: { $0.id == wanted.id })?.armed {
        armed = ArmedAlert(
          id: armed.id, message: armed.message, armedAt: known.armedAt, firesAt: armed.firesAt)
      }
      contents.spooled.removeAll { $0.id == armed.id }
      contents.spooled.append(.armed(armed, account: account))
      return armed
    }
  }

  /// Under duress the alert ends as any other does, and the silent alert goes on in its place, with what
  /// was said: no word that it is over is sent while that is on.
  fileprivate func cancelAlert() throws(AlertError) -> Alert {
    try changeArmed { account, waiting throws(AlertError) in
      // What waits is part of the alert that is on, and over with it.
      guard let index = account.activeManualAlert else { throw .notActive }
      account.alerts[index].alert.resolvedAt = now()
      let silent = account.silentAlert
      if silent?.message.isEmpty == true,
        let silent = account.alerts.firstIndex(where: { $0.alert.id == silent?.id })
      {
        account.alerts[silent].alert.message = account.alerts[index].alert.message
      }
      account.notify(.alertEnded, at: now(), makeUUID: makeUUID)
      account.touch()
      return account.alerts[index].alert
    }
  }

  fileprivate func acknowledge(_ id: Alert.ID) throws(AlertError) -> Alert {
    try write { contents throws(AlertError) in
      let own = try contents.account(or: AlertError.notAuthenticated).user
      for person in contents.accounts.values {
        guard let index = person.alerts.firstIndex(where: { $0.alert.id == id }) else { continue }
        let responders = contents.linkedResponders(of: person.user.id)
        guard person.alerts[index].alert.isActive,
          let relation = responders.first(where: { $0.link?.user == own.id })?.id
        else { throw .notActive }
        let word = Acknowledgement(responder: relation, name: own.profile.name, date: now())
        contents.acknowledge(index, of: person.user.id, word, makeUUID: makeUUID)
        return contents.accounts[person.user.id]?.alerts[index].alert ?? person.alerts[index].alert
      }
      throw .notActive
    }
  }

  fileprivate func beginDrill() throws(AlertError) -> Alert {
    try changeAccount(or: AlertError.notAuthenticated) { account throws(AlertError) in
      if let index = account.activeDrill { return account.alerts[index].alert }
      guard !account.isAlertShown else { throw .alertIsOn }
      let alert = Alert(id: makeUUID(), kind: .drill, raisedAt: now())
      account.insertAlert(alert, makeUUID: makeUUID)
      account.touch()
      return alert
    }
  }

  fileprivate func endDrill() throws(AlertError) -> Alert {
    try changeAccount(or: AlertError.notAuthenticated) { account throws(AlertError) in
      guard let index = account.activeDrill else { throw .notActive }
      account.endDrill(account.alerts[index].alert.id, at: now(), makeUUID: makeUUID)
      account.touch()
      return account.alerts[index].alert
    }
  }

  fileprivate func alerts(_ limit: Int) throws(AlertError) -> [AlertReport] {
    try read { contents throws(AlertError) in
      try contents.account(or: AlertError.notAuthenticated).reports(limit)
    }
  }
}

extension InMemoryStore.Contents {
  /// What is armed in the store or waits beside it.
  fileprivate func observedArmed() throws(AlertError) -> ArmedAlert? {
    let account = try account(or: AlertError.notAuthenticated)
    return account.armed ?? waiting(of: account.user.id).first
  }

  fileprivate func waiting(of id: User.ID) -> [ArmedAlert] {
    spooled.filter { $0.account == id }.compactMap(\.armed)
  }

  /// Takes one of ``spooled``.
  mutating func take(_ alert: SpooledAlert, at now: Date, makeUUID: () -> UUID) {
    defer { spooled.removeAll { $0 == alert } }
    guard let id = alert.account, let account = accounts[id] else { return }
    let alerts = account.activeAlerts
    defer { tellResponders(of: id, alertsBefore: alerts, at: now, makeUUID: makeUUID) }
    let known = account.armed?.id == alert.id ? account.armed : nil
    switch alert {
    case .armed(let armed, _):
      guard known.map({ $0.firesAt > armed.firesAt }) != true else { return }
      accounts[id]?.takeFiles([armed], at: now, makeUUID: makeUUID)
    case .silent(let silent, let date, _):
      accounts[id]?.raiseSilently(
        Alert(id: silent, kind: .duress, raisedAt: date), makeUUID: makeUUID)
      keepResponders(of: id)
    case .stopped(let stopped, let date, _):
      guard known?.isDue(at: date) != true else { return }
      // One that was raised in time all the same stays on.
      try? accounts[id]?.stop(stopped, at: date, makeUUID: makeUUID)
    }
  }

  /// A responder's word about an alert, and about the others that are on for the same person.
  mutating func acknowledge(
    _ index: Int, of person: User.ID, _ word: Acknowledgement, makeUUID: () -> UUID
  ) {
    guard let account = accounts[person] else { return }
    let isResponder = responders(of: account).contains { $0.id == word.responder }
    guard accounts[person]?.acknowledge(index, word, isResponder: isResponder) == true else {
      return
    }
    accounts[person]?.notify(
      .alertAcknowledged, about: word.name, at: word.date, makeUUID: makeUUID)
  }
}

extension Account {
  /// Adds an alert; one that its person sees ends a drill (ALT-8).
  mutating func insertAlert(_ alert: Alert, makeUUID: () -> UUID) {
    if alert.kind == .manual || alert.kind == .missed {
      if activeDrill != nil {
        notify(.info, detail: DrillReport.overtaken, at: alert.raisedAt, makeUUID: makeUUID)
      }
      silenceDrills(at: alert.raisedAt)
    }
    alerts.append(StoredAlert(alert: alert))
  }

  /// Ends the drills without a further word of theirs to anybody (ALT-8).
  mutating func silenceDrills(at now: Date) {
    for index in alerts.indices where alerts[index].alert.kind == .drill && !alerts[index].isSettled
    {
      let occasion = Occasion.alert(alerts[index].alert.id)
      alerts[index].alert.resolvedAt = alerts[index].alert.resolvedAt ?? now
      alerts[index].isSettled = true
      for delivery in deliveries.indices where deliveries[delivery].planned.occasion == occasion {
        deliveries[delivery].cancel(at: now)
      }
    }
  }

  /// Makes an alert of the armed one (ALT-7).
  mutating func raise(_ alert: Alert, at now: Date, makeUUID: () -> UUID) {
    armed = nil
    guard activeManualAlert == nil, !alerts.contains(where: { $0.alert.id == alert.id }) else {
      return
    }
    insertAlert(alert, makeUUID: makeUUID)
    notify(.alertSent, detail: alert.message, at: now, makeUUID: makeUUID)
    touch()
  }

  /// Takes what waits before anything newer: it is what the person means (ALT-7).
  fileprivate mutating func takeFiles(
    _ waiting: [ArmedAlert], at now: Date, makeUUID: () -> UUID
  ) {
    for waiting in waiting {
      _ = arm(armed?.joined(with: waiting) ?? waiting, at: now, makeUUID: makeUUID)
    }
  }

  fileprivate mutating func stop(
    _ id: Alert.ID, at now: Date, makeUUID: () -> UUID
  ) throws(AlertError) {
    guard !alerts.contains(where: { $0.alert.id == id }) else { throw .alreadyOn }
    guard stopped.insert(id).inserted else { return }
    if armed?.id == id { armed = nil }
    notify(.info, detail: ArmedAlert.stoppedText, at: now, makeUUID: makeUUID)
    touch()
  }

  fileprivate mutating func arm(
    _ wanted: ArmedAlert, at now: Date, makeUUID: () -> UUID
  ) -> Arming {
    if let index = alerts.firstIndex(where: { $0.alert.id == wanted.id }) ?? activeManualAlert {
      if armed?.id == wanted.id { armed = nil }
      add(wanted.message, to: index, at: now, makeUUID: makeUUID)
      return .raised(alerts[index].alert)
    }
    if stopped.contains(wanted.id) { return .stopped }
    var wanted = wanted
    if let armed {
      guard armed.id == wanted.id else { return .armed(armed) }
      wanted = ArmedAlert(
        id: wanted.id, message: wanted.message, armedAt: armed.armedAt, firesAt: wanted.firesAt)
    }
    armed = wanted
    touch()
    guard wanted.isDue(at: now) else { return .armed(wanted) }
    let alert = wanted.raised(at: now)
    raise(alert, at: now, makeUUID: makeUUID)
    return .raised(alert)
  }

  /// Sends a text to everybody who had the call, once; later calls have it, too.
  private mutating func add(
    _ text: String, to index: Int, at now: Date, makeUUID: () -> UUID
  ) {
    guard let message = alerts[index].alert.message(adding: text) else { return }
    alerts[index].alert.message = message
    let alert = alerts[index].alert.id
    let stage = Stage.alertNote(UUID(derivedFrom: "\(alert) \(message)"))
    let calls = deliveries.filter {
      $0.planned.occasion == .alert(alert) && $0.planned.stage == .alertOn && $0.state != .cancelled
    }
    for call in calls {
      var planned = call.planned
      planned.stage = stage
      planned.inReplyTo = MessageID(delivery: call.id)
      planned.detail = text
      enqueue(planned, at: now, makeUUID: makeUUID)
    }
    touch()
  }

  /// Raises a silent alert, unless one is on (CHK-3). It is done when a gate is passed: what the person
  /// then asks for may be refused, and the alert is to be on all the same.
  mutating func raiseSilently(_ alert: Alert, makeUUID: () -> UUID) {
    touch()
    guard silentAlert == nil, !alerts.contains(where: { $0.alert.id == alert.id }) else { return }
    insertAlert(alert, makeUUID: makeUUID)
  }

  var silentAlert: Alert? { alerts.map(\.alert).first { $0.kind == .duress && $0.isActive } }

  /// Whether an alert is on that its person sees; a silent one is not there for them (CHK-3).
  fileprivate var isAlertShown: Bool {
    alerts.contains {
      $0.alert.isActive && $0.alert.kind != .duress && $0.alert.kind != .drill
    }
  }

  /// Whether the recipient of a call for help was sent a drill shortly before it.
  func followsDrill(_ message: PlannedDelivery, about alert: Alert) -> Bool {
    guard alert.kind != .drill, message.stage.isCall else { return false }
    let drills = alerts.map(\.alert).filter {
      $0.kind == .drill && $0.raisedAt <= alert.raisedAt
        && $0.resolvedAt ?? alert.raisedAt >= alert.raisedAt - DrillReport.remembered
    }
    return drills.contains { drill in
      deliveries.contains {
        $0.planned.occasion == .alert(drill.id) && $0.planned.recipient == message.recipient
          && $0.attempts > 0
      }
    }
  }

  /// What tells of a silent alert where an end goes to somebody who is told of it (CHK-3).
  func call(of silent: Alert.ID, inPlaceOf end: PlannedDelivery) -> Int? {
    guard end.stage.isEnd else { return nil }
    return deliveries.firstIndex {
      $0.planned.occasion == .alert(silent) && $0.planned.stage == .alertOn
        && $0.planned.recipient == end.recipient && $0.planned.channel == end.channel
        && $0.planned.address == end.address && $0.state != .cancelled
    }
  }

  /// Sends the ends that only seemed to be sent while a silent alert was on. Where one was said to be on
  /// in place of an end, that counts as its call, so that its end is said there.
  mutating func sayWhatWasUnsaid(during silent: Alert.ID, at now: Date) {
    let drills = alerts.filter { $0.alert.kind == .drill }.map { Occasion.alert($0.alert.id) }
    for index in deliveries.indices
    where deliveries[index].isUnsaid && deliveries[index].planned.stage.isEnd
      && !drills.contains(deliveries[index].planned.occasion)
    {
      guard let call = call(of: silent, inPlaceOf: deliveries[index].planned) else {
        deliveries[index].sayAfterAll(at: now)
        continue
      }
      if deliveries[index].record.mayHaveArrived { deliveries[call].state = .sent }
      deliveries[index].isUnsaid = false
    }
  }

  /// What seems to come of a message that must not be sent while a silent alert is on: of a drill, or
  /// that another alert is over; `nil` for one that is sent.
  ///
  /// Messages about the silent alert itself count: whether a place can be reached now is seen by them.
  func pretence(for message: PlannedDelivery, about alert: Alert) -> ClaimedDelivery.Pretence? {
    guard alert.kind == .drill || message.stage.isEnd, let silentAlert else { return nil }
    let drills = Set(alerts.map(\.alert).filter { $0.kind == .drill }.map { Occasion.alert($0.id) })
    let known = deliveries.filter { delivery in
      let isKnown =
        delivery.state == .sent || delivery.state == .failed
        || (delivery.state == .pending && delivery.lastError != nil)
      return isKnown && delivery.planned.channel == message.channel
        && delivery.planned.address == message.address
        && !(drills.contains(delivery.planned.occasion)
          && delivery.plannedAt >= silentAlert.raisedAt)
    }
    let last = known.indices.max {
      (known[$0].finishedAt ?? .distantFuture, $0) < (known[$1].finishedAt ?? .distantFuture, $1)
    }.map { known[$0] }
    var duration: Double?
    if let last, last.state == .sent, last.attempts == 1 {
      duration = last.finishedAt?.timeIntervalSince(last.plannedAt)
    }
    return ClaimedDelivery.Pretence(last: last.map { ($0.state, $0.lastError) }, duration: duration)
  }

  /// A responder's word about an alert, and about the others that are on.
  /// - Returns: Whether the person may be told: nothing about a silent alert may reach them (CHK-3).
  /// - Parameter isResponder: Whether they still respond; who is only kept for a silent alert knows of
  ///   no other.
  fileprivate mutating func acknowledge(
    _ index: Int, _ word: Acknowledgement, isResponder: Bool
  ) -> Bool {
    var isTold = false
    let isDrill = alerts[index].alert.kind == .drill
    for other in alerts.indices {
      let stored = alerts[other]
      let isMeant =
        other == index
        || stored.alert.isActive && stored.alert.kind != .drill && !isDrill
          && (isResponder || stored.alert.kind == .duress)
      guard isMeant,
        !stored.alert.acknowledgements.contains(where: { $0.responder == word.responder })
      else { continue }
      alerts[other].alert.acknowledgements.append(word)
      if stored.alert.kind != .duress { isTold = true }
    }
    touch()
    return isTold
  }

  fileprivate var activeManualAlert: Int? {
    alerts.firstIndex { $0.alert.kind == .manual && $0.alert.isActive }
  }

  fileprivate var activeDrill: Int? {
    alerts.firstIndex { $0.alert.kind == .drill && $0.alert.isActive }
  }

  /// Ends a drill, unless it is over, and says how it went (ALT-6).
  mutating func endDrill(_ id: Alert.ID, at now: Date, makeUUID: () -> UUID) {
    guard let index = activeDrill, alerts[index].alert.id == id else { return }
    alerts[index].alert.resolvedAt = now
    let drill = DrillReport(report(alerts[index]))
    notify(
      drill.isEverybodyTold ? .drillPassed : .drillFailed, detail: drill.summary, at: now,
      makeUUID: makeUUID)
  }

  /// Alerts as their person is shown them, newest first; a silent one never is (CHK-3).
  func reports(_ limit: Int) -> [AlertReport] {
    alerts.filter { $0.alert.kind != .duress }.suffix(max(0, limit)).reversed().map(report)
  }

  private func seen(_ delivery: StoredDelivery) -> DeliveryReport {
    var report = delivery.report
    if !contacts.contains(where: { .contact($0.id) == delivery.planned.recipient }) {
      report.address = report.channel.addressForOthers(report.address)
    }
    return report
  }

  private func report(_ stored: StoredAlert) -> AlertReport {
    AlertReport(
      alert: stored.alert,
      deliveries: deliveries.filter { $0.planned.occasion == .alert(stored.alert.id) }.map(seen))
  }
}
