import Terminal

/// A pixel image and a QR code.
struct PicturesPage: View {
  var body: some View {
    HStack(spacing: 0) {
      Panel("Picture") {
        Picture(SampleImage.sunset, label: "The sun sinks into the sea.")
          .frame(maxWidth: .max, maxHeight: .max)
      }
      VStack(alignment: .center) {
        QRCode(SampleCode.modules, label: "A code for \(SampleCode.text)")
        Text(SampleCode.text).foreground(.dim)
      }
      .padding(.horizontal, 1)
      .frame(maxHeight: .max)
      .border(title: "QR code")
      .layoutPriority(1)
    }
  }
}
