import Clients
import Composable
import Terminal

/// The form for name and picture.
struct PictureView: View {
  let store: StoreOf<PictureFeature>
  let picture: PixelPicture?

  var body: some View {
    Sheet("Name and picture", width: 72) {
      HStack(alignment: .top, spacing: 1) {
        VStack(alignment: .leading, spacing: 0) {
          field(.name, "Name")
          field(.path, "Picture", placeholder: "~/me.jpg, a PNG or JPEG file")
          if store.hasPicture {
            FormToggle(
              label: "Remove it", field: .removes, form: store.form, meaning: "show initials",
              send: { store.send(.form($0)) })
          }
          Text("")
          Text("Your contacts here see both.").foreground(.dim)
          FormOutcome(form: store.form)
        }
        .frame(maxWidth: .max, alignment: .leading)
        PortraitView(picture: picture, name: store.form[.name].text)
      }
      .padding(.horizontal, 1)
    }
    .formCommands(store.form) { store.send(.form($0)) }
  }

  private func field(
    _ field: PictureFeature.Field, _ label: String, placeholder: String = ""
  ) -> some View {
    FormField(
      label: label, field: field, form: store.form, placeholder: placeholder,
      send: { store.send(.form($0)) })
  }
}
