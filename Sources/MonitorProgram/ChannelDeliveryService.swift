import Clients
import Delivery
import Domain
import FoundationEssentials
import Monitor
import Synchronization
import System
import Web

/// Delivers messages as configured, and reports to outside services that this monitor works.
final class ChannelDeliveryService: Sendable {
  private let file: ConfigurationFile
  private let secret: @Sendable (_ name: String) async throws(KeychainError) -> String?
  private let dateClient: DateClient
  /// The value of `LIFESIGNAL_SMTP_PASSWORD`; `nil` to look the password up as a secret.
  private let password: String?
  private let heartbeat: HeartbeatSender
  private let services: ServiceFiles
  /// Whether the accounts belong to a server.
  private let isOfServer: Bool
  /// The server of the pages behind the links in messages.
  private let links: LinkServer?
  /// The keeper of the heartbeats and scheduled messages that accounts ask for.
  private let standby: StandbyKeeper?
  /// The sender of the error log, for the service in the configuration.
  private let logs: LogSender?
  private let recordMove: ServiceSender.RecordMove
  private let lastHeartbeat = Mutex<Task<Void, Never>?>(nil)
  /// Looked up again after ten seconds: a command may have to be run for the password.
  private let lastMailRoute = Mutex<
    (configuration: Configuration, at: Date, route: MailRoute?)?
  >(nil)
  private static let mailRouteLifetime = 10.0
  /// Makes the names of routes in the store useless for guessing passwords. It must be the same
  /// after a restart, but not be in the store or its backups.
  private let routeKey = MachineIdentity.bytes

  init(
    file: ConfigurationFile,
    secret: @escaping @Sendable (String) async throws(KeychainError) -> String?,
    dateClient: DateClient, password: String?, services: ServiceFiles, isOfServer: Bool,
    links: LinkServer? = nil, standby: StandbyKeeper? = nil, logs: LogSender? = nil,
    recordMove: @escaping ServiceSender.RecordMove = { _, _ in }
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
    self.recordMove = recordMove
    heartbeat = HeartbeatSender(
      dateClient: dateClient, log: { StandardErrorLog.write("warning \($0)") })
  }

  var deliveryService: DeliveryService {
    DeliveryService(
      readiness: { self.readiness }, mailRoute: { await self.mailRoute() },
      heartbeat: { self.beat($0) },
      deliver: { await self.sender(self.file.current().configuration).deliver($0) })
  }

  /// Waits for the last heartbeat, which the loop never waits for.
  func finish() async { await lastHeartbeat.withLock { $0 }?.value }

  /// The sender's address of mail; `nil` if mail is not set up.
  var sendersAddress: String? {
    let configuration = file.current().configuration
    return configuration.smtp?.from ?? configuration.sendmail?.from
  }

  /// Who else can change the configuration, if that keeps mail from being sent.
  var mailExposure: ConfigurationExposure? {
    file.current().saved.exposure.flatMap { $0.blocksMail ? $0 : nil }
  }

  private var readiness: DeliveryService.Readiness {
    let reading = file.current()
    links?.keep(reading.configuration.links)
    let sender = sender(reading.configuration)
    // The last good configuration stays in force while the file is broken.
    let fault = reading.fault?.text.description
    var problems = sender.problems.mapValues { fault ?? $0 }
    if let exposure = mailExposure { problems[.email] = exposure.problem }
    let heartbeat = reading.configuration.heartbeat == nil ? nil : heartbeat.problem
    let notices = [reading.notice, isOfServer ? nil : links?.problem, heartbeat]
      .compactMap(\.self)
    return .init(
      kinds: sender.kinds, problems: problems,
      notice: notices.isEmpty ? nil : notices.joined(separator: " "))
  }

  /// The way that mail takes, by the settings and the password that are in force.
  private func mailRoute() async -> MailRoute? {
    let configuration = file.current().configuration
    let now = dateClient.now()
    let known = lastMailRoute.withLock { $0 }
    if let known, known.configuration == configuration,
      abs(now.timeIntervalSince(known.at)) < Self.mailRouteLifetime
    {
      return known.route
    }
    let route = await sender(configuration).mailRoute(key: routeKey)
    lastMailRoute.withLock { $0 = (configuration, now, route) }
    return route
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
    var configuration = configuration
    // A link that leads nowhere only takes time from someone who could help. The pages of a server
    // are served by the server.
    if let links, !isOfServer, !links.leadsToPage { configuration.links = nil }
    return ChannelSender(
      configuration: configuration,
      smtpSecret: { [password, secret] (name: String) async throws(KeychainError) in
        if name == KeychainClient.smtpPassword, let password { return password }
        return try await secret(name)
      }, dateClient: dateClient, services: services.read, isOfServer: isOfServer,
      recordMove: recordMove)
  }
}
