import Clients
import Composable
import Domain
import SQLite
import Terminal
import TerminalTesting
import Testing

@testable import CommandLine
@testable import Features

/// Drawing one sheet after another leaves nothing of the first on the terminal.
@MainActor @Suite struct SheetOverSheetTests {
  private static let size = Size(columns: 80, rows: 24)

  private let clients: DependencyValues

  init() async { clients = await .preview(at: World.start) }

  private func store(_ state: AppFeature.State) -> StoreOf<AppFeature> {
    Store(initialState: state) {
      AppFeature()
    } withDependencies: {
      $0 = clients
      $0.qrCodeClient.modules = { (_: String) async throws(QRCodeError) in [[true]] }
    }
  }

  /// The demo's account with a tab open.
  private func state(on tab: MainTabFeature.Tab) async throws -> AppFeature.State {
    let store = store(AppFeature.State())
    store.send(.started)
    for await isComplete in store.values(of: \.isComplete) where isComplete { break }
    var snapshot = try #require(store.main?.snapshot)
    // Use a preset interval, so that the sheet's text field doesn't take the second key.
    snapshot.user.interval = .standard
    var state = AppFeature.State()
    state.main = MainTabFeature.State(snapshot: snapshot)
    state.main?.selectedTab = tab
    return state
  }

  /// The keys that open a sheet, recognised by a change of the available keys.
  private func keysOfSheets(over state: AppFeature.State) -> [KeyPress] {
    let host = ViewHost()
    func commands(_ store: StoreOf<AppFeature>) -> [Command] {
      _ = host.frame(AppView(store: store), size: Self.size)
      return host.commands
    }
    var keys: [KeyPress] = []
    for key in commands(store(state)).compactMap(\.key) where !keys.contains(key) {
      let store = store(state)
      let before = commands(store).map(\.title)
      _ = host.dispatch(.key(key))
      let isOther = commands(store).map(\.title) != before
      if isOther, store.main?.selectedTab == state.main?.selectedTab { keys.append(key) }
    }
    return keys
  }

  @Test(
    "After two keys that open sheets, and after Esc, no cell of an earlier sheet stays on screen",
    arguments: MainTabFeature.Tab.allCases)
  func pairsOfSheets(tab: MainTabFeature.Tab) async throws {
    let state = try await state(on: tab)
    let keys = keysOfSheets(over: state)
    #expect(keys.count > 3, "\(keys)")
    for first in keys {
      for second in keys {
        let store = store(state)
        let host = ViewHost()
        host.features = [.repeatGlyph, .backgroundErase, .insertLines]
        var terminal = InMemoryTerminal(size: Self.size)
        let draw = { terminal.feed(host.render(AppView(store: store), size: Self.size)) }
        draw()
        _ = host.dispatch(.key(first))
        draw()
        for key in [second, "esc"] as [KeyPress] {
          _ = host.dispatch(.key(key))
          draw()
          let frame = ViewHost().frame(AppView(store: store), size: Self.size)
          #expect(terminal.lines == frame.lines, "\(first), \(second)")
        }
      }
    }
  }
}
