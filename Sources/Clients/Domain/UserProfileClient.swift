public import Composable
public import Domain
public import FoundationEssentials

/// The user's name and picture.
public struct UserProfileClient: ClientInterface {
  /// Changes name and picture in one step: both or neither. The old picture is deleted.
  ///
  /// A picture is a PNG or JPEG file of at most 10 MB, recognised by its first bytes.
  @Endpoint("UserProfileClient.update")
  public var update: @Sendable (_ name: String, PictureChange) async throws(ClientError) -> User

  public init() {}
}

/// A change of a picture.
public enum PictureChange: Equatable, Codable, Sendable {
  case keep
  case remove
  /// The bytes of a PNG or JPEG file.
  case set(Data)
}

extension PictureChange {
  /// Returns the change as it is stored; the store repeats this check before it saves.
  package func checked() throws(ValidationError) -> PictureChange {
    guard case .set(let data) = self else { return self }
    try DocumentRules.checkSize(data.count)
    guard ContentType(of: data).isPicture else { throw .pictureFormat }
    return self
  }
}

extension DependencyValues {
  public var userProfileClient: UserProfileClient {
    get { self[UserProfileClient.self] }
    set { self[UserProfileClient.self] = newValue }
  }
}
