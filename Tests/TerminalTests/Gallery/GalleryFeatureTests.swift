import Composable
import ComposableTesting
import Terminal
import TerminalExtras
import TerminalTesting
import Testing

@testable import gallery

@MainActor
struct GalleryFeatureTests {
  private let clock = TestClock()

  private func makeStore(
    _ change: (inout GalleryFeature.State) -> Void = { _ in }
  ) -> TestStoreOf<GalleryFeature> {
    var state = GalleryFeature.State()
    change(&state)
    return TestStore(initialState: state) {
      GalleryFeature()
    } withDependencies: {
      $0.continuousClock = clock
    }
  }

  @Test func time_passesOnlyWhereSomethingMoves() async {
    let store = makeStore()
    await store.send(.started)
    await store.send(.pageSelected(.controls)) { $0.page = .controls }
    await clock.advance(by: GalleryFeature.frameInterval)
    await store.receive(.ticked) { $0.frame = 1 }
    await store.send(.motionToggled) { $0.reducesMotion = true }
    await clock.advance(by: GalleryFeature.frameInterval * 5)
    await store.send(.motionToggled) { $0.reducesMotion = false }
    await clock.advance(by: GalleryFeature.frameInterval)
    await store.receive(.ticked) { $0.frame = 2 }
    await store.send(.pageSelected(.text)) { $0.page = .text }
    await clock.advance(by: GalleryFeature.frameInterval * 5)
    await store.finish()
  }

  @Test func sheet_slidesInStepByStep() async {
    let store = makeStore()
    await store.send(.overlayShown(.sheet(step: 0))) { $0.overlay = .sheet(step: 0) }
    for step in 1...GalleryFeature.slideSteps {
      await clock.advance(by: GalleryFeature.slideInterval)
      await store.receive(.slid) { $0.overlay = .sheet(step: step) }
    }
    await store.send(.overlayClosed) { $0.overlay = nil }
    await store.finish()
  }

  @Test func toast_goesByItself() async {
    let store = makeStore { $0.overlay = .dialog(selected: 0) }
    await store.send(.dialogAnswered("She stays.")) { $0.overlay = nil }
    await store.receive(.toastShown("She stays.")) { $0.toast = "She stays." }
    await clock.advance(by: GalleryFeature.toastDuration)
    await store.receive(.toastExpired) { $0.toast = nil }
  }

  @Test func rows_areSortedAndNarrowed() async {
    let store = makeStore()
    await store.send(.lists(.sorted(2))) { $0.lists.sort = TableSort(column: 2) }
    #expect(store.state.lists.rows.first?.name == "Mary Somerville")
    await store.send(.lists(.filter(.begin))) { $0.lists.filter.apply(.begin) }
    await store.send(.lists(.filter(.edit(.insert("lang"))))) {
      $0.lists.filter.apply(.edit(.insert("lang")))
    }
    #expect(store.state.lists.rows.map(\.field) == Array(repeating: "Languages", count: 4))
  }

  /// The whole loop from a key press to the frame.
  @Test func keys_openPagesAndChangeTheTheme() {
    let store = Store(initialState: GalleryFeature.State()) {
      GalleryFeature()
    } withDependencies: {
      $0.continuousClock = clock
    }
    let host = ViewHost()
    func press(_ keys: KeyPress...) {
      for key in keys {
        _ = host.render(GalleryView(store: store), size: Size(columns: 80, rows: 24))
        host.dispatch(.key(key))
      }
    }
    for page in GalleryPage.allCases {
      press(page.key)
      #expect(store.page == page)
      // A focused field takes digits as text.
      if page == .fields { press("esc") }
    }
    #expect(store.fields.focus == nil)
    press("t", "a", "m")
    #expect(store.theme == .light && store.isASCII && store.reducesMotion)
    press("3", "/", "x", "q", "esc")
    #expect(!store.isFinished && store.lists.filter == ListFilter())
    press("?", "esc", ":", "q")
    #expect(store.overlay == .palette && store.query.text == "q" && !store.isFinished)
    press("esc", "4", "tab", "tab", "ctrl+c")
    #expect(store.fields.focus == .address && store.isFinished)
  }
}
