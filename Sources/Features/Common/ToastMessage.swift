/// A short message at the bottom right, for three seconds.
struct ToastMessage: Equatable, Sendable {
  var text: String
  var tone: Tone

  init(_ text: String, _ tone: Tone = .calm) {
    self.text = text
    self.tone = tone
  }

  enum Tone: Equatable, Sendable { case calm, warning, danger }
}
