import Clients
import Dispatch
import FoundationEssentials
import Synchronization

/// Turns a request into a page. It is called on the server's own thread, which waits for the store.
final class LinkHandler: Sendable {
  enum Method: Equatable, Sendable {
    /// To look; HEAD as well.
    case get
    /// To act.
    case post
  }

  private let service: LinkService
  private let dateClient: DateClient
  private let timeout: Duration
  private let tries = Mutex(WrongTries())

  /// - Parameter timeout: how long the store may take.
  init(service: LinkService, dateClient: DateClient, timeout: Duration = .seconds(10)) {
    self.service = service
    self.dateClient = dateClient
    self.timeout = timeout
  }

  /// Only a POST does something: programs that look at the links of a message – to scan them, or to
  /// show a preview – do not press buttons.
  /// - Parameter client: Whose wrong codes are counted together.
  func page(for method: Method, path: String, client: String = "") -> LinkPage {
    guard let code = Self.code(in: path) else { return .nothing }
    let now = dateClient.now()
    let refuses = tries.withLock { $0.refuses(client, now: now) }
    // Whoever only tries does not get to write into the store.
    if refuses, method == .post, answer(to: .get, code) == .unknown { return .tooManyTries }
    switch answer(to: method, code) {
    case .done(let invitation):
      return method == .get ? .invitation(invitation) : .done(invitation)
    case .unknown:
      guard !refuses else { return .tooManyTries }
      tries.withLock { $0.note(client, now: now) }
      return .nothing
    case .unavailable: return .unavailable
    }
  }

  /// The code in `/a/CODE`, in capitals and without dashes; `nil` for any other path.
  static func code(in path: String) -> String? {
    guard path.hasPrefix("/a/") else { return nil }
    let code = path.dropFirst(3).filter { $0 != "-" }
    let isCode =
      (4...32).contains(code.utf8.count) && path.utf8.count <= 80
      && code.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF)
      }
    return isCode ? code.uppercased() : nil
  }

  private func answer(to method: Method, _ code: String) -> LinkService.Answer {
    let (isThere, answer) = (DispatchSemaphore(value: 0), Answer())
    let task = Task { [service] in
      let value =
        switch method {
        case .get: await service.look(code)
        case .post: await service.respond(code)
        }
      answer.value.withLock { $0 = value }
      isThere.signal()
    }
    let limit = DispatchTime.now() + .milliseconds(Int(timeout / .milliseconds(1)))
    guard isThere.wait(timeout: limit) == .success else {
      task.cancel()
      return .unavailable
    }
    return answer.value.withLock { $0 }
  }

  private final class Answer: Sendable {
    let value = Mutex(LinkService.Answer.unavailable)
  }
}
