import CCurlShim
import Clients
import Curl
import Domain

/// One attempt to give a message to a mail server, held by libcurl on the calling thread.
///
/// A server that hasn't greeted after a while gets a second connection beside the first. Both run on
/// this thread, so the one that comes first to the end of its greetings – before any login or
/// message – is chosen without a race, and the other one can't go further: its next line ends it.
final class SMTPTransfer {
  struct Settings: Sendable {
    var smtp: SMTPSettings
    var login: SMTPLogin?
    /// A file of certificates to trust instead of the system's; for tests.
    var certificateAuthority: String?
    var limits = SMTPLimits()
  }

  struct Result: Sendable {
    var outcome: DeliveryOutcome
    var login = SMTPLoginEnd.none
    /// The mechanisms that the server offers.
    var offered: [LoginMechanism] = []
    /// Whether the server refused the sender, the recipient or the message for good.
    var isRefusal = false
  }

  private let settings: Settings
  private let message: MailMessage
  private var connections: [SMTPConnection] = []
  private var chosen: SMTPConnection?
  private let start = ContinuousClock.now

  private init(_ settings: Settings, _ message: MailMessage) {
    self.settings = settings
    self.message = message
  }

  /// Makes one attempt, and hands over the result as soon as it is known. Cleaning up can take
  /// longer, as libcurl waits for a name server that is still being asked.
  static func run(
    _ settings: Settings, message: MailMessage, result handOver: (Result) -> Void
  ) {
    guard CurlLibrary.isReady, let multi = curl_shim_multi_init() else {
      return handOver(Result(outcome: .retry(reason: CurlLibrary.complaint, after: nil)))
    }
    let transfer = SMTPTransfer(settings, message)
    // The callbacks hold the connections unretained, and the last ones come from
    // `curl_multi_cleanup`. This is deferred first, so it runs last.
    defer { withExtendedLifetime(transfer) {} }
    defer { curl_shim_multi_cleanup(multi) }
    let result = transfer.run(multi)
    handOver(result)
    for connection in transfer.connections { connection.end(in: multi) }
  }

  private func run(_ multi: UnsafeMutableRawPointer) -> Result {
    let first: SMTPConnection
    do { first = try open(in: multi) } catch { return Result(outcome: error.outcome) }
    var last = first
    while true {
      curl_shim_multi_perform(multi)
      var code = CURLE_OK
      while let handle = curl_shim_multi_finished(multi, &code) {
        connections.first { $0.handle == handle }?.result = code
      }
      let now = ContinuousClock.now
      for connection in connections where connection.result == nil {
        connection.check(settings.limits, now: now)
      }
      for connection in connections where connection.isOver {
        guard connection !== chosen else { return connection.judge(settings) }
        last = connection
      }
      if let chosen {
        // One that still asks a name server is left alone: libcurl would wait for it here.
        for other in connections where other !== chosen && other.isConnected {
          other.end(in: multi)
        }
      } else if connections.allSatisfy(\.isOver) {
        return last.judge(settings)
      } else if connections.count == 1, start.duration(to: now) >= settings.limits.secondConnection
      {
        // Without memory for it, the first one is still there.
        _ = try? open(in: multi)
        continue
      }
      curl_shim_multi_poll(multi, Int32(clamping: pause(now: now).milliseconds))
    }
  }

  /// The time until something is due, at most a second.
  private func pause(now: ContinuousClock.Instant) -> Duration {
    var ends = connections.filter { !$0.isOver }.map { $0.deadline(settings.limits) }
    if connections.count == 1, chosen == nil {
      ends.append(start.advanced(by: settings.limits.secondConnection))
    }
    return min(.seconds(1), now.duration(to: ends.min() ?? now))
  }

  private func open(
    in multi: UnsafeMutableRawPointer
  ) throws(SMTPConnection.Unstarted) -> SMTPConnection {
    let connection = try SMTPConnection(
      settings, message, isSecond: !connections.isEmpty,
      mayGoOn: { [unowned self] connection in mayGoOn(connection) })
    connections.append(connection)
    guard connection.begin(in: multi) else {
      throw .init(outcome: .retry(reason: "out of memory", after: nil))
    }
    return connection
  }

  /// Whether a connection may go on after a line of the server. At most one may go on after the
  /// greetings.
  private func mayGoOn(_ connection: SMTPConnection) -> Bool {
    if let chosen { return chosen === connection }
    if connection.isReady { chosen = connection }
    return true
  }
}
