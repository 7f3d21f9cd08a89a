/// Shows its content over the whole screen; what is beneath is seen but does not answer, except
/// to global commands.
struct ModalView<Content: View>: PrimitiveView {
  let content: Content

  func build(in tree: ViewTree) {
    tree.addLayer(.modal) { content.build(in: tree) }
  }
}
