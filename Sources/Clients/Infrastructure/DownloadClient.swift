public import Composable
public import Domain

/// Downloads of stored files to this machine.
public struct DownloadClient: ClientInterface {
  /// Writes a stored file into a folder, part by part as the elements are requested, and ends with
  /// the path of the file or with the error.
  ///
  /// No existing file is replaced: the new one gets a number. Until it is complete it has a hidden
  /// name, and nothing is left of it when it fails, is cancelled, or its consumer stops.
  @TransferEndpoint("DownloadClient.download")
  public var download: @Sendable (DownloadRequest) -> AsyncStream<DownloadEvent>
  /// Cancels a running download; its elements end without a final event.
  public var cancel: @Sendable (StoredFileURL) async -> Void = unimplemented(
    "DownloadClient.cancel", placeholder: ())

  public init() {}
}

/// A file to download, and its destination.
public struct DownloadRequest: Equatable, Sendable {
  public var url: StoredFileURL
  /// The size in bytes; a file of another size is not kept.
  public var expectedSize: Int
  /// The name that its owner gave it; cleaned before it is used here.
  public var name: String
  /// The folder, which is created if it is missing.
  public var folder: String

  public init(url: StoredFileURL, expectedSize: Int, name: String, folder: String) {
    self.url = url
    self.expectedSize = expectedSize
    self.name = name
    self.folder = folder
  }
}

/// The progress of a download.
public enum DownloadEvent: Equatable, TransferEvent {
  /// The share that is done, from 0 to 100.
  case progress(percent: Int)
  case completed(path: String)
  case failed(DownloadError)

  /// The error if the download has failed, else `nil`.
  public var failure: (any AppError)? { if case .failed(let error) = self { error } else { nil } }
}

extension DependencyValues {
  public var downloadClient: DownloadClient {
    get { self[DownloadClient.self] }
    set { self[DownloadClient.self] = newValue }
  }
}
