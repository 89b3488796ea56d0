/** A number as a sentence says it: a small one as a word, others in digits. `words` begin with that of zero. */
export function formatNumber(words: string, number: number): string {
  return words.split(' ')[number] ?? String(number);
}
