import Terminal

/// Two charts, and the processes below them.
struct MonitorView: View {
  let monitor: Monitor
  let quit: @MainActor () -> Void

  var body: some View {
    VStack {
      HStack {
        Chart(title: "Processor", shares: monitor.processor)
        Chart(title: "Memory", shares: monitor.memory)
      }
      .frame(height: 8)
      VStack {
        columns("PID", "CPU", "MEMORY", "NAME").foreground(.dim).padding(.leading)
        List(monitor.rows, position: monitor.position) {
          monitor.position = $0
        } row: { row, _ in
          row
        }
        .keepingRows()
      }
      .border(title: "\(monitor.rows.count) processes")
      HelpBar()
    }
    .command("q", "Quit", action: quit)
  }
}

/// A process and its share of the processors.
struct ProcessRow: View, Equatable {
  let process: Snapshot.Process, share: Double

  var body: some View {
    columns("\(process.id)", percent(share), "\(process.bytes >> 20) MiB", process.name)
  }
}

@MainActor private func columns(
  _ id: String, _ share: String, _ memory: String, _ name: String
) -> some View {
  HStack(spacing: 2) {
    Text(id).frame(width: 7, alignment: .trailing)
    Text(share).frame(width: 7, alignment: .trailing)
    Text(memory).frame(width: 9, alignment: .trailing)
    Text(name).lineLimit(1)
  }
}
