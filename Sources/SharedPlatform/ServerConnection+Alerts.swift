import Clients
import Cryptography
import Domain
import FoundationEssentials
import Synchronization

/// Alerts that are kept on this device until the server has answered (OFF-1). The server knows an
/// alert by its identifier, so that any number of programs can send it at the same time.
extension ServerConnection {
  /// The requests of an alert, as they go to the server.
  struct AlertRequests: Sendable {
    var arm:
      @Sendable (_ id: Alert.ID, _ message: String, _ delay: TimeSpan) async throws(ClientError) ->
        Arming
    var disarm: @Sendable (Alert.ID) async throws(ClientError) -> Void
    /// Describes a date for a responder.
    var describe: @Sendable (Date) -> String
    /// Starts a program that sends what waits.
    var startSync: @Sendable () -> Void
  }

  /// How old an alert is, in seconds, of whose first message the responders must know when it was
  /// raised.
  private static let lateAge = 300.0

  /// Arms an alert: writes a file, sends it, and leaves it there if the server doesn't answer.
  func arm(
    _ id: Alert.ID, _ message: String, _ delay: TimeSpan, _ requests: AlertRequests
  ) async throws(ClientError) -> Arming {
    guard let outbox else { return try await requests.arm(id, message, delay) }
    if let arming = try stopped(id, in: outbox) { return arming }
    let isNew = outbox.alert(id) == nil
    beingSent.withLock { _ = $0.insert(id) }
    defer { beingSent.withLock { _ = $0.remove(id) } }
    guard let alert = try? keep(id, message, delay) else {
      // No folder takes it, or it was stopped in between.
      if let arming = try stopped(id, in: outbox) { return arming }
      return try await requests.arm(id, message, delay)
    }
    do throws(ClientError) {
      let arming = try await send(alert, from: outbox, requests)
      outbox.remove(alert)
      if arming == .stopped, let arming = try stopped(id, in: outbox) { return arming }
      return arming
    } catch {
      if isNew, case .storage = error { requests.startSync() }
      throw error
    }
  }

  /// Returns that an alert was stopped here; `nil` if it wasn't.
  /// - Throws: ``ClientError/queued(at:)`` if it may have been sent before.
  private func stopped(
    _ id: Alert.ID, in outbox: OutboxFolder
  ) throws(ClientError) -> Arming? {
    guard let stop = outbox.stop(of: id) else { return nil }
    outbox.removeAlert(id)
    if stop.mayBeSent { throw .queued(at: now()) }
    return .stopped
  }

  /// Writes an alert to its file, or changes the text and the time in it.
  /// - Throws: An error if no folder takes it, or it was stopped.
  func keep(
    _ id: Alert.ID, _ message: String, _ delay: TimeSpan
  ) throws(StorageError) -> OutboxFolder.KeptAlert {
    guard let outbox, let token = held.withLock({ $0 }) else {
      throw .network(.serverUnreachable(server.name))
    }
    var alert = OutboxFolder.KeptAlert(
      id: id, server: server.url, account: account(of: token), session: owner(token),
      message: ProfileRules.shortenedAlertMessage(message), made: serverClock.begin(),
      delay: delay.seconds)
    if let known = outbox.alert(id) {
      alert.made = known.made
      alert.delay += Int(bounded: age(of: known))
    }
    try outbox.keep(alert)
    // Another program, or this one, may have stopped it while it was written.
    guard !outbox.isStopped(id) else {
      outbox.removeAlert(id)
      throw .unknown("the alert was stopped")
    }
    return alert
  }

  /// Saves an armed alert in a file, from which it is sent as soon as the server answers.
  func spool(
    _ id: Alert.ID, _ message: String, _ delay: TimeSpan, _ requests: AlertRequests
  ) throws(ClientError) -> ArmedAlert {
    do throws(StorageError) {
      let alert = try keep(id, message, delay)
      requests.startSync()
      return seen(alert)
    } catch { throw .storage(error) }
  }

