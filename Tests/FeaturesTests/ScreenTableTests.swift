import Composable
import Foundation
import Terminal
import TerminalTesting
import Testing

@testable import Features

/// The table of screens is complete: each sheet, dialog and tab in the sources is on one of them,
/// so that none goes without snapshots.
@MainActor @Suite struct ScreenTableTests {
  // MARK: Sources

  private struct Source {
    var file: String
    var text: String
  }

  nonisolated private static let sources: [Source] = {
    let folder =
      #filePath.replacing("Tests/FeaturesTests/ScreenTableTests.swift", with: "")
      + "Sources/Features"
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".swift") }.sorted().compactMap { file in
      (try? String(contentsOfFile: folder + "/" + file, encoding: .utf8)).map {
        Source(file: file, text: $0)
      }
    }
  }()

  /// The titles of sheets, dialogs and panels, split at interpolated values.
  nonisolated static let titles: [(title: String, file: String)] =
    sources.filter { !$0.file.hasPrefix("Debug/") && !$0.file.hasPrefix("Pace/") }
    .flatMap { source in titles(in: source.text).map { ($0, source.file) } }

  nonisolated static func titles(in text: String) -> [String] {
    text.split(separator: "\n").flatMap { line -> [String] in
      // Titles of keys, tabs and columns don't count.
      let starts = [
        "Sheet(\"", "Sheet(title: \"", "border(title: \"", "Dialog(title: \"", "        title: \"",
      ]
      guard !line.contains("Command("), let start = starts.first(where: { line.contains($0) }),
        let range = line.firstRange(of: start)
      else { return [] }
      let literal = line[range.upperBound...].prefix { $0 != "\"" }
      let parts = literal.split(separator: "\\", omittingEmptySubsequences: false)
      let words = parts.enumerated().map { index, part in
        index == 0 ? part : textAfterValue(part)
      }
      return words.map { String($0).trimmingCharacters(in: .whitespaces) }
        .filter { $0.count(where: \.isLetter) >= 3 }
    }
  }

  /// The text after the closing bracket of an interpolated value.
  nonisolated private static func textAfterValue(_ text: Substring) -> Substring {
    var depth = 0
    for index in text.indices {
      if text[index] == "(" { depth += 1 }
      if text[index] == ")" { depth -= 1 }
      if depth == 0 { return text[text.index(after: index)...] }
    }
    return ""
  }

  /// The names of all features in the sources.
  nonisolated static let features: [String] = sources.flatMap { source in
    source.text.matches(of: /struct (\w+Feature): Reducer/).map { String($0.1) }
  }

  // MARK: Screens

  private static let shown: String = {
    Screen.all.map { screen in
      let store = Store(initialState: screen.state()) { AppFeature() }
      return FrameSnapshot.frame(
        of: AppView(store: store), size: Size(columns: 120, rows: 40)
      ).text
    }.joined(separator: "\n")
  }()

  /// Collects the features whose states a state contains.
  private static func features(in value: Any, _ found: inout Set<String>) {
    let name = String(reflecting: type(of: value))
    if let match = name.wholeMatch(of: /Features\.(\w+Feature)\.State/) {
      found.insert(String(match.1))
    }
    // Skip values of other modules and snapshots: they contain no features and are large.
    let prefixes = [
      "Features.", "Composable.", "Swift.Optional<Features.", "(key: Composable.StackElementID,",
    ]
    guard prefixes.contains(where: name.hasPrefix), name != "Features.AccountSnapshot"
    else { return }
    for child in Mirror(reflecting: value).children { features(in: child.value, &found) }
  }

  @Test(
    "Every sheet, dialog and panel is on a screen of the snapshot tests",
    arguments: titles.map(\.title))
  func everyTitleIsSeen(_ title: String) {
    let file = Self.titles.first { $0.title == title }?.file ?? ""
    let isSeen = Self.shown.contains(title)
    #expect(isSeen, "Add a screen that shows “\(title)” of \(file) to Screen.all.")
  }

  @Test("Every feature is on a screen of the snapshot tests")
  func everyFeatureIsSeen() {
    var found: Set<String> = []
    for screen in Screen.all { Self.features(in: screen.state(), &found) }
    // These aren't part of the app; `DebugSessionTests` and `PaceFeatureTests` have their
    // snapshots.
    let elsewhere: Set = ["DebugFeature", "PaceFeature"]
    #expect(Set(Self.features).subtracting(found).subtracting(elsewhere) == [])
  }

  @Test("Every tab and every onboarding step is on a screen of the snapshot tests")
  func everyTabIsSeen() {
    let states = Screen.all.map { $0.state() }
    #expect(
      Set(states.compactMap { $0.main?.selectedTab }) == Set(MainTabFeature.Tab.allCases))
    #expect(
      Set(states.compactMap { $0.onboarding?.step }) == Set(OnboardingFeature.Step.allCases))
  }

  @Test("The screen table finds titles and features in the source code")
  func reading() {
    #expect(Self.titles.count > 30 && Self.features.count > 25)
    #expect(
      Self.titles(in: #"    Sheet("Roles of \(contact.name(now)) now", width: 4) {"#) == [
        "Roles of", "now",
      ])
    #expect(Self.titles(in: #"        title: "Ask \(found.name)?","#) == ["Ask"])
    #expect(Self.titles(in: "let title = 3").isEmpty)
    #expect(Self.titles(in: #"      Command(key: "e", title: "Edit") {"#).isEmpty)
    var found: Set<String> = []
    Self.features(in: Screen.all[1].state(), &found)
    #expect(found == ["AppFeature", "EmergencyFeature"])
  }

  @Test func everyScreenHasANameOfItsOwn() {
    let names = Screen.all.map(\.name)
    #expect(Set(names).count == names.count)
  }
}
