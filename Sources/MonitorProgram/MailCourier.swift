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
        canDeliver: false, problem: reading.fault?.text.description ?? Self.notSetUp)
    }
    // What the file said before it was broken goes on working.
    return .init()
  }

  private func deliver(_ delivery: ClaimedDelivery) async -> DeliveryOutcome {
    await send { await $0.deliver(delivery) }
  }

  /// Sends a test message to an address, or to the sender's own where there is none.
  /// - Returns: `nil` when mail is not set up.
  func sendTest(
    to address: String?, id: MessageID
  ) async -> (outcome: DeliveryOutcome, address: String)? {
    guard let smtp = file.current().configuration.smtp else { return nil }
    let address = address ?? smtp.from
    return (await send { await $0.sendTest(to: address, id: id) }, address)
  }

  private func send(
    _ body: (MailSender) async -> DeliveryOutcome
  ) async -> DeliveryOutcome {
    guard let smtp = file.current().configuration.smtp else {
      return .misconfigured(reason: Self.notSetUp)
    }
    var password = password
    if smtp.username != nil, password == nil {
      do { password = try await keychainClient.get(KeychainClient.smtpPassword) } catch {
        return .misconfigured(reason: error.text.description)
      }
    }
    return await body(
      MailSender(settings: .init(smtp: smtp), password: password, dateClient: dateClient))
  }
}
