/** A whole number with its digits in threes: 8,412. */
export function groupDigits(whole: string): string {
  const start = whole.startsWith('-') ? 1 : 0;
  let grouped = '';
  for (let end = whole.length; end > start; end -= 3) {
    const three = whole.slice(Math.max(start, end - 3), end);
    grouped = grouped === '' ? three : `${three},${grouped}`;
  }
  return whole.slice(0, start) + grouped;
}
