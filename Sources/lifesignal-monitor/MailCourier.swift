import Clients
import Delivery
import Domain
import Monitor

/// Carries messages as the configuration says.
struct MailCourier: Sendable {
  let file: ConfigurationFile
  let keychainClient: KeychainClient
  let dateClient: DateClient
  /// From `LIFESIGNAL_SMTP_PASSWORD`; `nil` to ask the keychain.
  let password: String?

  static let notSetUp = "mail is not set up in config.json5"

  var courier: Courier {
    Courier(readiness: { readiness }, deliver: { await deliver($0) })
  }

  private var readiness: Courier.Readiness {
    let reading = file.current()
    guard reading.configuration.smtp != nil else {
      return .init(
        kinds: [], problems: [.email: reading.fault?.text.description ?? Self.notSetUp])
    }
    // What the file said before it was broken goes on working.
    return .init(kinds: [.email])
  }

  private func deliver(_ delivery: ClaimedDelivery) async -> DeliveryOutcome {
    guard let smtp = file.current().configuration.smtp else {
      return .misconfigured(reason: Self.notSetUp)
    }
    var password = password
    if smtp.username != nil, password == nil {
      do { password = try await keychainClient.get(KeychainClient.smtpPassword) } catch {
        return .misconfigured(reason: error.text.description)
      }
    }
    let sender = MailSender(
      settings: .init(smtp: smtp), password: password, dateClient: dateClient)
    return await sender.deliver(delivery)
  }
}
