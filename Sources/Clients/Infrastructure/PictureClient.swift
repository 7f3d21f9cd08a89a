public import Composable
public import FoundationEssentials

/// The decoder of pictures.
public struct PictureClient: ClientInterface {
  /// Returns a PNG or JPEG picture, upright and no larger than ``PixelPicture/sideLimit`` on either
  /// side.
  ///
  /// The data can come from anyone.
  @Endpoint("PictureClient.decode")
  public var decode: @Sendable (Data) async throws(PictureError) -> PixelPicture

  public init() {}
}

/// A small picture as pixels.
public struct PixelPicture: Equatable, Codable, Sendable {
  /// Pixels from left to right, at least one.
  public let width: Int
  /// Pixels from top to bottom, at least one.
  public let height: Int
  /// Four bytes for each pixel – red, green, blue, opacity –, row by row.
  public let rgba: Data

  /// - Precondition: There are four bytes for each pixel, and at least one pixel.
  public init(width: Int, height: Int, rgba: Data) {
    precondition(width > 0 && height > 0 && rgba.count == 4 * width * height)
    self.width = width
    self.height = height
    self.rgba = rgba
  }

  /// The most pixels on a side, as many as a corner of the screen shows.
  public static let sideLimit = 160
}

extension PixelPicture {
  /// Reads a recorded picture.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    width = try container.decode(Int.self, forKey: .width)
    height = try container.decode(Int.self, forKey: .height)
    rgba = try container.decode(Data.self, forKey: .rgba)
    guard (1...Self.sideLimit).contains(width), (1...Self.sideLimit).contains(height),
      rgba.count == 4 * width * height
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .rgba, in: container, debugDescription: "The bytes aren't a picture.")
    }
  }
}

extension DependencyValues {
  public var pictureClient: PictureClient {
    get { self[PictureClient.self] }
    set { self[PictureClient.self] = newValue }
  }
}
