import Clients
import Synchronization

/// Waits for changes of an account, once for all that are observed, and only while something is.
final class ChangeFeed: Sendable {
  /// Waits for the next change after one that is known.
  /// - Returns: The last change; `nil` while nobody is signed in.
  typealias Ask = @Sendable (_ after: String?) async throws(NetworkError) -> String?

  private struct State {
    var observers: [Int: AsyncStream<Void>.Continuation] = [:]
    var next = 0
    var ask: Ask?
    var task: Task<Void, Never>?
  }

  private let state = Mutex(State())
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  /// Tells whenever something may have changed, and when the server stops answering.
  func changes(_ ask: @escaping Ask) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.next += 1
      state.observers[state.next] = continuation
      state.ask = ask
      if state.task == nil { state.task = makeTask(ask) }
      return state.next
    }
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    return stream
  }

  /// Begins again, for the person who is signed in now.
  func restart() {
    state.withLock { state in
      state.task?.cancel()
      state.task = state.observers.isEmpty ? nil : state.ask.map(makeTask)
    }
    announce()
  }

  private func remove(_ id: Int) {
    state.withLock { state in
      state.observers[id] = nil
      guard state.observers.isEmpty else { return }
      state.task?.cancel()
      state.task = nil
    }
  }

  private func announce() {
    for observer in state.withLock({ Array($0.observers.values) }) { observer.yield() }
  }

  private func makeTask(_ ask: @escaping Ask) -> Task<Void, Never> {
    Task { [weak self, clock] in
      var after: String?
      var failures = 0
      while !Task.isCancelled {
        do throws(NetworkError) {
          let last = try await ask(after)
          failures = last == nil ? failures + 1 : 0
          after = last
        } catch { failures += 1 }
        if Task.isCancelled { return }
        self?.announce()
        guard failures > 0 else { continue }
        do { try await clock.sleep(for: .seconds(min(30, 1 << min(failures, 5)))) } catch { return }
      }
    }
  }
}
