public import Clients
import Dispatch
import Domain
import FoundationEssentials
import Synchronization

/// Keeps a ``WebServer`` running as configured. The configuration can change at any time.
public final class LinkServer: Sendable {
  private struct Contents {
    var settings: LinkSettings?
    var server: WebServer?
    /// The servers that must still end.
    var retired: [WebServer] = []
    var lastTry: Date?
    var fault: String?
    /// Whether another monitor of the same store listens at the address.
    var isServedByAnother = false
  }

  /// How long to wait before trying to listen again: another monitor may hold the port.
  static let pause = TimeSpan.seconds(30)

  private let pages: ResponderPages
  private let dateClient: DateClient
  private let log: @Sendable (String) -> Void
  private let contents = Mutex(Contents())

  /// - Parameter log: Records why it can't listen, once for each reason.
  public init(
    pages: ResponderPages, dateClient: DateClient, log: @escaping @Sendable (String) -> Void
  ) {
    self.pages = pages
    self.dateClient = dateClient
    self.log = log
  }

  /// The port on which the pages are served now, or `nil`.
  public var port: Int? { contents.withLock { $0.server?.port } }

  /// Whether links lead to a page: ours, or that of another monitor of the same store.
  public var leadsToPage: Bool {
    contents.withLock { $0.server != nil || $0.isServedByAnother }
  }

  /// Why links lead to no page, as a sentence; `nil` if they do, or if there are none.
  public var problem: String? {
    contents.withLock { contents in
      guard contents.settings != nil, contents.server == nil, !contents.isServedByAnother else {
        return nil
      }
      return contents.fault.map {
        "Messages have no link, because the links' server \($0)."
          + " Free the port, or change links.listen in config.json5."
      }
    }
  }

  /// Starts, moves or stops the server; `nil` for none. Returns at once, because it is called again
  /// and again in a loop that must not wait.
  /// - Returns: The task that finds out who has the address, if another program does.
  @discardableResult
  public func keep(_ settings: LinkSettings?) -> Task<Void, Never>? {
    let isTaken = start(settings)
    releaseRetired()
    guard isTaken, let settings, let path = pages.identityPath else { return nil }
    return Task {
      let isServed = await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(
            returning: PageProbe.answers(host: settings.host, port: settings.port, path: path))
        }
      }
      contents.withLock { contents in
        guard contents.server == nil, contents.settings?.port == settings.port else { return }
        contents.isServedByAnother = isServed
      }
    }
  }

  /// - Returns: Whether the server could not listen.
  private func start(_ settings: LinkSettings?) -> Bool {
    var isTaken = false
    let fault = contents.withLock { contents -> String? in
      if contents.settings?.host != settings?.host || contents.settings?.port != settings?.port
        || contents.settings?.proxy != settings?.proxy
        || contents.settings?.isEncrypted != settings?.isEncrypted
      {
        let old = contents.server
        contents = Contents(
          settings: settings, retired: contents.retired + (old.map { [$0] } ?? []))
        // It may hold the same port, so the next call starts the new one.
        guard old == nil else { return nil }
      }
      contents.settings = settings
      guard let settings, contents.server == nil else { return nil }
      let now = dateClient.now()
      if let last = contents.lastTry, last <= now, now < last + Self.pause { return nil }
      contents.lastTry = now
      do throws(WebServer.Failure) {
        contents.server = try WebServer(
          host: settings.host, port: settings.port, proxy: settings.proxy,
          isEncrypted: settings.isEncrypted, pages: pages)
        contents.fault = nil
        contents.isServedByAnother = false
        return nil
      } catch {
        isTaken = true
        defer { contents.fault = error.reason }
        return contents.fault == error.reason ? nil : error.reason
      }
    }
    if let fault { log("the links' server \(fault)") }
    return isTaken
  }

  /// Ends the previous servers, each once its last request is answered, without waiting for that.
  private func releaseRetired() {
    guard contents.withLock({ !$0.retired.isEmpty }) else { return }
    DispatchQueue.global().async { [self] in
      _ = contents.withLock { contents in
        defer { contents.retired = [] }
        return contents.retired
      }
    }
  }
}
