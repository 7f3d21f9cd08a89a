import Composable
import ComposableTesting
import Testing

/// One request and its two answers.
@MainActor @Suite struct RequestTests {
  struct Refusal: Error, Equatable { var reason: String }

  enum Action: Equatable, Sendable {
    case asked, told
    case answered(Int)
    case done
    case refused(Refusal)
  }

  private func store(_ answer: Result<Int, Refusal>) -> TestStore<Int, Action> {
    TestStore(initialState: 0) {
      Reduce { _, action in
        switch action {
        case .asked:
          .request(Action.answered, or: Action.refused) { () throws(Refusal) in try answer.get() }
        case .told:
          .request(.done, or: Action.refused) { () throws(Refusal) in _ = try answer.get() }
        case .answered, .done, .refused: .none
        }
      }
    }
  }

  @Test func theAnswerIsSent() async {
    let store = store(.success(3))
    await store.send(.asked)
    await store.receive(.answered(3))
    await store.send(.told)
    await store.receive(.done)
  }

  @Test func theErrorIsSent() async {
    let store = store(.failure(Refusal(reason: "full")))
    await store.send(.asked)
    await store.receive(.refused(Refusal(reason: "full")))
    await store.send(.told)
    await store.receive(.refused(Refusal(reason: "full")))
  }
}
