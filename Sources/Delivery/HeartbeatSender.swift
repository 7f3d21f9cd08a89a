public import Clients
import Curl
import Domain
import FoundationEssentials
import Synchronization

/// Shows a service that this monitor works, so that the service can notify someone when it stops
/// (WCH-2).
///
/// Calls the service at the configured interval, and at once when messages can no longer be
/// delivered or can again.
public final class HeartbeatSender: Sendable {
  private struct Progress {
    var isRunning = false
    var last: (date: Date, url: String, isFailing: Bool)?
    /// The last logged fault, so that an unreachable service isn't logged every minute.
    var fault: String?
  }

  private let dateClient: DateClient
  private let http: HTTPClient
  private let limits: TransferLimits
  private let log: @Sendable (String) -> Void
  private let progress = Mutex(Progress())

  /// - Parameter log: Writes a line when the service can't be reached, and when it can again.
  package init(
    dateClient: DateClient, http: HTTPClient = .live, limits: TransferLimits = .heartbeat,
    log: @escaping @Sendable (String) -> Void
  ) {
    self.dateClient = dateClient
    self.http = http
    self.limits = limits
    self.log = log
  }

  /// Why the last call didn't count, as a sentence; `nil` if it did.
  public var problem: String? {
    progress.withLock(\.fault).map { "The heartbeat of config.json5 doesn't count: \($0)." }
  }

  /// Calls the service if it is time to. Returns at once in any case.
  /// - Returns: The task that makes the call; `nil` if none is due.
  @discardableResult
  public func beat(_ heartbeat: HeartbeatSettings, isFailing: Bool) -> Task<Void, Never>? {
    let now = dateClient.now()
    let isDue = progress.withLock { progress in
      guard !progress.isRunning else { return false }
      if let last = progress.last, last.url == heartbeat.url, last.isFailing == isFailing,
        now >= last.date, now < last.date + heartbeat.every
      {
        return false
      }
      progress.isRunning = true
      progress.last = (now, heartbeat.url, isFailing)
      return true
    }
    guard isDue else { return nil }
    return Task { await report(heartbeat.url, isFailing: isFailing) }
  }

  private func report(_ url: String, isFailing: Bool) async {
    let outcome = await Heartbeat(url: url, isFailing: isFailing)
      .send(by: http, within: limits, dateClient: dateClient)
    let line = progress.withLock { progress -> String? in
      progress.isRunning = false
      let fault = outcome.reason
      defer { progress.fault = fault }
      guard fault != progress.fault else { return nil }
      return fault.map { "heartbeat: \($0)" } ?? "heartbeat: the service answers again"
    }
    if let line { log(line) }
  }
}
