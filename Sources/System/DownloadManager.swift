import Clients
import Domain
import FoundationEssentials

/// The downloads in progress.
actor DownloadManager {
  private let queue = FileQueue()
  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  private let source: FileStorageClient
  private var running: [StoredFileURL: WeakDownload] = [:]

  private struct WeakDownload { weak var download: Download? }

  init(source: FileStorageClient) { self.source = source }

  /// Returns the next event of a download; `nil` once it is over.
  func next(_ download: Download) async -> DownloadEvent? {
    do throws(DownloadError) {
      switch download.stage {
      case .waiting:
        running[download.request.url] = WeakDownload(download: download)
        let file = try begin(download.request)
        download.stage = .receiving(file, received: 0)
        return .progress(percent: 0)
      case .receiving(let file, let received):
        let size = download.request.expectedSize
        let part = try await part(of: download.request, offset: received)
        // The download may have been cancelled in the meantime.
        guard case .receiving = download.stage else { return nil }
        guard received + part.count <= size else { throw .incomplete }
        guard !part.isEmpty else {
          guard received == size else { throw .incomplete }
          let path = try keep(file, download.request)
          end(download)
          return .completed(path: path)
        }
        try write(part, to: file)
        download.stage = .receiving(file, received: received + part.count)
        return .progress(percent: 100 * (received + part.count) / size)
      case .over:
        return nil
      }
    } catch {
      end(download)
      return .failed(error)
    }
  }

  func cancel(_ url: StoredFileURL) {
    if let download = running[url]?.download { end(download) }
  }

  /// Ends a download. What was written is deleted with the stage that held it.
  private func end(_ download: Download) {
    download.stage = .over
    running[download.request.url] = nil
  }

  private func part(
    of request: DownloadRequest, offset: Int
  ) async throws(DownloadError) -> Data {
    do {
      return try await source.read(request.url, offset, FileStorageClient.partSize)
    } catch {
      throw .source(error)
    }
  }

  private func begin(_ request: DownloadRequest) throws(DownloadError) -> IncomingFile {
    do { return try IncomingFile(folder: request.folder, id: request.url.id) } catch {
      throw .destination(error)
    }
  }

  private func write(_ part: Data, to file: IncomingFile) throws(DownloadError) {
    do { try file.append(part) } catch { throw .destination(error) }
  }

  private func keep(
    _ file: IncomingFile, _ request: DownloadRequest
  ) throws(DownloadError) -> String {
    do { return try file.keep(as: FileName.cleaned(request.name)) } catch {
      throw .destination(error)
    }
  }
}

/// A download in progress; what was written of it is deleted with it.
///
/// `@unchecked Sendable`: only its manager uses the stage, on its queue.
final class Download: @unchecked Sendable {
  let request: DownloadRequest
  enum Stage {
    case waiting
    case receiving(IncomingFile, received: Int)
    case over
  }
  fileprivate(set) var stage = Stage.waiting

  init(_ request: DownloadRequest) { self.request = request }
}
