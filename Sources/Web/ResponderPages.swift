public import Clients
import Domain
import FoundationEssentials
import Synchronization

/// The pages behind the links in messages: `/a/CODE` to respond, `/d/CODE` to decline being a
/// contact (ESC-2, CON-3, PAGE-1), `/c/CODE` to check in (CHK-8).
public final class ResponderPages: Sendable {
  private let client: ResponseClient
  private let dateClient: DateClient
  /// The path that tells other monitors of the same store that these are their pages; `nil` for none.
  let identityPath: String?
  private let tries = Mutex(WrongTries())

  /// - Parameter store: A name for the store, such as its path, of which the pages show a digest.
  public init(client: ResponseClient, dateClient: DateClient, store: String? = nil) {
    self.client = client
    self.dateClient = dateClient
    identityPath = store.map { "/.well-known/lifesignal/\(Self.digest($0))" }
  }

  /// The FNV-1a digest, in hexadecimal digits.
  private static func digest(_ text: String) -> String {
    let digest = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { digest, byte in
      (digest ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return String(digest, radix: 16)
  }

  /// Answers a request. Only a POST changes anything: programs that follow the links of a message,
  /// to scan them or to show a preview, don't press buttons.
  public func answer(_ request: WebRequest) async -> WebResponse {
    if request.path == identityPath { return WebResponse(status: 204, html: "") }
    guard let (kind, code, place) = Self.code(in: request.path) else {
      return ResponderPage.nothing
    }
    let now = dateClient.now()
    let refuses = tries.withLock { $0.refuses(request.client, now: now) }
    do throws(ClientError) {
      if kind == .checkIn { return try await checkIn(code, request, place) }
      let invitation = try await client.invitation(code)
      guard request.method == .post else { return page(for: invitation) }
      if request.field("answer") == Self.withdraw {
        if invitation.hasResponded, invitation.call != nil { try await client.withdraw(code) }
      } else if !invitation.hasResponded {
        _ = try await client.respondByLink(code)
      }
      return .seeOther(place)
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
  /// - Parameter place: Where the browser is sent then, so that reloading presses nothing.
  private func checkIn(
    _ code: String, _ request: WebRequest, _ place: String
  ) async throws(ClientError) -> WebResponse {
    let link = try await client.checkInLink(code)
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
      _ = try await client.$checkIn(code, typing: isTaken ? passphrase : nil)
      return .seeOther(place)
    } catch {
      guard let gate = error.gateError else { throw error }
      return CheckInPage.page(link, refusedBy: gate, calendar: dateClient.calendar)
    }
  }

  private func page(for invitation: ResponseInvitation) -> WebResponse {
    invitation.call.map {
      ResponderPage.call($0, invitation: invitation, calendar: dateClient.calendar)
    } ?? ResponderPage.naming(invitation)
  }

  /// Returns the page and the code in a path such as `/a/CODE`, in capitals and without dashes, and
  /// the page's place relative to the path; `nil` for any other path.
  ///
  /// A link arrives as programs on its way leave it: with the full stop, bracket or quotation mark
  /// that stood behind it, with a slash, or with two slashes where a proxy joined its parts. Only
  /// the code decides what a link may do.
  static func code(in path: String) -> (page: LinkSettings.Page, code: String, place: String)? {
    guard path.utf8.count <= 500 else { return nil }
    let parts = path.drop { $0 == "/" }.split(separator: "/", maxSplits: 1)
    guard path.hasPrefix("/"), parts.count == 2,
      let page = LinkSettings.Page(rawValue: parts[0].lowercased())
    else { return nil }
    let link = parts[1].drop { $0 == "/" }
    let typed = link.prefix { isDigitOrLetter($0) || isDash($0) }
    let rest = link[typed.endIndex...]
    let code = typed.filter(isDigitOrLetter).uppercased()
    guard (4...32).contains(code.utf8.count),
      // Another path below the code's is no link of ours.
      !rest.hasPrefix("/") || !rest.contains(where: isDigitOrLetter)
    else { return nil }
    return (page, code, String(repeating: "../", count: rest.count { $0 == "/" }) + code)
  }

  private static func isDigitOrLetter(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber)
  }

  /// Whether a character is a dash, also one that a program has put in place of a hyphen.
  private static func isDash(_ character: Character) -> Bool {
    character == "-" || ("\u{2010}"..."\u{2015}").contains(character)
  }
}