  /// Sends an alert once.
  /// - Parameter isSnapshot: Whether it was read some time ago, and may have been stopped and forgotten
  ///   since.
  private func send(
    _ alert: OutboxFolder.KeptAlert, from outbox: OutboxFolder, _ requests: AlertRequests,
    isSnapshot: Bool = false
  ) async throws(ClientError) -> Arming {
    let note =
      outbox.noteOfAttempts(alert.id) ?? (isLate(alert) ? lateNote(alert, requests) : "")
    let mark = outbox.markAttempt(alert.id, note: note)
    // A stop that was written before the mark is seen here; one that comes later sees the mark.
    guard !outbox.isStopped(alert.id), !isSnapshot || outbox.alert(alert.id) != nil else {
      outbox.fail(mark, of: alert.id)
      return .stopped
    }
    do throws(ClientError) {
      return try await requests.arm(
        alert.id, Self.message(alert.message, note), delay(of: alert))
    } catch {
      if Self.mayHaveArrived(error) {
        outbox.settle(mark, of: alert.id, note: note)
      } else {
        outbox.fail(mark, of: alert.id)
      }
      throw error
    }
  }

  /// Whether a request that ended in an error can have been done all the same.
  private static func mayHaveArrived(_ error: ClientError) -> Bool {
    switch error {
    case .storage(.network(let error)):
      switch error {
      case .connectionFailed, .serverUnreachable, .notTrusted, .otherKey, .notLifeSignal,
        .rateLimited, .versionRefused, .operationUnknown, .libraryMissing:
        false
      case .unanswered, .serverError, .unexpectedAnswer, .answerTooLarge, .answerUnreadable: true
      }
    case .storage: true
    // A rule of the server.
    default: false
    }
  }

  /// Returns a message with a note, which is never cut.
  private static func message(_ text: String, _ note: String) -> String {
    guard !note.isEmpty else { return text }
    guard !text.isEmpty else { return note }
    return text.prefix(ProfileRules.alertMessageLimit - note.count - 1) + "\n" + note
  }

  /// Says when an alert was raised that is sent late. After a month, the date would be read as one of
  /// this month.
  private func lateNote(
    _ alert: OutboxFolder.KeptAlert, _ requests: AlertRequests
  ) -> String {
    let date = alert.made.wall + Double(alert.delay)
    let isNear = abs(now().timeIntervalSince(date)) < 31 * 86_400
    return
      "(Raised \(isNear ? requests.describe(date) : "earlier") on this device; it could only be"
      + " sent later.)"
  }

  /// How many seconds ago an alert was made. After a restart only the wall clock says so; one that
  /// was set back since makes it due: help that comes too early does less harm (ESC-5).
  private func age(of alert: OutboxFolder.KeptAlert) -> Double {
    if let age = serverClock.uptimeAge(of: alert.made) { return age }
    let age = now().timeIntervalSince(alert.made.wall)
    return age < 0 ? Double(alert.delay) : age
  }

  /// Whether it may have been raised long ago. A virtual machine that was stopped has a short uptime.
  private func isLate(_ alert: OutboxFolder.KeptAlert) -> Bool {
    max(age(of: alert), now().timeIntervalSince(alert.made.wall)) - Double(alert.delay)
      > Self.lateAge
  }

  /// How long until an alert is raised; negative if it should be on already.
  private func delay(of alert: OutboxFolder.KeptAlert) -> TimeSpan {
    .seconds(Int(bounded: (Double(alert.delay) - age(of: alert)).rounded()))
  }

  /// Returns an alert as the person sees it, by the server's clock.
  private func seen(_ alert: OutboxFolder.KeptAlert) -> ArmedAlert {
    let fires = serverClock.nowOnServer + delay(of: alert)
    return ArmedAlert(
      id: alert.id, message: alert.message, armedAt: fires - .seconds(alert.delay),
      firesAt: fires)
  }

  // MARK: Stopping

