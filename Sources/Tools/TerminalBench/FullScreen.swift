import Benching
import Composable
import Glibc
import Terminal

/// The workload as a terminal program, with the same store, views, layout and writer as the app.
@MainActor
enum FullScreen {
  /// - Parameter frames: The number of frames to draw as fast as possible; `nil` to respond to
  ///   keys.
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
