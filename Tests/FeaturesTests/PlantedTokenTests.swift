import Clients
import Composable
import ComposableFoundation
import ComposableTesting
import Domain
import FoundationEssentials
import Synchronization
import Terminal
import Testing

@testable import Features

/// CHN-4: no recording contains a service's secret. `Scripts/services/tokens` checks all other
/// places.
@MainActor @Suite struct PlantedTokenTests {
  nonisolated static let services = ServiceCatalog().services

  @Test(
    "CHN-4: a secret typed into a service's form appears in no recording", arguments: services)
  func recording(_ service: Service) {
    let lines = Mutex<[String]>([])
    let recorder = ActionRecorder<ChannelFormFeature.Action>(
      header: RecordingHeader(program: "test", date: Sample.now)
    ) { line in lines.withLock { $0.append(line) } }
    var state = ChannelFormFeature.State(of: nil, services: Self.services)
    state.choose(.service)
    state.choose(service)
    let store = Store(initialState: state) {
      ChannelFormFeature().recordingActions(to: recorder)
    }
    let host = ViewHost()
    for (field, declared) in zip(ChannelFormFeature.Field.ofService, service.fields) {
      store.send(.form(.focused(field)))
      _ = host.render(ChannelFormView(store: store), size: Size(columns: 80, rows: 24))
      host.dispatch(.paste(declared.isSecret ? "PLANTED-\(declared.id)" : "open-\(declared.id)"))
    }
    let text = lines.withLock { $0.joined(separator: "\n") }
    for (field, declared) in zip(ChannelFormFeature.Field.ofService, service.fields) {
      let typed = declared.isSecret ? "PLANTED-\(declared.id)" : "open-\(declared.id)"
      #expect(store.form[field].text == typed)
      #expect(text.contains(typed) == !declared.isSecret, "\(declared.id)")
    }
    #expect(!text.contains("PLANTED"))
  }
}
