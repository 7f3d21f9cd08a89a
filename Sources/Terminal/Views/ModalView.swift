/// Shows its content above the whole screen. What is below stays visible but only handles global
/// commands. The help bar stays bright.
struct ModalView<Content: View>: PrimitiveView {
  let content: Content
  /// The title of a sheet.
  var title: String?

  func build(in tree: ViewTree) {
    tree.addLayer(.modal, title: title) { content.build(in: tree) }
  }
}
