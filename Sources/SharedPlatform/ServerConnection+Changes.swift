package import Clients
import Domain
import FoundationEssentials
import ServerProtocol
import Synchronization

/// Waiting for the next change, and for the server to go away.
extension ServerConnection {
  /// Waits for the next change of the account.
  /// - Returns: The cursor for the next call; `nil` while nobody is signed in.
  package func nextChange(after known: String?) async throws(NetworkError) -> String? {
    // Another program on this machine may have signed in.
    if held.withLock({ $0 == nil }), let token = try? keeper.load() { hold(token) }
    guard let token = held.withLock({ $0 }) else { return nil }
    let query = known.map { "?after=\($0)" } ?? ""
    let date = now()
    let answer = try read(
      try await answer(
        to: request(
          .get, "/v1/changes" + query, headers: headers(token),
          within: known == nil ? limits.read : limits.poll)))
    // Observers then read, and find out.
    guard answer.status != 401 else { return nil }
    guard answer.status == 200 else { throw .serverError(answer.status) }
    guard let change = try? WireCoding.decodeAnswer(Change.self, from: answer.body) else {
      throw .answerUnreadable
    }
    if change.after != known { reach.changed(after: known == nil ? nil : date + clockLead) }
    return change.after
  }

  private struct Change: Decodable {
    var after: String
  }

  /// Returns once the server doesn't answer. It is checked now and then, because one that hangs
  /// keeps its connections.
  func untilAway() async {
    await withTaskGroup { group in
      group.addTask { [reach] in
        for await state in reach.observe() where state.isAway { return }
      }
      group.addTask { [clock, limits] in
        while (try? await clock.sleep(for: limits.pulse)) != nil { await self.takePulse() }
      }
      await group.next()
      group.cancelAll()
    }
  }

  private func takePulse() async {
    let attempt = reach.begin()
    do throws(HTTPFault) {
      if try await health(within: limits.beat).isAlive {
        reach.heard()
        // What is shown counts by the server's clock, also after this machine's was set.
        if serverClock.isInDoubt { await askTime(held.withLock { $0 }) }
      } else {
        reach.failed(attempt)
      }
    } catch {
      if error != .cancelled { reach.failed(attempt) }
    }
  }
}
