import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// Loads a person's picture on demand.
struct PortraitFeature: Reducer {
  struct State: Equatable, Sendable {
    /// The stored file that is shown or being read.
    var id: UUID?
    /// The picture, or `nil` if it isn't loaded or can't be.
    var picture: PixelPicture?

  }

  enum Action: Codable, Equatable, Sendable {
    case wanted(UUID?)
    case loaded(PixelPicture)
  }

  private enum CancelID: Hashable, Sendable { case loading }

  @Dependency(\.fileStorageClient) var fileStorageClient
  @Dependency(\.pictureClient) var pictureClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .wanted(let id):
      guard id != state.id else { return .none }
      state.id = id
      state.picture = nil
      guard let id else { return .cancel(id: CancelID.loading) }
      return .run { [fileStorageClient, pictureClient] send in
        let url = try await fileStorageClient.url(id)
        let data = try await fileStorageClient.download(url)
        await send(.loaded(try await pictureClient.decode(data)))
      } catch: { _, _ in
        // The clients have logged the error. The view shows initials instead.
      }
      .cancellable(id: CancelID.loading, cancelInFlight: true)

    case .loaded(let picture): state.picture = picture
    }
    return .none
  }
}

/// A person's picture, or their initials.
struct PortraitView: View {
  let picture: PixelPicture?
  let name: String

  private static let size = Size(columns: 12, rows: 6)

  var body: some View {
    if let picture {
      Picture(PixelBuffer(picture), label: "Picture of \(name)")
        .frame(width: Self.size.columns, height: Self.size.rows, alignment: .topTrailing)
    } else {
      Text(name.initials).bold().foreground(.accent)
        .frame(width: 6, height: 1, alignment: .center)
        .border()
        .accessibilityLabel("")
    }
  }
}

extension PixelBuffer {
  init(_ picture: PixelPicture) {
    self.init(width: picture.width, height: picture.height, rgba: Array(picture.rgba))
  }
}

extension String {
  /// The first letters of the first and last words, in capitals.
  var initials: String {
    let words = split(whereSeparator: \.isWhitespace)
    let letters = [words.first, words.count > 1 ? words.last : nil].compactMap { $0?.first }
    return letters.map { $0.uppercased() }.joined()
  }
}
