public import Clients
public import Domain

/// Delivers on every kind of channel (CHN-1), as the configuration says.
public struct ChannelSender: Sendable {
  private let configuration: Configuration
  private let smtpPassword: @Sendable () async throws(KeychainError) -> String?
  private let dateClient: DateClient
  private let services: @Sendable () -> ServiceCatalog
  private let mailIsNotSetUp: String

  /// - Parameters:
  ///   - smtpPassword: is asked only where a user name is given.
  ///   - services: is asked only for a channel of a service.
  ///   - isOfServer: Whether the people who read what is missing can't set it up themselves.
  public init(
    configuration: Configuration,
    smtpPassword: @escaping @Sendable () async throws(KeychainError) -> String?,
    dateClient: DateClient,
    services: @escaping @Sendable () -> ServiceCatalog = { ServiceCatalog() },
    isOfServer: Bool = false
  ) {
    self.configuration = configuration
    self.smtpPassword = smtpPassword
    self.dateClient = dateClient
    self.services = services
    mailIsNotSetUp =
      isOfServer
      ? "mail is not set up on the server" : "mail is not set up; run lifesignal mail setup"
  }

  /// What can be delivered on. A channel that needs nothing to be set up is always among them.
  public var kinds: Set<Channel.Kind> {
    Set(Channel.Kind.allCases).subtracting(configuration.canSendMail ? [] : [.email])
  }

  /// Why a kind is not among ``kinds``.
  public var problems: [Channel.Kind: String] {
    configuration.canSendMail ? [:] : [.email: mailIsNotSetUp]
  }

  /// Makes one attempt.
  public func deliver(_ delivery: ClaimedDelivery) async -> DeliveryOutcome {
    let (links, delivery) = (configuration.links, delivery.outgoing)
    return switch delivery.channel {
    case .email: await mail(delivery)
    case .webhook: await WebhookSender(links: links, dateClient: dateClient).deliver(delivery)
    case .ntfy: await NtfySender(links: links, dateClient: dateClient).deliver(delivery)
    case .desktop: await DesktopSender(dateClient: dateClient).deliver(delivery)
    case .service: await serve(delivery)
    }
  }

  private func serve(_ delivery: ClaimedDelivery) async -> DeliveryOutcome {
    let services = services()
    guard let service = services.service(of: delivery.address) else {
      // Another monitor may know it, or this one once its file is there.
      let name = Channel.Kind.service(of: delivery.address)
      let reason = services.faults[name]?.text.description
      return .retry(reason: reason ?? "there is no service called \(name) here", after: nil)
    }
    return await ServiceSender(service, links: configuration.links, dateClient: dateClient)
      .deliver(delivery)
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
      do throws(KeychainError) { password = try await smtpPassword() } catch {
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
  /// With every text in it as it may leave the program, whatever a channel makes of it.
  fileprivate var outgoing: ClaimedDelivery {
    var delivery = self
    delivery.recipientName = recipientName.outgoing
    delivery.detail = detail.outgoing
    delivery.user.profile.name = user.profile.name.outgoing
    delivery.user.profile.note = user.profile.note.outgoing
    delivery.alert?.message = alert?.message.outgoing ?? ""
    return delivery
  }
}
