import Composable

@testable import Features

// Short forms for the path of sheets, for tests.

extension MainTabFeature.State {
  /// The state of a feature's sheet on the path. Setting a state opens the sheet or changes it;
  /// setting `nil` closes it and all above it.
  subscript<Feature: SheetFeature>(_: Feature.Type) -> Feature.State? {
    get { path.lazy.compactMap { $0[Feature.self] }.last }
    set {
      let id = path.ids.last { path[id: $0]?[Feature.self] != nil }
      if let id, let newValue {
        path[id: id]?[Feature.self] = newValue
      } else if let id {
        path.pop(from: id)
      } else if let newValue {
        path.append(OpenSheet(Feature.self, newValue))
      }
    }
  }
}

extension MainTabFeature.Action {
  /// An action of a sheet. In a test the first sheet that is opened has the id 0, the next one 1.
  static func sheet<Feature: SheetFeature>(
    _ feature: Feature.Type, _ action: Feature.Action, id: StackElementID = 0
  ) -> Self {
    .path(.element(id: id, action: SheetAction(feature, action)))
  }

  /// A sheet closed itself.
  static func closed(_ id: StackElementID = 0) -> Self { .path(.popFrom(id: id)) }
}
