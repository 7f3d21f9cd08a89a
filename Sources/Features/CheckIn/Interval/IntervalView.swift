import Composable
import Domain
import Terminal

/// The sheet of presets and free entry, then the question whether the new deadline is meant.
struct IntervalView: View {
  let store: StoreOf<IntervalFeature>

  var body: some View {
    if let proposed = store.proposed {
      confirmation(proposed)
    } else {
      Sheet("Check in every …", width: 44) {
        VStack(alignment: .leading, spacing: 0) {
          List(
            rows, position: store.position, isFocused: true,
            onMove: { store.send(.moved($0)) }, onOpen: { _ in store.send(.chooseButtonTapped) }
          ) { row, _ in
            HStack(spacing: 1) {
              Text(row.text)
              Spacer(minLength: 0)
              if row.isCurrent { Text("now").foreground(.dim) }
            }
          }
          .frame(height: rows.count)
          TextField(
            "Other", input: store.customText, isFocused: store.isCustom, placeholder: "36h, 2d 12h",
            error: store.error?.errorDescription,
            onFocus: { store.send(.moved(ListPosition(selected: CheckInInterval.presets.count))) },
            onEdit: { store.send(.customEdited($0)) })
        }
        .padding(.horizontal, 1)
      }
      .command("enter", "Choose") { store.send(.chooseButtonTapped) }
      .command("esc", "Close") { store.send(.closeButtonTapped) }
      .with(digits)
    }
  }

  /// A number that is typed while a preset is chosen begins another interval.
  private var digits: [Command] {
    "0123456789".map { digit in
      Command(key: KeyPress(.character(digit)), title: "Another interval", isHidden: true) {
        store.send(.customEdited(.insert(String(digit))))
      }
    }
  }

  private struct Row {
    var text: String
    var isCurrent: Bool
  }

  private var rows: [Row] {
    CheckInInterval.presets.map { Row(text: $0.displayText, isCurrent: $0 == store.current) }
      + [Row(text: "another interval", isCurrent: false)]
  }

  private func confirmation(_ proposed: CheckInInterval) -> some View {
    let deadline = store.proposedDeadline!
    let when = store.calendar.describe(deadline.date, now: store.now)
    var message = "You will check in every \(proposed.displayText).\n"
    if store.proposedIsPast {
      message +=
        "Your deadline would already be past (\(when)): unless you check in, your responders would "
        + "be told "
        + (deadline.graceEnd > store.now
          ? "\(store.calendar.describe(deadline.graceEnd, now: store.now))." : "at once.")
    } else {
      message += "Your next deadline will be \(when). This is not a check-in."
    }
    if let failure = store.failure { message += "\n\n\(failure.sentence)" }
    return Dialog(
      title: "Change the interval?", message: message,
      role: store.proposedIsPast ? .danger : .accent,
      buttons: [
        DialogButton("Back", key: "esc") { store.send(.backButtonTapped) },
        DialogButton(store.isSaving ? "Saving …" : "Change", key: "enter", role: .accent) {
          store.send(.confirmButtonTapped)
        },
      ], selected: 1)
  }
}
