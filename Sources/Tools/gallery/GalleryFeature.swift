import Composable
import Terminal

/// The gallery's state: the page, and what is shown over it.
struct GalleryFeature: Reducer {
  /// A view over the page.
  enum Overlay: Equatable, Sendable {
    case keys
    case palette
    case dialog(selected: Int)
    /// A sheet that slides in, in steps from 0 to `slideSteps`.
    case sheet(step: Int)
  }

  struct State: Equatable, Sendable {
    var page = GalleryPage.text
    var theme = GalleryTheme.dark
    var isASCII = false
    var reducesMotion = false
    var overlay: Overlay?
    var toast: String?
    var isBannerShown = true
    var query = TextInput(limit: 40)
    var commands = ListPosition()
    var scroll = 0
    /// The number of the animation frame.
    var frame = 0
    var isFinished = false
    var lists = ListsFeature.State()
    var fields = FieldsFeature.State()
    var controls = ControlsFeature.State()
  }

  enum Action: Equatable, Sendable {
    case started
    case ticked
    case pageSelected(GalleryPage)
    case themeButtonTapped
    case themeSelected(GalleryTheme)
    case asciiToggled
    case motionToggled
    case scrolled(Int)
    case overlayShown(Overlay)
    case overlayClosed
    case dialogMoved(Int)
    case dialogAnswered(String)
    case slid
    case toastShown(String)
    case toastExpired
    case bannerToggled
    case queryEdited(TextEdit)
    case commandsMoved(ListPosition)
    case quitButtonTapped
    case lists(ListsFeature.Action)
    case fields(FieldsFeature.Action)
    case controls(ControlsFeature.Action)

    static let listsCase = CasePath(Self.lists) {
      if case .lists(let action) = $0 { action } else { nil }
    }
    static let fieldsCase = CasePath(Self.fields) {
      if case .fields(let action) = $0 { action } else { nil }
    }
    static let controlsCase = CasePath(Self.controls) {
      if case .controls(let action) = $0 { action } else { nil }
    }
  }

  private enum CancelID: Hashable { case ticks, toast, slide }

  /// A sheet slides in with four steps of 30 ms.
  static let slideSteps = 4
  static let slideInterval = Duration.milliseconds(30)
  static let frameInterval = Duration.milliseconds(120)
  static let toastDuration = Duration.seconds(3)

  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    Scope(state: \.lists, action: Action.listsCase) { ListsFeature() }
    Scope(state: \.fields, action: Action.fieldsCase) { FieldsFeature() }
    Scope(state: \.controls, action: Action.controlsCase) { ControlsFeature() }
    Reduce { state, action in reduce(&state, action) }
  }

  private func reduce(_ state: inout State, _ action: Action) -> Effect<Action> {
    switch action {
    case .started:
      return ticks(isMoving: state.isMoving)
    case .ticked:
      state.frame += 1
      return .none
    case .pageSelected(let page):
      state.page = page
      state.scroll = 0
      return ticks(isMoving: state.isMoving)
    case .themeButtonTapped:
      state.theme = state.theme.next
      return .none
    case .themeSelected(let theme):
      state.theme = theme
      return .none
    case .asciiToggled:
      state.isASCII.toggle()
      return .none
    case .motionToggled:
      state.reducesMotion.toggle()
      return ticks(isMoving: state.isMoving)
    case .scrolled(let offset):
      state.scroll = offset
      return .none
    case .overlayShown(let overlay):
      state.overlay = overlay
      state.query = TextInput(limit: 40)
      state.commands = ListPosition()
      if case .sheet = overlay { return slide() }
      return .none
    case .slid:
      guard case .sheet(let step) = state.overlay else { return .none }
      state.overlay = .sheet(step: min(Self.slideSteps, step + 1))
      return step + 1 < Self.slideSteps ? slide() : .none
    case .overlayClosed:
      state.overlay = nil
      return .none
    case .dialogMoved(let index):
      state.overlay = .dialog(selected: index)
      return .none
    case .dialogAnswered(let answer):
      state.overlay = nil
      return .send(.toastShown(answer))
    case .toastShown(let text), .controls(.buttonPressed(let text)):
      state.toast = text
      return .run { [clock] send in
        try await clock.sleep(for: Self.toastDuration)
        await send(.toastExpired)
      }
      .cancellable(id: CancelID.toast, cancelInFlight: true)
    case .toastExpired:
      state.toast = nil
      return .none
    case .bannerToggled:
      state.isBannerShown.toggle()
      return .none
    case .queryEdited(let edit):
      state.query.apply(edit)
      state.commands = ListPosition()
      return .none
    case .commandsMoved(let position):
      state.commands = position
      return .none
    case .quitButtonTapped:
      state.isFinished = true
      return .none
    case .lists, .fields, .controls:
      return .none
    }
  }

  private func slide() -> Effect<Action> {
    .run { [clock] send in
      try await clock.sleep(for: Self.slideInterval)
      await send(.slid)
    }
    .cancellable(id: CancelID.slide, cancelInFlight: true)
  }

  /// Ticks only while something visible moves, so that otherwise nothing runs.
  private func ticks(isMoving: Bool) -> Effect<Action> {
    guard isMoving else { return .cancel(id: CancelID.ticks) }
    return .run { [clock] send in
      for await _ in clock.timer(interval: Self.frameInterval) { await send(.ticked) }
    }
    .cancellable(id: CancelID.ticks, cancelInFlight: true)
  }
}

extension GalleryFeature.State {
  /// Whether the page shows something animated.
  var isMoving: Bool { page == .controls && !reducesMotion }
}
