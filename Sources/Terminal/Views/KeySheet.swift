/// The keys of the layer below and what they do, to be shown in a ``Sheet``.
public struct KeySheet: PrimitiveView {
  /// Creates a table of the commands below the sheet that contains it.
  public init() {}

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    tree.addDeferred { commands, tree in
      // The sheet's border, the top line and the help bar stay visible.
      KeyTable(
        commands: commands, isASCII: tree.theme.glyphs != .unicode, rows: max(1, tree.size.rows - 4)
      )
      .build(in: tree)
    }
  }
}

/// A table of commands and their keys; several keys for one command share a line.
struct KeyTable: View {
  private struct Line {
    var keys: String
    let title: String
    var isEnabled: Bool
  }
  private var lines: [Line] = []
  private let rows: Int

  /// - Parameter rows: The maximum number of rows; further lines go into additional columns.
  init(commands: [Command], isASCII: Bool, rows: Int) {
    self.rows = rows
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
    let columns = (max(1, lines.count) - 1) / rows + 1
    let height = (lines.count + columns - 1) / columns
    let width = lines.reduce(0) { max($0, $1.keys.columns) }
    HStack(alignment: .top, spacing: 3) {
      ForEach(0..<columns) { index in
        column(min(index * height, lines.count)..<min((index + 1) * height, lines.count), width)
      }
    }
  }

  private func column(_ range: Range<Int>, _ width: Int) -> some View {
    VStack {
      ForEach(range) { index in
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
