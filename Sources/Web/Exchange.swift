import CMicroHTTPD
import Synchronization

/// One request, from its header to its answer.
final class Exchange: Sendable {
  private enum State: Sendable {
    case receiving(body: [UInt8])
    case sleeping(Connection)
    case answered(WebServer.QueryResponse)
  }

  private let state = Mutex(State.receiving(body: []))

  /// Adds bytes to the body.
  /// - Returns: `false` if there are too many.
  func receive(_ bytes: UnsafeRawBufferPointer, limit: Int) -> Bool {
    state.withLock { state in
      guard case .receiving(var body) = state, body.count + bytes.count <= limit else {
        return false
      }
      // The only reference to the body, so that it isn't copied with each piece.
      state = .receiving(body: [])
      body += bytes
      state = .receiving(body: body)
      return true
    }
  }

  var body: [UInt8] {
    state.withLock { state in
      guard case .receiving(let body) = state else { return [] }
      return body
    }
  }

  var response: WebServer.QueryResponse? {
    state.withLock { state in
      guard case .answered(let response) = state else { return nil }
      return response
    }
  }

  func sleep(_ connection: Connection) {
    state.withLock { state in
      state = .sleeping(connection)
      MHD_suspend_connection(connection.pointer)
    }
  }

  func answer(_ response: WebResponse) { answer { _ in response } }

  /// Answers the request, and wakes its connection. Only the first answer counts.
  func answer(_ response: @escaping WebServer.QueryResponse) {
    state.withLock { state in
      guard case .sleeping(let connection) = state else { return }
      state = .answered(response)
      MHD_resume_connection(connection.pointer)
    }
  }
}
