import Composable
import Domain
import Terminal

/// An error in the place of the result: what happened, what to do, and how to try again and dismiss
/// it. Every feature shows its errors with this view.
struct ErrorView: View {
  /// How what failed can be repeated, where that can help.
  enum Retry {
    /// By `r`.
    case key(@MainActor () -> Void)
    /// By a key that the screen has for it, such as Enter in a form.
    case other(String)
    /// It is repeated without the person.
    case automatic
  }

  private let text: String
  private let retry: Retry?
  private let dismiss: (@MainActor () -> Void)?

  /// - Parameters:
  ///   - text: What happened and what to do, if the screen says it in its own words.
  ///   - dismiss: Removes the error, or `nil` if it goes away with what shows it.
  init(
    _ error: ErrorText, text: String? = nil, retry: Retry? = nil,
    dismiss: (@MainActor () -> Void)?
  ) {
    self.text = text ?? error.sentence
    self.retry = error.isRetryable ? retry : nil
    self.dismiss = dismiss
  }

  /// Shows a feature's failure.
  /// - Parameters:
  ///   - retry: How it is repeated if the failure doesn't say.
  ///   - dismiss: The action that removes it.
  init<State, Action>(
    _ failure: Failure<Action>, _ store: Store<State, Action>, retry: Retry? = nil, dismiss: Action
  ) {
    self.init(
      failure.error, retry: failure.retry.map { retry in .key { store.send(retry) } } ?? retry,
      dismiss: { store.send(dismiss) })
  }

  var body: some View {
    ViewThatFits {
      HStack(spacing: 2) {
        Text(text).bold().lineLimit(1)
        Spacer()
        hint
      }
      VStack(alignment: .leading, spacing: 0) {
        Text(text).bold()
        hint
      }
      .frame(maxWidth: .max, alignment: .leading)
    }
    .padding(.horizontal, 1)
    .background(.danger)
    .with(commands)
  }

  @ViewBuilder private var hint: some View {
    if !hints.isEmpty { Text(hints.joined(separator: " · ")).lineLimit(1) }
  }

  private var hints: [String] {
    let again: String? =
      switch retry {
      case .key: "r Try again"
      case .other(let key): "\(key) Try again"
      case .automatic: "trying again …"
      case nil: nil
      }
    return [again, dismiss == nil ? nil : "Esc Dismiss"].compactMap(\.self)
  }

  private var commands: [Command] {
    var commands: [Command] = []
    if case .key(let retry) = retry {
      commands.append(Command(key: "r", title: "Try again", action: retry))
    }
    if let dismiss { commands.append(Command(key: "esc", title: "Dismiss", action: dismiss)) }
    return commands
  }
}
