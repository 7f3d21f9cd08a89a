import Composable
import Testing

@Suite struct CasePathTests {
  enum Action: Equatable, Sendable {
    case child(Int)
    case other

    static let childCase = CasePath(Self.child) { if case .child(let it) = $0 { it } else { nil } }
  }

  @Test func extractsWhatItEmbeds() {
    #expect(Action.childCase.extract(from: Action.childCase.embed(1)) == 1)
    #expect(Action.childCase.extract(from: .other) == nil)
  }
}
