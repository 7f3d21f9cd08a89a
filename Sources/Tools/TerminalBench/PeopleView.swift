import Terminal

/// The screen to measure: tabs, a boxed list and a help bar.
struct PeopleView: View {
  let count: Int
  let position: ListPosition

  var body: some View {
    VStack {
      TabBar(
        tabs: [
          TabItem("Check-In", key: "1"), TabItem("Responders", key: "2"),
          TabItem("Dependents", badge: "▲2", key: "3"), TabItem("Alerts", key: "4"),
          TabItem("Profile", key: "5"),
        ], selected: 2, title: "LifeSignal", onSelect: { _ in }
      ) {
        Text("● watched by 2").foreground(.calm)
      }
      List(0..<count, position: position, onMove: { _ in }) { number, _ in
        HStack {
          Text("●").foreground(.calm)
          Text("Person number \(number)")
          Spacer()
          Text("\(number % 24)h \(number % 60)m").foreground(.dim)
        }
      }
      .border(title: "Dependents", footer: "\(position.selected + 1)/\(count)")
      HelpBar()
    }
    .command("c", "check in") {}
    .command("p", "ping") {}
    .command("q", "quit") {}
  }
}
