import Clients
import Composable
import Domain
import Features
import FoundationEssentials
import Terminal

/// `lifesignal demo --frame`: a picture of one screen, the same every time.
struct PictureCommand: PlainCommand {
  var appearance: AppearanceOptions
  var screen: DemoScreen
  var size: Size
  var format: Format

  enum Format: String, NamedValue { case text, ansi, svg }

  /// The time that every picture shows.
  static let now = Date(timeIntervalSince1970: 1_795_260_180)

  func run(_ invocation: Invocation) async throws -> Report {
    Report(verbatim: await render())
  }

  @MainActor private func render() async -> String {
    let preview = await DependencyValues.preview(at: Self.now)
    let session = AppSession {
      $0 = preview
      if screen == .onboarding {
        $0.authClient.state = { () async throws(ClientError) in .newcomer }
      }
    }
    session.start()
    await session.complete()
    session.open(screen)
    await session.complete()
    let depth = appearance.color.depth ?? .trueColor
    let host = ViewHost(theme: appearance.theme(isDark: true), colorDepth: depth)
    host.reducesMotion = appearance.reducesMotion
    let frame = host.frame(session.view(), size: size)
    switch format {
    case .text: return frame.text
    case .ansi: return frame.ansiText(colorDepth: depth)
    case .svg:
      let spoken = host.spokenLines(
        of: session.view(), columns: size.columns, rows: size.rows)
      return frame.svg(title: "LifeSignal", description: spoken)
    }
  }
}

extension DemoScreen: NamedValue {}
