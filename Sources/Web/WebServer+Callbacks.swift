import CMicroHTTPD
import CMicroHTTPDShim
import Glibc

/// Called by libmicrohttpd: once for a request's header, once for each part of its body, once when
/// it is complete, and again when its connection wakes. `state` is ours, and empty at first.
func receiveRequest(
  context: UnsafeMutableRawPointer?, pointer: OpaquePointer?, path: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, body: UnsafePointer<CChar>?,
  bodySize: UnsafeMutablePointer<Int>?, state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context, let pointer, let path, let method, let bodySize, let state else { return .NO }
  let registry = Unmanaged<RequestRegistry>.fromOpaque(context).takeUnretainedValue()
  let connection = Connection(pointer: pointer)
  let known: WebRequest.Method? =
    switch String(cString: method) {
    case "GET", "HEAD": .get
    case "POST": .post
    case "PUT" where registry.programs != nil: .put
    case "PATCH" where registry.programs != nil: .patch
    case "DELETE" where registry.programs != nil: .delete
    default: nil
    }
  guard let known else {
    var answer = registry.refusal(405)
    if !connection.hasOneLength { answer.headers["Connection"] = "close" }
    return connection.send(answer)
  }
  guard let kept = state.pointee else {
    guard connection.hasOneLength else {
      var answer = registry.refusal(400)
      answer.headers["Connection"] = "close"
      return connection.send(answer)
    }
    guard connection.announcedBodySize <= registry.limits.body else {
      return connection.send(registry.refusal(413))
    }
    guard registry.begins() else {
      var answer = registry.unavailable
      answer.headers["Connection"] = "close"
      return connection.send(answer)
    }
    state.pointee = Unmanaged.passRetained(Exchange()).toOpaque()
    return .YES
  }
  let exchange = Unmanaged<Exchange>.fromOpaque(kept).takeUnretainedValue()
  if let response = exchange.response { return connection.send(response(connection.query)) }
  if bodySize.pointee > 0 {
    let bytes = UnsafeRawBufferPointer(start: body, count: bodySize.pointee)
    // A client that sends more than it announced isn't answered.
    guard exchange.receive(bytes, limit: registry.limits.body) else { return .NO }
    bodySize.pointee = 0
    return .YES
  }
  let peer = connection.peer
  var request = WebRequest(
    known, String(cString: path),
    client: ClientAddress.name(
      peer: peer, forwarded: connection.list("X-Forwarded-For"), proxy: registry.proxy),
    isEncrypted: ClientAddress.isEncrypted(
      peer: peer, forwarded: connection.list("X-Forwarded-Proto"), proxy: registry.proxy,
      byItself: registry.isEncrypted),
    body: exchange.body)
  if let programs = registry.programs {
    request.query = connection.query
    for name in programs.headers { request.headers[name] = connection.header(name) }
  }
  return registry.answer(request, exchange, on: connection) ? .YES : .NO
}

/// Called once for each request that `receiveRequest` began.
func requestCompleted(
  context: UnsafeMutableRawPointer?, pointer: OpaquePointer?,
  state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_RequestTerminationCode
) {
  guard let context, let pointer, let kept = state?.pointee else { return }
  Unmanaged<Exchange>.fromOpaque(kept).release()
  let registry = Unmanaged<RequestRegistry>.fromOpaque(context).takeUnretainedValue()
  registry.completes()
  // The next request on the same connection begins.
  registry.receives(on: Connection(pointer: pointer).socket)
}

/// Called before a connection begins, on the thread of all connections.
func acceptConnection(
  context: UnsafeMutableRawPointer?, address: UnsafePointer<sockaddr>?, length: socklen_t
) -> MHD_Result {
  guard let context, let address else { return .NO }
  let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) {
    mhd_shim_name(address, $0.baseAddress, UInt32($0.count)) == 0
      ? "" : String(cString: $0.baseAddress!)
  }
  return Unmanaged<RequestRegistry>.fromOpaque(context).takeUnretainedValue().accepts(name)
    ? .YES : .NO
}

/// Called when a connection begins, and before its socket is closed.
func connectionChanged(
  context: UnsafeMutableRawPointer?, pointer: OpaquePointer?,
  state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_ConnectionNotificationCode
) {
  guard let context, let pointer else { return }
  let registry = Unmanaged<RequestRegistry>.fromOpaque(context).takeUnretainedValue()
  let connection = Connection(pointer: pointer)
  guard code == .CONNECTION_NOTIFY_STARTED else { return registry.closes(connection.socket) }
  registry.opens(connection.socket, from: connection.peer)
  registry.receives(on: connection.socket)
}
