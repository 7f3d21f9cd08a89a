import Composable
import Domain
import Terminal

/// The line under the tabs while somebody asks the person to check in.
struct PingsBanner: View {
  let store: StoreOf<PingsFeature>
  /// What answers.
  let key: String

  var body: some View {
    let senders = store.senders
    if let first = senders.first {
      let others = senders.count - 1
      let who =
        others == 0
        ? "\(first.name) asks"
        : "\(first.name) and \(others) other\(others == 1 ? "" : "s") ask"
      Banner(
        store.failure?.sentence ?? "\(who) you to check in.",
        role: store.failure == nil ? .warning : .danger,
        hint: store.isAnswering ? "answering …" : "\(key) answers")
    }
  }
}
