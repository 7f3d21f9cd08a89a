public import Clients
import Domain
import FoundationEssentials
import Synchronization

/// The pages behind the links in messages: `/a/CODE` to say that one is responding, `/d/CODE` to be a
/// contact no longer (ESC-2, CON-3, PAGE-1).
public final class ResponderPages: Sendable {
  private let client: ResponseClient
  private let dateClient: DateClient
  private let tries = Mutex(WrongTries())

  public init(client: ResponseClient, dateClient: DateClient) {
    self.client = client
    self.dateClient = dateClient
  }

  /// Only a POST does something: programs that look at the links of a message – to scan them, or to
  /// show a preview – do not press buttons.
  public func answer(_ request: WebRequest) async -> WebResponse {
    guard let code = Self.code(in: request.path) else { return ResponderPage.nothing }
    let now = dateClient.now()
    let refuses = tries.withLock { $0.refuses(request.client, now: now) }
    do throws(ClientError) {
      let invitation = try await client.look(code)
      guard request.method == .post else { return page(for: invitation) }
      if !invitation.hasResponded { _ = try await client.press(code) }
      return .seeOther(String(request.path.dropFirst(3)))
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

  private func page(for invitation: ResponseInvitation) -> WebResponse {
    invitation.call.map {
      ResponderPage.call($0, invitation: invitation, calendar: dateClient.calendar)
    } ?? ResponderPage.naming(invitation)
  }

  /// The code in `/a/CODE` or `/d/CODE`, in capitals and without dashes; `nil` for any other path.
  static func code(in path: String) -> String? {
    guard path.hasPrefix("/a/") || path.hasPrefix("/d/") else { return nil }
    let code = path.dropFirst(3).filter { $0 != "-" }
    let isCode =
      (4...32).contains(code.utf8.count) && path.utf8.count <= 80
      && code.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF)
      }
    return isCode ? code.uppercased() : nil
  }
}
