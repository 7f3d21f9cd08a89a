public import Terminal

/// Frames of views for tests.
@MainActor
public enum FrameSnapshot {
  /// Returns the frame of a view.
  public static func frame(of view: some View, size: Size, theme: Theme = .dark) -> Frame {
    ViewHost(theme: theme).frame(view, size: size)
  }

  /// Returns the rows of a view as plain text, without trailing blanks.
  public static func lines(of view: some View, size: Size, theme: Theme = .dark) -> [String] {
    frame(of: view, size: size, theme: theme).lines
  }

  /// Returns a message if a frame differs from the expected text, otherwise `nil`.
  nonisolated static func problem(of frame: Frame, matching expected: String) -> String? {
    difference(actual: frame.lines, expected: rows(of: expected, count: frame.size.rows))
  }

  /// Returns a message if a frame differs from its recording, or after recording it; otherwise
  /// `nil`.
  nonisolated static func problem(
    of frame: Frame, recordedIn file: SnapshotFile, isRecording: Bool
  ) -> String? {
    problem(of: frame.lines, recordedIn: file, isRecording: isRecording)
  }

  /// Returns a message if lines differ from their recording, or after recording them; otherwise
  /// `nil`.
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

  /// Returns the expected and actual rows side by side, with a mark at those that differ; `nil` if
  /// all are equal.
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

  /// Splits text written in source into rows, without trailing blanks, and adds empty rows up to
  /// the number of rows in a frame.
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
