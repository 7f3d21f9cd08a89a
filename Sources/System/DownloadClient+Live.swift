public import Clients

extension DownloadClient {
  /// Returns a client that downloads the files of a store to the disks of this machine.
  public static func live(from source: FileStorageClient) -> Self {
    let manager = DownloadManager(source: source)
    return Self {
      $0.download = { request in
        let download = Download(request)
        return AsyncStream { await manager.next(download) }
      }
      $0.cancel = { url in await manager.cancel(url) }
    }
  }
}
