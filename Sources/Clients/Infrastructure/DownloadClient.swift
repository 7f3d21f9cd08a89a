public import Composable
public import Domain

/// Brings stored files to this machine.
public struct DownloadClient: ClientInterface {
  /// Writes a stored file into a folder, part by part as the elements are asked for, and ends with the
  /// path at which it lies now or with why it does not.
  ///
  /// No file that is there is replaced: the new one gets a number. Until it is complete it has a
  /// hidden name, and nothing is left of it when it fails, is cancelled, or its consumer ends.
  @TransferEndpoint("DownloadClient.download")
  public var download: @Sendable (DownloadRequest) -> AsyncStream<DownloadEvent>
  /// Ends a download that runs; its elements end without a last word.
  public var cancel: @Sendable (StoredFileURL) async -> Void = unimplemented(
    "DownloadClient.cancel", placeholder: ())

  public init() {}
}

/// What is to be brought here, and where to.
public struct DownloadRequest: Equatable, Sendable {
  public var url: StoredFileURL
  /// In bytes; a file of another size is not kept.
  public var expectedSize: Int
  /// As its owner called it; cleaned before it becomes a name here.
  public var name: String
  /// The folder, which is made where it is missing.
  public var folder: String

  public init(url: StoredFileURL, expectedSize: Int, name: String, folder: String) {
    self.url = url
    self.expectedSize = expectedSize
    self.name = name
    self.folder = folder
  }
}

/// How far a download is.
public enum DownloadEvent: Equatable, TransferEvent {
  /// From 0 to 100.
  case progress(percent: Int)
  case completed(path: String)
  case failed(DownloadError)

  /// Why it has failed, if it has.
  public var failure: (any AppError)? { if case .failed(let error) = self { error } else { nil } }
}

extension DependencyValues {
  public var downloadClient: DownloadClient {
    get { self[DownloadClient.self] }
    set { self[DownloadClient.self] = newValue }
  }
}
