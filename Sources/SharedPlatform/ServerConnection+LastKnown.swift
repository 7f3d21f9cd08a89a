import Cryptography
package import Domain
package import FoundationEssentials
import SQLite
package import ServerProtocol
import Synchronization

/// The last known answers, shown while the server is away.
extension ServerConnection {
  package var connection: ConnectionState { reach.state }
  package var shownAsOf: Date? { reach.shownAsOf }
  package var clockLead: TimeSpan { serverClock.lead }
  package func observeConnection() -> AsyncStream<ConnectionState> { reach.observe() }
  package func showLastKnown() { isShowingLastKnown.store(true, ordering: .relaxed) }

  package var showsLastKnown: Bool { isShowingLastKnown.load(ordering: .relaxed) }
  package var hasFailed: Bool { reach.hasFailed }

  package func kept(_ request: ServerRequest) -> ServerAnswer? {
    // An observation of notifications begins with an answer.
    guard let name = request.page, !name.hasPrefix(Route.notificationsPages),
      let page = page(name)
    else { return nil }
    return ServerAnswer(status: 200, etag: page.etag, body: page.body)
  }

  /// Returns the server's last answer; `nil` while the server answers, and if nothing is kept or
  /// shown.
  package func lastKnown<Value: Decodable>(_ type: Value.Type, page name: String) -> Value? {
    page(name).flatMap { try? WireCoding.decodeAnswer(type, from: $0.body) }
  }

  /// Waits until the server answers, if a page is shown as it was last known.
  /// - Returns: Whether it is shown so.
  func answers(after page: String) async throws -> Bool {
    guard reach.isShown(page) else { return false }
    for await state in reach.observe() where state == .connected { break }
    try Task.checkCancellation()
    return true
  }

  private func page(_ name: String) -> PageCache.Page? {
    guard showsLastKnown, reach.state.isAway, let pages, let token = held.withLock({ $0 }),
      let page = pages.page(name, of: owner(token))
    else { return nil }
    reach.shows(name, asOf: page.date)
    return page
  }

  func owner(_ token: String) -> String { Self.owner(token, at: server.url) }

  /// Returns the owner of the pages of a session at a server.
  package static func owner(_ token: String, at url: String) -> String {
    SecureToken(text: url + "\n" + token).digest
  }

  /// Uses another token from now on, or none, and deletes the pages of the old session.
  func hold(_ token: String?) {
    held.withLock { held in
      if let old = held, old != token {
        pages?.removeAll(of: owner(old))
        invitationCodes.withLock { $0 = [:] }
      }
      held = token
    }
  }

  /// Keeps the answer as a page.
  /// - Parameter begun: When it was asked for, by this machine's clock.
  func keep(
    _ answer: ServerAnswer, as page: String, _ token: String, askedAt begun: Date
  ) {
    guard let pages else { return }
    // By the server's clock, so that it stays right if this machine's is set.
    let date = begun + clockLead
    let owner = owner(token)
    held.withLock { held in
      // An answer that comes after the end of its session isn't kept.
      guard held == token else { return }
      switch answer.status {
      case 200:
        pages.keep(.init(etag: answer.etag, body: answer.body, date: date), as: page, of: owner)
      case 304: pages.confirm(page, of: owner, at: date)
      case 429: return
      case 400..<500: pages.remove(page, of: owner)
      default: return
      }
    }
    reach.refreshed(page)
  }
}
