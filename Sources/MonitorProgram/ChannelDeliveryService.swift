import Clients
import Delivery
import Domain
import Monitor
import Synchronization
import System
import Web

/// Delivers messages as the configuration says, and shows the world that this monitor works.
final class ChannelDeliveryService: Sendable {
  private let file: ConfigurationFile
  private let secret: @Sendable (_ name: String) async throws(KeychainError) -> String?
  private let dateClient: DateClient
  /// From `LIFESIGNAL_SMTP_PASSWORD`; `nil` to ask for it by its name.
  private let password: String?
  private let heartbeat: HeartbeatSender
  private let services: ServiceFiles
  /// Whether the accounts are a server's.
  private let isOfServer: Bool
  /// Serves the pages behind the links in messages.
  private let links: LinkKeeper?
  /// Keeps up what accounts ask for while this monitor works.
  private let standby: StandbyKeeper?
  /// Sends the error log where the configuration names a service for it.
  private let logs: LogSender?
  private let lastHeartbeat = Mutex<Task<Void, Never>?>(nil)

  init(
    file: ConfigurationFile,
    secret: @escaping @Sendable (String) async throws(KeychainError) -> String?,
    dateClient: DateClient, password: String?, services: ServiceFiles, isOfServer: Bool,
    links: LinkKeeper? = nil, standby: StandbyKeeper? = nil, logs: LogSender? = nil
  ) {
    self.file = file
    self.secret = secret
    self.dateClient = dateClient
    self.password = password
    self.services = services
    self.isOfServer = isOfServer
    self.links = links
    self.standby = standby
    self.logs = logs
    heartbeat = HeartbeatSender(
      dateClient: dateClient, log: { StandardErrorLog.write("warning \($0)") })
  }

  var deliveryService: DeliveryService {
    DeliveryService(
      readiness: { self.readiness }, heartbeat: { self.beat($0) },
      deliver: { await self.sender(self.file.current().configuration).deliver($0) })
  }

  /// Waits for the last heartbeat; it is nothing to wait for in a loop.
  func finish() async { await lastHeartbeat.withLock { $0 }?.value }

  /// What mail is sent from; `nil` where mail is not set up.
  var sendersAddress: String? {
    let configuration = file.current().configuration
    return configuration.smtp?.from ?? configuration.sendmail?.from
  }

  /// Who else may change the configuration, where that keeps mail from being sent.
  var mailExposure: ConfigurationExposure? {
    file.current().saved.exposure.flatMap { $0.blocksMail ? $0 : nil }
  }

  private var readiness: DeliveryService.Readiness {
    let reading = file.current()
    links?.keep(reading.configuration.links)
    let sender = sender(reading.configuration)
    // What the file said before it was broken goes on working.
    let fault = reading.fault?.text.description
    var problems = sender.problems.mapValues { fault ?? $0 }
    if let exposure = mailExposure { problems[.email] = exposure.problem }
    return .init(kinds: sender.kinds, problems: problems, notice: reading.notice)
  }

  private func beat(_ problems: [Channel.Kind: String]) {
    let configuration = file.current().configuration
    let own = configuration.heartbeat.flatMap {
      heartbeat.beat($0, isFailing: !problems.isEmpty)
    }
    let standby = standby.map { keeper in
      Task { await keeper.turnEnded(failing: Set(problems.keys)) }
    }
    let log = configuration.errorLog.flatMap { logs?.send(to: $0) }
    guard own != nil || standby != nil || log != nil else { return }
    lastHeartbeat.withLock { last in
      last = Task { [last] in
        await last?.value
        await own?.value
        await standby?.value
        await log?.value
      }
    }
  }

  private func sender(_ configuration: Configuration) -> ChannelSender {
    ChannelSender(
      configuration: configuration,
      smtpPassword: { [password, secret] () async throws(KeychainError) in
        if let password { return password }
        return try await secret(KeychainClient.smtpPassword)
      }, dateClient: dateClient, services: services.read, isOfServer: isOfServer)
  }
}
