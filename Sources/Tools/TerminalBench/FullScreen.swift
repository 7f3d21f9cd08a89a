import Composable
import Glibc
import Terminal

/// The workload as a program on a terminal: the store, the views, the layout and the writer as the
/// app has them.
@MainActor
enum FullScreen {
  /// - Parameter frames: How many to draw as fast as it goes, and end; `nil` to answer keys.
  static func run(frames: Int?) -> Never {
    let store = Store(initialState: ContactsFeature.State()) { ContactsFeature() }
    let application = TerminalApplication(device: TerminalDevice(), theme: .contacts) { _ in
      ContactsView(store: store)
    }
    let observation = store.observe {
      if store.isFinished { application.stop() } else { application.setNeedsDisplay() }
    }
    if let frames {
      Task {
        for _ in 0..<frames {
          store.send(.ticked)
          application.display()
        }
        application.stop()
      }
    }
    do {
      let end = try application.run()
      observation.cancel()
      end.endProcess()
    } catch {
      complain("TerminalBench: \(error)")
    }
    exit(0)
  }
}
