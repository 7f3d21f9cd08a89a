import Clients
import Synchronization

/// Waits for changes of an account, once for all that are observed, and only while something is.
final class ChangeFeed: Sendable {
  /// What is asked of the server.
  struct Source: Sendable {
    /// Waits for the next change after one that is known; without one it answers at once.
    /// - Returns: The last change; `nil` while nobody is signed in.
    var next: @Sendable (_ after: String?) async throws(NetworkError) -> String?
    /// Returns once the server is known not to answer.
    var untilAway: @Sendable () async -> Void
    /// Whether what is observed waits for the server; else it asks in vain, and fails.
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

  /// Tells whenever something may have changed, and when the server answers again.
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

  /// Begins again, for the person who is signed in now.
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

  /// Tells of changes after one that is known, as long as the server answers.
  private func follow(_ known: String, _ source: Source) async {
    await withTaskGroup { group in
      group.addTask { [weak self] in
        var last: String? = known
        do throws(NetworkError) {
          // Told as well where nobody is signed in any more: what is observed is asked now, and says so.
          while let known = last {
            last = try await source.next(known)
            self?.announce()
          }
        } catch {
          // Those who ask the server find out.
        }
      }
      group.addTask { await source.untilAway() }
      await group.next()
      group.cancelAll()
    }
  }
}