  /// Stops an alert. If the server doesn't answer, a file keeps every program of this machine from
  /// sending it, and the stop is sent later.
  /// - Throws: ``ClientError/queued(at:)`` if the alert may have been sent.
  func disarm(_ id: Alert.ID, _ requests: AlertRequests) async throws(ClientError) {
    guard let outbox, let token = held.withLock({ $0 }) else {
      return try await requests.disarm(id)
    }
    let waiting = outbox.alert(id)
    var stop =
      waiting
      ?? .init(
        id: id, server: server.url, account: account(of: token), session: owner(token),
        message: "", made: serverClock.begin(), delay: 0)
    stop.isStopped = true
    stop.stoppedAt = now()
    // Without a file, the server has answered.
    stop.mayBeSent = waiting == nil || outbox.noteOfAttempts(id) != nil
    let isKept = (try? outbox.keep(stop)) != nil
    let isThere = outbox.alert(id) != nil
    let marks = outbox.openMarks(of: id)
    if isKept, !stop.mayBeSent, !isThere || !marks.isEmpty {
      // Another program has begun to send it in between, or has sent it.
      stop.mayBeSent = true
      try? outbox.keep(stop)
    }
    outbox.removeAlert(id)
    guard stop.mayBeSent || !isKept else { return }
    do throws(ClientError) {
      try await requests.disarm(id)
      outbox.remove(stop)
    } catch {
      guard case .storage = error, isKept else {
        outbox.remove(stop)
        throw error
      }
      // The attempts that went on when it was stopped have ended by now, or do soon.
      if isThere, await haveFailed(marks, in: outbox) {
        stop.mayBeSent = false
        try? outbox.keep(stop)
        return
      }
      requests.startSync()
      throw .queued(at: now())
    }
  }

  /// Waits a little for attempts to send an alert that was stopped.
  /// - Returns: Whether none of them can have arrived.
  private func haveFailed(_ marks: [OutboxFolder.Mark], in outbox: OutboxFolder) async -> Bool {
    for _ in 0..<20 {
      let results = marks.map(outbox.hasFailed)
      if !results.contains(nil) { return results.allSatisfy { $0 == true } }
      guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { break }
    }
    return false
  }

  /// Stops alerts that wait: their person has cancelled the one that is on, and means all.
  func stop(_ waiting: [Outbox.Alert], _ requests: AlertRequests) async {
    for alert in waiting where !alert.isStopped { try? await disarm(alert.id, requests) }
  }

  // MARK: What waits

  /// Returns the alerts and stops that this session may send.
  private func alerts(in outbox: OutboxFolder) -> [OutboxFolder.KeptAlert] {
    guard let token = held.withLock({ $0 }) else { return [] }
    let (session, account) = (owner(token), account(of: token))
    return outbox.alerts(for: server.url).filter {
      $0.session == session || account != nil && $0.account == account
    }
  }

  private func account(of token: String) -> User.ID? {
    serverClock.account(of: SecureToken(text: token).digest)
  }

  /// Returns the alerts that wait, as the person sees them.
  func waitingAlerts() -> [Outbox.Alert] {
    guard let outbox else { return [] }
    return alerts(in: outbox).compactMap { alert in
      let raisedAt = alert.made.wall + Double(alert.delay)
      if alert.isStopped {
        return alert.mayBeSent
          ? .init(id: alert.id, raisedAt: raisedAt, mayBeSent: true, isStopped: true) : nil
      }
      guard !outbox.isStopped(alert.id) else { return nil }
      return .init(
        id: alert.id, raisedAt: raisedAt, mayBeSent: outbox.noteOfAttempts(alert.id) != nil)
    }
  }

