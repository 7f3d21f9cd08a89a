import FoundationEssentials
import Terminal
import TerminalTesting
import Testing

@testable import Picker

@MainActor @Suite final class PickerTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "picker-\(UUID())")
    let trips = folder.appending(path: "trips")
    try FileManager.default.createDirectory(at: trips, withIntermediateDirectories: true)
    for name in ["notes.txt", "north.gpx", "south.gpx", "\u{1B}[2Jred"] {
      try Data().write(to: trips.appending(path: name))
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  @Test func showsAFolderAndGoesIntoIt() {
    let picker = Picker(folder: folder.path)
    #expect(picker.rows == [.init(name: "trips", isFolder: true)])
    picker.open(picker.rows[0])
    let names = picker.rows.map(\.name)
    #expect(names == ["\u{1B}[2Jred", "north.gpx", "notes.txt", "south.gpx"])
    picker.goUp()
    #expect(picker.rows.map(\.name) == ["trips"])
  }

  @Test func typingFiltersAndEnterChooses() {
    let picker = Picker(folder: folder.appending(path: "trips").path)
    var isFinished = false
    picker.onFinish = { isFinished = true }
    let host = ViewHost()
    let size = Size(columns: 30, rows: 5)
    for key: KeyPress in ["g", "p", "x", "down", "enter"] {
      _ = host.frame(PickerView(picker: picker, place: ""), size: size)
      host.dispatch(.key(key))
    }
    #expect(picker.choice == folder.appending(path: "trips/south.gpx").path)
    #expect(isFinished)
  }

  @Test func aNameFromOutsideIsHarmless() {
    let picker = Picker(folder: folder.appending(path: "trips").path)
    let frame = ViewHost().frame(
      PickerView(picker: picker, place: ""), size: Size(columns: 30, rows: 5))
    #expect(frame.lines[1].contains("␛[2Jred"))
  }

  /// The picture in the documentation. `RECORD_SNAPSHOTS=1` writes it.
  @Test func looksLikeItsPicture() throws {
    let picker = Picker(folder: folder.appending(path: "trips").path)
    for letter in "gpx" { picker.edit(.insert(String(letter))) }
    let frame = FrameSnapshot.frame(
      of: PickerView(picker: picker, place: "~/trips"), size: Size(columns: 60, rows: 6))
    let picture = frame.svg(title: "Picker")
    let file = URL(filePath: #filePath)
      .appending(path: "../../../../../pictures/examples/picker.svg").standardizedFileURL
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      try picture.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == picture)
  }
}
