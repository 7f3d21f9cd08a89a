import Composable
import ComposableTesting
import Foundation
import Terminal
import TerminalTesting
import Testing

@testable import Chat

@MainActor @Suite struct ChatTests {
  @Test func theAnswerArrivesWordByWord() async {
    let clock = TestClock()
    let store = TestStore(initialState: ChatFeature.State()) {
      ChatFeature()
    } withDependencies: {
      $0.continuousClock = clock
    }
    await store.send(.edited(.insert("My cat"))) { $0.draft.apply(.insert("My cat")) }
    await store.send(.sendButtonTapped) {
      $0.messages = [
        $0.messages[0], .init(id: 1, text: "My cat"), .init(id: 2, text: ""),
      ]
      $0.draft = TextInput(limit: 2000, isMultiline: true)
    }
    await clock.advance(by: .milliseconds(800))
    await store.receive(.answerGrew(2, word: "What")) { $0.messages[2].text = "What" }
    await clock.advance(by: .milliseconds(90))
    await store.receive(.answerGrew(2, word: "makes")) { $0.messages[2].text = "What makes" }
    await store.send(.quitButtonTapped) { $0.isFinished = true }
    await clock.advance(by: .seconds(10))
    await store.finish()
  }

  @Test func blankLinesAreNotSent() async {
    let store = TestStore(initialState: ChatFeature.State()) { ChatFeature() }
    await store.send(.edited(.insert(" \n"))) { $0.draft.apply(.insert(" \n")) }
    await store.send(.sendButtonTapped)
  }

  @Test func theAnswerTurnsTheWordsAround() {
    #expect(
      answer(to: "I'm tired, and my 2 cats too!")
        == "What makes you say “you're tired and your 2 cats too”?")
  }

  @Test func theNewestMessageStaysInViewUnlessYouScrollBack() {
    let host = ViewHost()
    let store = Store(initialState: .long) { ChatFeature() }
    let size = Size(columns: 40, rows: 12)
    func lines() -> [String] { host.frame(ChatView(store: store), size: size).lines }
    #expect(lines().contains { $0.contains("Message 19") })

    #expect(host.dispatch(.key("pageup")))
    #expect(!lines().contains { $0.contains("Message 19") })
    #expect(store.offset != nil)

    _ = lines()
    #expect(host.dispatch(.key("pagedown")))
    #expect(lines().contains { $0.contains("Message 19") })
    #expect(store.offset == nil)
  }

  @Test func theFieldGrowsWithItsLinesUpToSix() {
    var state = ChatFeature.State()
    for line in 1...8 { state.draft.apply(.insert("Line \(line)\n")) }
    state.draft.apply(.delete(.left))
    let store = Store(initialState: state) { ChatFeature() }
    expectFrame(
      ChatView(store: store), size: Size(columns: 30, rows: 14),
      matches: """
        ╭ Chat ──────────────────────╮
        │ Eliza   Hello. What is on  │
        │         your mind?         │
        │                            │
        ╰────────────────────────────╯
        ╭ You ───────────────────────╮
        │ Line 3                     │
        │ Line 4                     │
        │ Line 5                     │
        │ Line 6                     │
        │ Line 7                     │
        │ Line 8                     │
        ╰─────── Alt-Enter: new line ╯
         Enter Send   ^C Quit
        """)
  }

  /// `RECORD_SNAPSHOTS=1 swift test` writes the picture again.
  @Test func thePictureInTheReadmeIsCurrent() throws {
    var state = ChatFeature.State()
    state.messages += [
      .init(
        id: 1,
        text: "I want a terminal library in which text wraps, and the newest line stays in view."),
      .init(id: 2, text: ""),
    ]
    for word in answer(to: state.messages[1].text).split(separator: " ").prefix(12) {
      state.messages[2].text += (state.messages[2].text.isEmpty ? "" : " ") + word
    }
    state.draft.apply(.insert("And a field that grows:\nit has two lines now."))
    let view = ChatView(store: Store(initialState: state) { ChatFeature() })
    let picture = FrameSnapshot.frame(of: view, size: Size(columns: 80, rows: 16))
      .svg(title: "Chat", description: ViewHost().spokenLines(of: view))
    let file = URL(filePath: #filePath)
      .appending(path: "../../../../../pictures/examples/chat.svg").standardizedFileURL
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      try picture.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == picture)
  }
}

extension ChatFeature.State {
  /// Twenty messages.
  fileprivate static var long: Self {
    var state = Self()
    state.messages = (0..<20).map { .init(id: $0, text: "Message \($0)") }
    return state
  }
}
