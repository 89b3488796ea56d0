/** Words of ASCII with one space between them, as nearly all are, stay as they are. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/**
 * Sanitizes foreign text for a header or a sentence: one line, no control characters, no bidirectional
 * overrides, and truncated to a maximum length.
 */
export function oneLine(text: string, maxLength: number): string {
  if (text.length <= maxLength && PLAIN.test(text)) return text;
  const line = text
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/ {2,}/g, ' ')
    .trim();
  const characters = [...line];
  if (characters.length <= maxLength) return line;
  return `${characters
    .slice(0, maxLength - 1)
    .join('')
    .trimEnd()}…`;
}
