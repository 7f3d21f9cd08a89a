import Composable
import Terminal

/// The messages, and below them the field for the next one.
struct ChatView: View {
  let store: StoreOf<ChatFeature>

  var body: some View {
    VStack {
      Transcript(messages: store.messages, offset: store.offset) { store.send(.scrolled($0)) }
        .padding(.leading)
        .border(title: "Chat", footer: store.offset == nil ? nil : "PgDn: newer messages")
      TextField(
        "", input: store.draft, isFocused: true, placeholder: "Write a message", rows: 1...6,
        leavesEnter: true
      ) { store.send(.edited($0)) }
      .border(title: "You", footer: "Alt-Enter: new line", isFocused: true)
      .layoutPriority(1)
      HelpBar()
    }
    .command("enter", "Send", isEnabled: store.canSend) { store.send(.sendButtonTapped) }
    .command("ctrl+c", "Quit") { store.send(.quitButtonTapped) }
  }
}

/// The messages, the newest at the bottom. It stays in view unless you scroll back.
struct Transcript: View {
  let messages: [ChatFeature.Message]
  let offset: Int?
  let onScroll: @MainActor (Int?) -> Void

  var body: some View {
    SizeReader { size in
      // What is beyond the end means the end.
      ScrollView(offset: offset ?? .max, isFocused: true) { offset in
        let rows = messages.reduce(0) {
          $0 + MessageRow(message: $1).rows(columns: size.columns - 1)
        }
        onScroll(offset + size.rows < rows ? offset : nil)
      } content: {
        ForEach(messages) { MessageRow(message: $0) }
      }
    }
  }
}

struct MessageRow: View {
  let message: ChatFeature.Message
  private static let nameColumns = 7

  var body: some View {
    HStack {
      Text(message.isYours ? "You" : "Eliza").bold()
        .foreground(message.isYours ? .accent : .calm)
        .frame(width: Self.nameColumns, alignment: .leading)
      if message.text.isEmpty {
        Text("…").foreground(.dim)
      } else {
        Text(message.text)
      }
    }
    .padding(.bottom)
  }

  /// The number of rows it takes.
  func rows(columns: Int) -> Int {
    message.text.wrapped(to: columns - Self.nameColumns - 1).count + 1
  }
}
