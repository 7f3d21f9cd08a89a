public import Clients
import Dispatch
import Domain
import FoundationEssentials

extension PictureClient {
  /// A client that decodes pictures with libpng and libjpeg-turbo.
  public static let live = Self {
    $0.decode = { (data: Data) async throws(PictureError) in
      // A large picture takes a tenth of a second, and no other task must wait for it.
      try await withCheckedContinuation { continuation in
        DispatchQueue.global(qos: .userInitiated).async {
          continuation.resume(
            returning: Result { () throws(PictureError) in try PixelPicture(decoding: data) })
        }
      }
      .get()
    }
  }
}

extension PixelPicture {
  /// The largest number of pixels that are decoded; a file of a few bytes may claim billions.
  static let pixelLimit = 24_000_000

  init(decoding data: Data) throws(PictureError) {
    let pixels: Pixels
    switch ContentType(of: data) {
    case .png: pixels = try Pixels(png: data)
    case .jpeg:
      pixels = try Pixels(jpeg: data)
      let small = pixels.scaled(toFit: Self.sideLimit)
      self = small.turned(JPEGOrientation(of: data)).picture
      return
    default: throw .unknownFormat
    }
    self = pixels.scaled(toFit: Self.sideLimit).picture
  }
}
