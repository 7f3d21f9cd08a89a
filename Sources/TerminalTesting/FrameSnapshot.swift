public import Terminal

/// Pictures of views for tests.
@MainActor
public enum FrameSnapshot {
  /// The picture of a view.
  public static func frame(of view: some View, size: Size, theme: Theme = .dark) -> Frame {
    ViewHost(theme: theme).frame(view, size: size)
  }

  /// The rows of a view as plain text, without blanks at their ends.
  public static func lines(of view: some View, size: Size, theme: Theme = .dark) -> [String] {
    frame(of: view, size: size, theme: theme).lines
  }

  /// What is wrong with a picture that is to look as written; `nil` when nothing is.
  nonisolated static func problem(of frame: Frame, matching expected: String) -> String? {
    difference(actual: frame.lines, expected: rows(of: expected, count: frame.size.rows))
  }

  /// What is wrong with a picture that is to look as recorded; `nil` when nothing is. Recording is
  /// a problem too.
  nonisolated static func problem(
    of frame: Frame, recordedIn file: SnapshotFile, isRecording: Bool
  ) -> String? {
    problem(of: frame.lines, recordedIn: file, isRecording: isRecording)
  }

  /// What is wrong with lines that are to be as recorded; `nil` when nothing is. Recording is a
  /// problem too.
  nonisolated static func problem(
    of lines: [String], recordedIn file: SnapshotFile, isRecording: Bool
  ) -> String? {
    let text = lines.joined(separator: "\n")
    if isRecording {
      file.write(text + "\n")
      return "Recorded \(file.path)."
    }
    guard let expected = file.read() else {
      return "There is no \(file.path). Run with RECORD_SNAPSHOTS=1 to write it.\n\(text)"
    }
    return difference(
      actual: lines, expected: rows(of: String(expected.dropLast()), count: lines.count)
    ).map { "The frame differs from \(file.path).\n\($0)" }
  }

  /// What is to be read when a picture is not what it should be: both, row by row, with a mark at
  /// the rows that differ. `nil` when they are equal.
  nonisolated static func difference(actual: [String], expected: [String]) -> String? {
    guard actual != expected else { return nil }
    let width = max(8, expected.map(\.columns).max() ?? 0)
    var text = "  expected" + String(repeating: " ", count: width - 8) + " │ actual\n"
    for row in 0..<max(actual.count, expected.count) {
      let left = row < expected.count ? expected[row] : ""
      let right = row < actual.count ? actual[row] : ""
      let isEqual = row < expected.count && row < actual.count && left == right
      text += isEqual ? "  " : "✗ "
      text += left + String(repeating: " ", count: width - left.columns) + " │ " + right + "\n"
    }
    return text
  }

  /// Rows written in source, brought to the number of rows of a frame: blanks at the ends of rows
  /// do not count, nor do missing empty rows at the end.
  nonisolated static func rows(of text: String, count: Int) -> [String] {
    var rows = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var line = line
      while line.last == " " { line.removeLast() }
      return String(line)
    }
    while rows.count < count { rows.append("") }
    return rows
  }
}
