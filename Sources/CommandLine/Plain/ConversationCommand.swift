/// `lifesignal --plain`: the app as a conversation in lines of text, for screen readers and for
/// terminals that can't show full screens.
struct ConversationCommand: StoreCommand {
  var replacesDamaged: Bool

  /// An alert can be raised even without a store.
  var worksWithoutStore: Bool { true }

  func run(_ invocation: Invocation) async throws -> Report {
    try await PlainConversation(invocation).run()
    return Report()
  }
}
