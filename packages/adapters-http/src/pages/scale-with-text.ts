/** What browsers take for the size of text, unless their user chose another. */
const USUAL_TEXT = 16;
/** Hairlines stay as fine as they are. */
const FINEST = 4;

/**
 * A stylesheet in which every size, and every width that chooses a layout, grows with the size of text that the user chose in
 * the browser or on the phone. Sizes are written in pixels, as they are designed, and are the same pixels for everybody who chose nothing.
 * With text of twice the size a page is laid out as on a screen of half the width.
 */
export function scaleWithText(stylesheet: string): string {
  return stylesheet.replace(/(?<![\w.#]|\w-)(\d+(?:\.\d+)?|\.\d+)px\b/g, (written, number: string) => {
    const pixels = Number(number);
    return pixels < FINEST ? written : `${pixels / USUAL_TEXT}rem`;
  });
}
