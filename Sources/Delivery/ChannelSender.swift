public import Clients
import Cryptography
import Curl
public import Domain
import FoundationEssentials

/// Delivers on every kind of channel (CHN-1), as configured.
public struct ChannelSender: Sendable {
  private let configuration: Configuration
  private let smtpSecret: @Sendable (_ name: String) async throws(KeychainError) -> String?
  private let dateClient: DateClient
  private let http: HTTPClient
  private let services: @Sendable () -> ServiceCatalog
  private let recordMove: ServiceSender.RecordMove
  private let mailIsNotSetUp: String
  private let hasNetworkLibrary: @Sendable () -> Bool
  private let isOfServer: Bool

  /// - Parameters:
  ///   - smtpSecret: Returns the password or token; called only if a user name is configured.
  ///   - services: Returns the declared services; called only for a service channel.
  ///   - isOfServer: Whether this is a server, whose users can't set up mail themselves.
  ///   - recordMove: Records the new address of a recipient who has moved.
  ///   - hasNetworkLibrary: Returns whether libcurl is loaded, after trying to load it; `nil` to do
  ///     so.
  package init(
    configuration: Configuration,
    smtpSecret: @escaping @Sendable (_ name: String) async throws(KeychainError) -> String?,
    dateClient: DateClient, http: HTTPClient = .live,
    services: @escaping @Sendable () -> ServiceCatalog = { ServiceCatalog() },
    isOfServer: Bool = false, recordMove: @escaping ServiceSender.RecordMove = { _, _ in },
    hasNetworkLibrary: (@Sendable () -> Bool)? = nil
  ) {
    self.configuration = configuration
    self.smtpSecret = smtpSecret
    self.dateClient = dateClient
    self.http = http
    self.services = services
    self.recordMove = recordMove
    self.isOfServer = isOfServer
    self.hasNetworkLibrary = hasNetworkLibrary ?? { CurlLibrary.isReady }
    mailIsNotSetUp =
      isOfServer
      ? "mail is not set up on the server" : "mail is not set up; run lifesignal mail setup"
  }

  /// The kinds of channels that can be delivered on, including all that need no setup.
  public var kinds: Set<Channel.Kind> {
    Set(Channel.Kind.allCases).subtracting(problems.keys)
  }

  /// The reasons why kinds are missing from ``kinds``.
  public var problems: [Channel.Kind: String] {
    var problems: [Channel.Kind: String] = [:]
    if !hasNetworkLibrary() {
      let kinds: [Channel.Kind] = [.webhook, .ntfy, .service]
      for kind in configuration.sendmail == nil ? kinds + [.email] : kinds {
        problems[kind] = CurlLibrary.complaint
      }
    }
    if !configuration.canSendMail { problems[.email] = mailIsNotSetUp }
    return problems
  }

  /// Returns the way that mail takes, by the settings and the password; `nil` if it isn't set up, or
  /// the password can't be read.
  /// - Parameter key: Keeps the password from being guessed from the route's name.
  public func mailRoute(key: [UInt8]) async -> MailRoute? {
    guard let transport = configuration.mailTransport else { return nil }
    var password: String?
    // A token is new each hour; its command stands in the settings.
    if case .smtp(let smtp) = transport, smtp.username != nil, smtp.tokenCommand == nil {
      do throws(KeychainError) {
        password = try await smtpSecret(KeychainClient.smtpPassword)
      } catch { return nil }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    guard let settings = try? encoder.encode(transport) else { return nil }
    let name = MessageAuthentication.code(
      for: Array(settings) + [0] + Array((password ?? "").utf8), key: key)
    return MailRoute(key: "mail \(Data(name).base64EncodedString())", server: transport.name)
  }

  /// Makes one attempt.
  public func deliver(_ delivery: ClaimedDelivery) async -> DeliveryOutcome {
    let (links, delivery) = (configuration.links, delivery.outgoing)
    return switch delivery.channel {
    case .email: await mail(delivery)
    case .webhook:
      await WebhookSender(
        links: links, dateClient: dateClient, http: http, staysOutside: staysOutside(delivery)
      ).deliver(delivery)
    case .ntfy:
      await NtfySender(
        links: links, dateClient: dateClient, http: http, staysOutside: staysOutside(delivery)
      ).deliver(delivery)
    case .desktop: await DesktopSender(dateClient: dateClient).deliver(delivery)
    case .service: await serve(delivery)
    }
  }

  /// Whether a message must not reach this machine or its network: on a server, a member could make
  /// it call what only the administrator should.
  /// - Parameter url: Where it goes; `nil` if that is the address.
  private func staysOutside(_ delivery: ClaimedDelivery, url: String? = nil) -> Bool {
    isOfServer && !delivery.mayReachPrivate
      && !configuration.privateTargets.allows(url ?? delivery.address)
  }

  private func serve(_ delivery: ClaimedDelivery) async -> DeliveryOutcome {
    let services = services()
    guard let service = services.service(of: delivery.address) else {
      // Another monitor may know the service, or this one may later, once its file is there.
      let name = Channel.Kind.service(of: delivery.address)
      let reason = services.faults[name]?.text.description
      return .retry(reason: reason ?? "there is no service called \(name) here", after: nil)
    }
    return await ServiceSender(
      service, links: configuration.links, dateClient: dateClient, http: http,
      staysOutside: { staysOutside(delivery, url: $0) }, recordMove: recordMove
    ).deliver(delivery)
  }

  private func mail(_ delivery: ClaimedDelivery) async -> DeliveryOutcome {
    if let sendmail = configuration.sendmail {
      return await SendmailSender(
        settings: sendmail, links: configuration.links, dateClient: dateClient
      ).deliver(delivery)
    }
    guard let smtp = configuration.smtp else { return .misconfigured(reason: mailIsNotSetUp) }
    var password: String?
    if smtp.username != nil {
      let name =
        smtp.tokenCommand == nil ? KeychainClient.smtpPassword : KeychainClient.smtpToken
      do throws(KeychainError) { password = try await smtpSecret(name) } catch {
        return .misconfigured(reason: error.text.description)
      }
    }
    return await MailSender(
      settings: .init(smtp: smtp, links: configuration.links), password: password,
      dateClient: dateClient
    ).deliver(delivery)
  }
}

extension ClaimedDelivery {
  /// The delivery with every text made safe to leave the program, whatever the channel.
  fileprivate var outgoing: ClaimedDelivery {
    var delivery = self
    delivery.recipientName = recipientName.outgoing
    delivery.detail = detail.outgoing
    delivery.user.profile.name = user.profile.name.outgoing
    delivery.user.profile.note = user.profile.note.outgoing
    delivery.user.profile.address = user.profile.address?.outgoing
    delivery.user.profile.access = user.profile.access?.outgoing
    delivery.alert?.message = alert?.message.outgoing ?? ""
    return delivery
  }
}
