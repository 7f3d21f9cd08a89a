import Composable
import ComposableTesting
import Testing

/// Requests with a value or an error as their result.
@MainActor @Suite struct RequestTests {
  struct Refusal: Error, Equatable { var reason: String }

  enum Action: Equatable, Sendable {
    case asked, told, tried
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
        case .tried:
          .request(or: Action.refused) { () throws(Refusal) in _ = try answer.get() }
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
    await store.send(.tried)
    await store.finish(timeout: .zero)
  }

  @Test func theErrorIsSent() async {
    let store = store(.failure(Refusal(reason: "full")))
    await store.send(.asked)
    await store.receive(.refused(Refusal(reason: "full")))
    await store.send(.told)
    await store.receive(.refused(Refusal(reason: "full")))
    await store.send(.tried)
    await store.receive(.refused(Refusal(reason: "full")))
  }

  // MARK: Requests of a dismissed child

  /// A sheet whose requests take a second.
  struct Sheet: Reducer {
    struct State: Equatable, Sendable {
      var answer: Int?
      @Presents var sheet: Sheet.State?
    }

    enum Action: Equatable, Sendable {
      case asked, read, askedAndClosed, closed, opened
      case answered(Int)
      case refused(Refusal)
      indirect case sheet(PresentationAction<Action>)

      static let sheetCase = CasePath(Self.sheet) {
        if case .sheet(let action) = $0 { action } else { nil }
      }
    }

    @Dependency(\.continuousClock) var clock
    @Dependency(\.dismiss) var dismiss
    let fails: Bool

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .asked: return ask(fails)
        case .read: return ask(true).holdingDismissal(false)
        case .askedAndClosed:
          return .request(Action.answered, or: Action.refused) { () throws(Refusal) in
            await dismiss()
            throw Refusal(reason: "closed")
          }
        case .closed: return .dismiss()
        case .opened: state.sheet = State()
        case .answered(let answer): state.answer = answer
        case .refused: state.answer = nil
        case .sheet: break
        }
        return .none
      }
      .ifLet(\.$sheet, action: Action.sheetCase) { Sheet(fails: fails) }
    }

    private func ask(_ fails: Bool) -> Effect<Action> {
      .request(Action.answered, or: Action.refused) { () throws(Refusal) in
        try? await clock.sleep(for: .seconds(1))
        if Task.isCancelled || fails { throw Refusal(reason: "no") }
        return 1
      }
    }
  }

  private let clock = TestClock()

  private func sheetStore(fails: Bool = false) -> TestStoreOf<Sheet> {
    TestStore(initialState: Sheet.State(sheet: Sheet.State())) {
      Sheet(fails: fails)
    } withDependencies: {
      $0.continuousClock = clock
    }
  }

  @Test func aDismissalWaitsForTheAnswer() async {
    let store = sheetStore()
    await store.send(.sheet(.presented(.asked)))
    await store.send(.sheet(.presented(.closed)))
    await store.send(.sheet(.presented(.closed)))
    await clock.advance(by: .seconds(1))
    await store.receive(.sheet(.presented(.answered(1)))) { $0.sheet?.answer = 1 }
    await store.receive(.sheet(.dismiss)) { $0.sheet = nil }
    await store.finish()
  }

  @Test func anErrorCallsTheDismissalOff() async {
    let store = sheetStore(fails: true)
    await store.send(.sheet(.presented(.asked)))
    await store.send(.sheet(.presented(.closed)))
    await clock.advance(by: .seconds(1))
    await store.receive(.sheet(.presented(.refused(Refusal(reason: "no")))))
    await store.finish()
    await store.send(.sheet(.presented(.closed)))
    await store.receive(.sheet(.dismiss)) { $0.sheet = nil }
  }

  @Test func aDismissalWaitsForTheRequestsOfTheChildsChildren() async {
    let store = sheetStore()
    await store.send(.sheet(.presented(.opened))) { $0.sheet?.sheet = Sheet.State() }
    await store.send(.sheet(.presented(.sheet(.presented(.asked)))))
    await store.send(.sheet(.presented(.closed)))
    await clock.advance(by: .seconds(1))
    await store.receive(.sheet(.presented(.sheet(.presented(.answered(1)))))) {
      $0.sheet?.sheet?.answer = 1
    }
    await store.receive(.sheet(.dismiss)) { $0.sheet = nil }
  }

  @Test func aDismissalWaitsForNoRequestOfTheParent() async {
    let store = sheetStore()
    await store.send(.asked)
    await store.send(.sheet(.presented(.closed)))
    await store.receive(.sheet(.dismiss)) { $0.sheet = nil }
    await clock.advance(by: .seconds(1))
    await store.receive(.answered(1)) { $0.answer = 1 }
  }

  @Test func aDismissalDoesNotWaitForWhatOnlyReads() async {
    let store = sheetStore()
    await store.send(.sheet(.presented(.read)))
    await store.send(.sheet(.presented(.closed)))
    await store.receive(.sheet(.dismiss)) { $0.sheet = nil }
    await store.finish(timeout: .zero)
  }

  @Test func whatOnlyReadsCallsNoDismissalOff() async {
    let store = sheetStore()
    await store.send(.sheet(.presented(.read)))
    await clock.advance(by: .milliseconds(500))
    await store.send(.sheet(.presented(.asked)))
    await store.send(.sheet(.presented(.closed)))
    await clock.advance(by: .milliseconds(500))
    await store.receive(.sheet(.presented(.refused(Refusal(reason: "no")))))
    await clock.advance(by: .milliseconds(500))
    await store.receive(.sheet(.presented(.answered(1)))) { $0.sheet?.answer = 1 }
    await store.receive(.sheet(.dismiss)) { $0.sheet = nil }
  }

  @Test func aRequestThatIsGoneHoldsNoDismissal() async {
    let store = sheetStore()
    await store.send(.sheet(.presented(.opened))) { $0.sheet?.sheet = Sheet.State() }
    await store.send(.sheet(.presented(.sheet(.presented(.asked)))))
    await store.send(.sheet(.presented(.closed)))
    await store.send(.sheet(.presented(.sheet(.dismiss)))) { $0.sheet?.sheet = nil }
    await store.receive(.sheet(.dismiss)) { $0.sheet = nil }
  }

  @Test func aRequestThatDismissesDoesNotWaitForItself() async {
    let store = sheetStore()
    await store.send(.sheet(.presented(.askedAndClosed)))
    await store.receive(.sheet(.dismiss)) { $0.sheet = nil }
    await store.finish(timeout: .zero)
  }
}
