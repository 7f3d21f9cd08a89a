package import Clients
import Synchronization
import System

extension HTTPClient {
  /// Sends each request over a connection of its own.
  package static let live = live()

  /// - Parameters:
  ///   - keepingConnections: How many connections are kept for the next request.
  ///   - authorities: A file of certificates to trust instead of the system's; for tests.
  package static func live(keepingConnections: Int = 0, authorities: String? = nil) -> Self {
    let handles = CurlHandles(most: keepingConnections)
    return Self { request in
      let stop = HTTPTransfer.Stop()
      let result: HTTPResult? = await withTaskCancellationHandler {
        await OwnThread.run { handOver in
          handOver(HTTPTransfer.run(request, handles, authorities: authorities, stop: stop))
        }
      } onCancel: {
        if request.isCancellable { stop.isSet.store(true, ordering: .relaxed) }
      }
      return result ?? .failed(.notStarted)
    }
  }
}
