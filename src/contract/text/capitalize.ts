/** The text with a capital at its beginning. */
export const capitalize = <Text extends string>(text: Text): Capitalize<Text> =>
  (text.charAt(0).toUpperCase() + text.slice(1)) as Capitalize<Text>
