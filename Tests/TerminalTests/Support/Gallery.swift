import Terminal

/// A screen with one of each view.
struct Gallery: View {
  var position = ListPosition(selected: 3)
  var input = TextInput("Ada Lovelace")

  var body: some View {
    VStack {
      TabBar(
        tabs: [
          TabItem("Check-In", key: "1"), TabItem("Responders", key: "2"),
          TabItem("Dependents", badge: "▲2", key: "3"),
        ], selected: 0, title: "LifeSignal", onSelect: { _ in }
      ) {
        Text("● watched by 2").foreground(.calm)
      }
      Banner("No connection", hint: "r try again")
      HStack(spacing: 0) {
        VStack(alignment: .center) {
          Spacer()
          BigText("23h 41m")
          HStack {
            ProgressBar(value: 0.81)
            Text("81 %")
          }
          .padding(.horizontal, 2)
          Text("until tomorrow 07:52").foreground(.dim)
          Button("Check in now", key: "c", isFocused: true) {}
          Spinner(frame: 2)
          Spacer()
        }
        .frame(maxWidth: .max, maxHeight: .max)
        .border(title: "Next check-in")
        List(Array(0..<1000), position: position, onMove: { _ in }) { number, _ in
          HStack {
            Text("Row \(number)")
            Spacer()
            Text("left").foreground(.dim)
          }
        }
        .border(title: "Last check-ins", footer: "4/1000")
      }
      TextField("Name", input: input, isFocused: true, error: "too short") { _ in }
      TextField("Note", input: TextInput("a\nb", isMultiline: true), isFocused: false) { _ in }
      HelpBar()
    }
    .command("c", "check in") {}
    .command("q", "quit") {}
  }
}
