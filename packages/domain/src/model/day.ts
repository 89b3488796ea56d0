/** The beginning of a day such as `2026-03-31`, UTC; null if the text is none. */
export function readDay(text: string): Date | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const day = new Date(`${text}T00:00:00.000Z`);
  // The parser reads February 30 as March 2.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : null;
}
