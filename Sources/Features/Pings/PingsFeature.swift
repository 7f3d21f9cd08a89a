import Clients
public import Composable
public import Domain
import FoundationEssentials

/// The pings that wait for the person's answer, which is a check-in (PNG-2).
public struct PingsFeature: Reducer {
  public struct State: Equatable, Sendable {
    public private(set) var snapshot: AccountSnapshot
    public var isAnswering = false
    public var failure: ErrorText?

    public init(snapshot: AccountSnapshot) { self.snapshot = snapshot }

    mutating func show(_ snapshot: AccountSnapshot) {
      self.snapshot = snapshot
      if senders.isEmpty { failure = nil }
    }

    /// Whose pings are open, newest first.
    public var senders: [Contact] {
      snapshot.contacts.compactMap { contact in
        contact.openReceivedPing(at: snapshot.now).map { (contact, $0.sentAt) }
      }.sorted { $0.1 > $1.1 }.map(\.0)
    }
  }

  public enum Action: Codable, Equatable, Sendable {
    case answerAllButtonTapped
    case answered(User)
    case failed(ErrorText)
  }

  @Dependency(\.pingClient) var pingClient

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .answerAllButtonTapped:
      guard !state.isAnswering, !state.senders.isEmpty else { return .none }
      state.isAnswering = true
      state.failure = nil
      return .run { [pingClient] send in
        do throws(PingError) {
          await send(.answered(try await pingClient.answerAll(nil)))
        } catch {
          await send(.failed(error.text))
        }
      }

    case .answered:
      state.isAnswering = false
      return .none

    case .failed(let error):
      state.isAnswering = false
      state.failure = error
      return .none
    }
  }
}
