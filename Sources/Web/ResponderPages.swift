public import Clients
import Domain
import FoundationEssentials
import Synchronization

/// The pages behind the links in messages: `/a/CODE` to respond, `/d/CODE` to decline being a
/// contact (ESC-2, CON-3, PAGE-1), `/c/CODE` to check in (CHK-8).
public final class ResponderPages: Sendable {
  private let client: ResponseClient
  private let dateClient: DateClient
  private let tries = Mutex(WrongTries())

  public init(client: ResponseClient, dateClient: DateClient) {
    self.client = client
    self.dateClient = dateClient
  }

  /// Answers a request. Only a POST changes anything: programs that follow the links of a message,
  /// to scan them or to show a preview, don't press buttons.
  public func answer(_ request: WebRequest) async -> WebResponse {
    guard let (kind, code) = Self.code(in: request.path) else { return ResponderPage.nothing }
    let now = dateClient.now()
    let refuses = tries.withLock { $0.refuses(request.client, now: now) }
    do throws(ClientError) {
      if kind == .checkIn { return try await checkIn(code, request) }
      let invitation = try await client.look(code)
      guard request.method == .post else { return page(for: invitation) }
      if request.field("answer") == Self.withdraw {
        if invitation.hasResponded, invitation.call != nil { try await client.withdraw(code) }
      } else if !invitation.hasResponded {
        _ = try await client.press(code)
      }
      return Self.seeAgain(request)
    } catch .alertEnded {
      return ResponderPage.over
    } catch .responseCodeUnknown, .tooManyCodes {
      guard !refuses else { return ResponderPage.tooManyTries }
      tries.withLock { $0.note(request.client, now: now) }
      return ResponderPage.nothing
    } catch {
      return ResponderPage.unavailable
    }
  }

  /// The value that the form sends when a responder withdraws.
  static let withdraw = "withdraw"

  /// Checks in by a button, with the passphrase if the gate asks for it. What is typed is used only
  /// if nobody else could read it on its way.
  private func checkIn(_ code: String, _ request: WebRequest) async throws(ClientError)
    -> WebResponse
  {
    let link = try await client.lookCheckIn(code)
    let mustEncrypt = link.state == .needsPassphrase && !request.isEncrypted
    // Without the passphrase, the press is passed on to the responders, and holds nothing secret.
    guard request.method == .post, !mustEncrypt || link.missed != nil else {
      return mustEncrypt
        ? CheckInPage.unencrypted(link, calendar: dateClient.calendar)
        : CheckInPage.page(link, calendar: dateClient.calendar)
    }
    let passphrase = request.field("passphrase").flatMap { $0.isEmpty ? nil : Secret($0) }
    do throws(ClientError) {
      let isTaken = link.state == .needsPassphrase && !mustEncrypt
      _ = try await client.checkIn(code, isTaken ? passphrase : nil)
      return Self.seeAgain(request)
    } catch {
      guard let gate = error.gateError else { throw error }
      return CheckInPage.page(link, refusedBy: gate, calendar: dateClient.calendar)
    }
  }

  /// Redirects the browser to the page, so that reloading it presses nothing.
  private static func seeAgain(_ request: WebRequest) -> WebResponse {
    .seeOther(String(request.path.dropFirst(3)))
  }

  private func page(for invitation: ResponseInvitation) -> WebResponse {
    invitation.call.map {
      ResponderPage.call($0, invitation: invitation, calendar: dateClient.calendar)
    } ?? ResponderPage.naming(invitation)
  }

  /// Returns the page and the code in a path such as `/a/CODE`, in capitals and without dashes;
  /// `nil` for any other path.
  static func code(in path: String) -> (page: LinkSettings.Page, code: String)? {
    guard let page = LinkSettings.Page.allCases.first(where: { path.hasPrefix("/\($0.rawValue)/") })
    else { return nil }
    let code = path.dropFirst(3).filter { $0 != "-" }
    let isCode =
      (4...32).contains(code.utf8.count) && path.utf8.count <= 80
      && code.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF)
      }
    return isCode ? (page, code.uppercased()) : nil
  }
}
