import FoundationEssentials
import Terminal

/// What the picker shows: the files of a folder that match what was typed.
@MainActor
final class Picker {
  struct Row: Equatable, Sendable {
    var name: String
    var isFolder: Bool
  }

  private(set) var folder: String
  private(set) var rows: [Row] = []
  private(set) var filter = TextInput(limit: 100)
  var position = ListPosition()
  /// The path of the chosen file.
  private(set) var choice: String?
  var onFinish: @MainActor () -> Void = {}

  private var files: [Row] = []

  init(folder: String) {
    self.folder = folder
    read()
  }

  func edit(_ edit: TextEdit) {
    filter.apply(edit)
    showMatches()
  }

  /// Chooses a file, or goes into a folder.
  func open(_ row: Row) {
    guard row.isFolder else {
      choice = URL(filePath: folder).appending(path: row.name).path
      onFinish()
      return
    }
    folder = URL(filePath: folder).appending(path: row.name).standardized.path
    read()
  }

  func goUp() { open(Row(name: "..", isFolder: true)) }

  private func read() {
    filter = TextInput(limit: 100)
    // A folder that can't be read is empty; the way up is always there.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    files = names.sorted().map { name in
      var isFolder = false
      _ = FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder)
      return Row(name: name, isFolder: isFolder)
    }
    showMatches()
  }

  private func showMatches() {
    let matcher = ListMatcher(words: filter.text)
    rows = files.filter { matcher.matches($0.name) }
    position = ListPosition()
  }
}

/// The line to type into, and the list below it.
struct PickerView: View {
  let picker: Picker
  /// The folder as it is shown.
  var place: String

  var body: some View {
    VStack(alignment: .leading) {
      FilterLine(
        input: picker.filter, isFocused: true, prompt: "part of a name", onFocus: {},
        onEdit: picker.edit)
      List(picker.rows, position: picker.position) {
        picker.position = $0
      } onOpen: {
        picker.open($0)
      } row: { row, _ in
        FileRow(row: row)
      } empty: {
        Text("No file here matches.").foreground(.dim)
      }
      .keepingRows()
      Text(place).foreground(.dim).truncation(.head)
    }
    .command("left", "Up") { picker.goUp() }
    .command("esc", "Cancel") { picker.onFinish() }
  }
}

struct FileRow: View, Equatable {
  let row: Picker.Row

  var body: some View {
    Text(row.isFolder ? row.name + "/" : row.name)
      .foreground(row.isFolder ? .accent : .text)
  }
}
