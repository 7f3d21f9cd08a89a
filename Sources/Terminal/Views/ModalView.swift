/// Shows its content over the whole screen; what is beneath is seen but does not answer, except
/// to global commands. The line of the keys stays in sight.
struct ModalView<Content: View>: PrimitiveView {
  let content: Content
  /// The title of a sheet.
  var title: String?

  func build(in tree: ViewTree) {
    tree.addLayer(.modal, title: title) { content.build(in: tree) }
  }
}
