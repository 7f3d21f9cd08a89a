import Composable
import Terminal

/// A conversation with a program that asks back.
struct ChatFeature: Reducer {
  struct Message: Equatable, Identifiable, Sendable {
    let id: Int
    var text: String
    /// Yours have odd numbers, the answers even ones.
    var isYours: Bool { id % 2 == 1 }
  }

  struct State: Equatable, Sendable {
    var messages = [Message(id: 0, text: "Hello. What is on your mind?")]
    var draft = TextInput(limit: 2000, isMultiline: true)
    /// The first visible row; `nil` while the newest message stays in view.
    var offset: Int?
    var isFinished = false

    var canSend: Bool { !draft.text.allSatisfy(\.isWhitespace) }
  }

  enum Action: Equatable, Sendable {
    case edited(TextEdit)
    case sendButtonTapped
    case answerGrew(Message.ID, word: String)
    case scrolled(Int?)
    case quitButtonTapped
  }

  private enum CancelID { case answers }

  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .edited(let edit):
        state.draft.apply(edit)
      case .sendButtonTapped:
        guard state.canSend else { return .none }
        let (text, id) = (state.draft.text, state.messages.count)
        state.messages += [Message(id: id, text: text), Message(id: id + 1, text: "")]
        state.draft.apply(.selectAll)
        state.draft.apply(.delete(.left))
        state.offset = nil
        return .run { [clock] send in
          try await clock.sleep(for: .milliseconds(800))
          for word in answer(to: text).split(separator: " ") {
            await send(.answerGrew(id + 1, word: String(word)))
            try await clock.sleep(for: .milliseconds(90))
          }
        }
        .cancellable(id: CancelID.answers)
      case .answerGrew(let id, let word):
        state.messages[id].text += state.messages[id].text.isEmpty ? word : " " + word
      case .scrolled(let offset):
        state.offset = offset
      case .quitButtonTapped:
        state.isFinished = true
        return .cancel(id: CancelID.answers)
      }
      return .none
    }
  }
}

/// Turns what you say around, as Joseph Weizenbaum's Eliza did.
func answer(to text: String) -> String {
  let turned = ["i": "you", "i'm": "you're", "am": "are", "my": "your", "me": "you"]
  let words = text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }
  let echo = words.map { turned[String($0)] ?? String($0) }.joined(separator: " ")
  return "What makes you say “\(echo)”?"
}