  /// Sends all alerts and stops that wait.
  /// - Returns: The result for each.
  func sendAlerts(_ requests: AlertRequests) async -> [OfflineClient.AlertDelivery] {
    guard let outbox else { return [] }
    let beingSent = beingSent.withLock(\.self)
    let waiting = waitingAlerts()
    var deliveries: [OfflineClient.AlertDelivery] = []
    for alert in alerts(in: outbox) where !beingSent.contains(alert.id) {
      guard
        let shown = waiting.first(where: { $0.id == alert.id && $0.isStopped == alert.isStopped })
      else {
        // The stop of one that was never sent: after a day no program holds it any more.
        if alert.isStopped, now().timeIntervalSince(alert.stoppedAt ?? now()) > 86_400 {
          outbox.remove(alert)
        }
        continue
      }
      deliveries.append(
        .init(alert: shown, result: await result(of: alert, from: outbox, requests)))
    }
    return deliveries
  }

  private func result(
    of alert: OutboxFolder.KeptAlert, from outbox: OutboxFolder, _ requests: AlertRequests
  ) async -> OfflineClient.AlertDelivery.Result {
    do throws(ClientError) {
      guard !alert.isStopped else {
        try await requests.disarm(alert.id)
        outbox.remove(alert)
        return .stopped
      }
      switch try await send(alert, from: outbox, requests, isSnapshot: true) {
      case .armed(let other) where other.id != alert.id:
        // Its text is sent once that one is on.
        return .waits
      case .armed, .raised:
        outbox.remove(alert)
        return .sent
      // Another program has stopped it, or has sent it.
      case .stopped: return .waits
      }
    } catch {
      if error == .alertAlreadyOn {
        outbox.remove(alert)
        return .isOn
      }
      return .waits
    }
  }

  /// Returns the armed alert, now and after every change: the one that waits here, so that a program
  /// that starts shows it again, or else the server's.
  func observeArmed(
    _ onServer: AsyncThrowingStream<ArmedAlert?, any Error>
  ) -> AsyncThrowingStream<ArmedAlert?, any Error> {
    guard let outbox else { return onServer }
    let armed = LatestArmed()
    return .ofTask(bufferingPolicy: .bufferingNewest(1)) { [self, clock] continuation in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for try await present in onServer {
            if let present = armed.update(waiting: self.waitingArmed(in: outbox), onServer: present)
            {
              continuation.yield(present)
            }
          }
        }
        group.addTask {
          var seen: [Int]?
          while true {
            let signature = outbox.signature
            if seen != signature, let present = armed.update(waiting: self.waitingArmed(in: outbox))
            {
              continuation.yield(present)
            }
            seen = signature
            try await clock.sleep(for: .seconds(1))
          }
        }
        try await group.next()
        group.cancelAll()
      }
    }
  }

  /// Returns the alert that waits here and that this program isn't sending.
  private func waitingArmed(in outbox: OutboxFolder) -> ArmedAlert? {
    let beingSent = beingSent.withLock(\.self)
    return alerts(in: outbox).first {
      !$0.isStopped && !outbox.isStopped($0.id) && !beingSent.contains($0.id)
    }
    .map(seen)
  }
}

/// The armed alert that was emitted last, and the server's.
private final class LatestArmed: Sendable {
  private let state = Mutex<(onServer: ArmedAlert??, last: ArmedAlert??)>((nil, nil))

  /// Notes what has changed.
  /// - Returns: The alert to emit, or that there is none; `nil` if nothing is to be emitted.
  func update(waiting: ArmedAlert?, onServer: ArmedAlert?? = nil) -> ArmedAlert?? {
    state.withLock { state in
      if let onServer { state.onServer = onServer }
      guard let present = waiting.map(Optional.some) ?? state.onServer else { return nil }
      guard state.last.map({ !Self.isSame($0, present) }) ?? true else { return nil }
      state.last = present
      return present
    }
  }

  /// Returns whether two alerts are the same. What is left of a countdown that waits here is counted
  /// again each time, so it differs a little.
  private static func isSame(_ one: ArmedAlert?, _ other: ArmedAlert?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one.id == other.id && one.message == other.message
      && abs(one.firesAt.timeIntervalSince(other.firesAt)) < 2
  }
}
