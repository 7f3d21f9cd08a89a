public import Clients
public import Domain
import FoundationEssentials
import Synchronization

/// Contacts the outside services that notice when this machine falls silent.
public struct StandbyTransport: Sendable {
  /// Calls a heartbeat URL, reporting a failure if someone can't be notified. Returns `nil` if the
  /// service accepted it, otherwise the reason.
  /// `mayReachPrivate` is whether the URL was there before servers kept private addresses from being
  /// reached.
  public var beat:
    @Sendable (_ url: String, _ isFailing: Bool, _ mayReachPrivate: Bool) async -> String?
  /// Schedules a message at an ntfy server, replacing the account's previous one, or cancels it if
  /// it is no longer wanted. Returns `nil` if the server accepted it, otherwise the reason.
  public var updateScheduledMessage: @Sendable (StandbyDuty.Step, StandbyDuty) async -> String?

  public init(
    beat: @escaping @Sendable (String, Bool, Bool) async -> String?,
    updateScheduledMessage: @escaping @Sendable (StandbyDuty.Step, StandbyDuty) async -> String?
  ) {
    self.beat = beat
    self.updateScheduledMessage = updateScheduledMessage
  }
}

/// Keeps the heartbeats and scheduled messages of the accounts' ``Standby`` settings going while
/// the monitor is healthy (WCH-2).
///
/// Failures are retried in the next round. They never hold up the watch or the other services.
public struct StandbyKeeper: Sendable {
  /// The minimum time between rounds.
  public static let pace = TimeSpan.minutes(1)
  /// How many services are contacted at once: one that hangs takes half a minute.
  static let concurrency = 8

  private let client: StandbyClient
  private let transport: StandbyTransport
  private let dateClient: DateClient
  private let log: MonitorLog
  private let progress = Progress()

  public init(
    client: StandbyClient, transport: StandbyTransport, dateClient: DateClient,
    log: MonitorLog = .silent
  ) {
    self.client = client
    self.transport = transport
    self.dateClient = dateClient
    self.log = log
  }

  /// Starts a round after a successful turn, if the last one is over and at least a minute old.
  /// After a check-in, moving the scheduled message takes no longer than that.
  /// - Parameter failing: The kinds of channels on which the monitor cannot deliver.
  public func turnEnded(failing: Set<Channel.Kind> = []) async {
    guard progress.begin(at: dateClient.now()) else { return }
    await makeRound(failing)
    progress.end()
  }

  /// Calls every heartbeat and moves every message that needs it, a few at a time.
  private func makeRound(_ failing: Set<Channel.Kind>) async {
    let duties: [StandbyDuty]
    do { duties = try await client.duties() } catch {
      return log.error("standby: duties could not be read: \(error.text.code)")
    }
    // Accounts that share a URL share one check at the service.
    let beating = Dictionary(grouping: duties.filter { $0.standby.heartbeat != nil }) {
      $0.standby.heartbeat ?? ""
    }
    var work: [@Sendable () async -> Void] = beating.map { url, duties in
      let isFailing = duties.contains { $0.canNotifyNobody(failing) }
      return {
        let failure = await transport.beat(
          url, isFailing, duties.contains(where: \.mayReachPrivate))
        note(failure, of: "a heartbeat")
        for duty in duties { await recordAnswer(failure, of: .heartbeat, duty) }
      }
    }
    work += duties.map { duty in { await keep(duty, failing) } }
    await withTaskGroup(of: Void.self) { group in
      for (index, work) in work.enumerated() {
        if index >= Self.concurrency { await group.next() }
        group.addTask { await work() }
      }
    }
  }

  private func keep(_ duty: StandbyDuty, _ failing: Set<Channel.Kind>) async {
    let whose = "the waiting message of account \(duty.account.short)"
    for step in duty.steps(at: dateClient.now(), failing: failing) {
      let failure = await transport.updateScheduledMessage(step, duty)
      switch step {
      case .schedule:
        note(failure, of: whose)
        await recordAnswer(failure, of: .message, duty)
      case .cancel: note(failure, of: "taking back \(whose)")
      }
      if failure == nil { await record(step, duty) }
    }
  }

  private func record(_ step: StandbyDuty.Step, _ duty: StandbyDuty) async {
    do {
      switch step {
      case .schedule(let message): try await client.record(duty.account, message)
      case .cancel: try await client.record(duty.account, nil)
      }
    } catch {
      log.error("standby: a waiting message could not be recorded: \(error.text.code)")
    }
  }

  /// Records what a service said, where the person reads it.
  private func recordAnswer(
    _ failure: String?, of part: StandbyDuty.Part, _ duty: StandbyDuty
  ) async {
    let answer = failure ?? ""
    guard duty.answers[part] != answer else { return }
    do { try await client.recordAnswer(duty.account, part, answer) } catch {
      log.error("standby: an answer could not be recorded: \(error.text.code)")
    }
  }

  /// Logs each failure once, and when it is over.
  private func note(_ failure: String?, of what: String) {
    guard progress.note(failure, of: what) else { return }
    if let failure {
      log.warning("standby: \(what) failed: \(failure)")
    } else {
      log.info("standby: \(what) works again")
    }
  }
}

/// The keeper's state between rounds.
private final class Progress: Sendable {
  private struct Contents {
    var isRunning = false
    var last: Date?
    var failures: [String: String] = [:]
  }

  private let contents = Mutex(Contents())

  func begin(at now: Date) -> Bool {
    contents.withLock { contents in
      let isDue = contents.last.map { now >= $0 + StandbyKeeper.pace || now < $0 } ?? true
      guard isDue, !contents.isRunning else { return false }
      contents.isRunning = true
      contents.last = now
      return true
    }
  }

  func end() { contents.withLock { $0.isRunning = false } }

  /// - Returns: Whether this is a change.
  func note(_ failure: String?, of what: String) -> Bool {
    contents.withLock { contents in
      defer { contents.failures[what] = failure }
      return contents.failures[what] != failure
    }
  }
}
