/// Commands as a table of keys; several keys for one thing share a line.
struct KeyTable: View {
  private struct Line {
    var keys: String
    let title: String
    var isEnabled: Bool
  }
  private var lines: [Line] = []

  init(commands: [Command], isASCII: Bool) {
    for command in commands {
      guard let key = command.key?.displayName(ascii: isASCII) else { continue }
      if let known = lines.firstIndex(where: { $0.title == command.title }) {
        lines[known].keys += " " + key
        lines[known].isEnabled = lines[known].isEnabled || command.isEnabled
      } else {
        lines.append(Line(keys: key, title: command.title, isEnabled: command.isEnabled))
      }
    }
  }

  var body: some View {
    let width = lines.reduce(0) { max($0, $1.keys.columns) }
    VStack {
      ForEach(lines.indices) { index in
        let line = lines[index]
        HStack(spacing: 2) {
          Text(line.keys).bold().foreground(line.isEnabled ? .accent : .dim)
            .frame(width: width, alignment: .trailing)
          Text(line.title).foreground(line.isEnabled ? .text : .dim)
        }
      }
    }
  }
}
