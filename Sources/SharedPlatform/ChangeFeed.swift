import Clients
import Synchronization

/// Waits for changes of an account, once for all observers, and only while there are any.
final class ChangeFeed: Sendable {
  /// The requests to the server.
  struct Source: Sendable {
    /// Waits for the next change after a known one; without one it returns at once.
    /// - Returns: The cursor of the last change; `nil` while nobody is signed in.
    var next: @Sendable (_ after: String?) async throws(NetworkError) -> String?
    /// Returns once the server is known not to answer.
    var untilAway: @Sendable () async -> Void
    /// Whether observers wait for the server. If not, they are made to try, and fail.
    var isWaitedFor: @Sendable () -> Bool
  }

  private struct State {
    var observers: [Int: AsyncStream<Void>.Continuation] = [:]
    var next = 0
    var source: Source?
    var task: Task<Void, Never>?
  }

  private let state = Mutex(State())
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  /// Returns a stream with an element whenever something may have changed, and when the server
  /// answers again.
  func changes(_ source: Source) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.next += 1
      state.observers[state.next] = continuation
      state.source = source
      if state.task == nil { state.task = makeTask(source) }
      return state.next
    }
    continuation.onTermination = { [weak self] _ in self?.remove(id) }
    return stream
  }

  /// Starts again, for the person who is signed in now.
  func restart() {
    state.withLock { state in
      state.task?.cancel()
      state.task = state.observers.isEmpty ? nil : state.source.map(makeTask)
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

  private func makeTask(_ source: Source) -> Task<Void, Never> {
    Task { [weak self, clock] in
      var failures = 0
      while !Task.isCancelled {
        do throws(NetworkError) {
          let known = try await source.next(nil)
          self?.announce()
          if let known {
            failures = 0
            await self?.follow(known, source)
          }
        } catch {
          if !source.isWaitedFor() { self?.announce() }
        }
        failures += 1
        do { try await clock.sleep(for: .seconds(min(15, 1 << min(failures, 4)))) } catch { return }
      }
    }
  }

  /// Announces changes after a known one, as long as the server answers.
  private func follow(_ known: String, _ source: Source) async {
    await withTaskGroup { group in
      group.addTask { [weak self] in
        var last: String? = known
        do throws(NetworkError) {
          // Also announced if nobody is signed in any more: observers then read, and find out.
          while let known = last {
            last = try await source.next(known)
            self?.announce()
          }
        } catch {
          // Callers of the server find out.
        }
      }
      group.addTask { await source.untilAway() }
      await group.next()
      group.cancelAll()
    }
  }
}
