import Domain
import Terminal

/// Why a form could not be saved, and what to do, under its fields.
struct FormFailure: View {
  let failure: ErrorText

  init(_ failure: ErrorText) { self.failure = failure }

  var body: some View {
    VStack(alignment: .leading, spacing: 0) {
      Text("! \(failure.description)").bold().foreground(.danger)
      if let recovery = failure.recovery { Text("  \(recovery)").foreground(.dim) }
    }
  }
}
