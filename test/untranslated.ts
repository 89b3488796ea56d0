/** What stays as it is in every language. */
const NAMES = ['Handover', 'SHA-256', 'ana@example.com', 'Version'];

/**
 * The texts of a page that are the same in another language, except `data`: they were not translated. Texts are those
 * between tags and of `aria-label`.
 */
export function listUntranslated(
  english: string,
  translated: string,
  data: readonly string[],
): readonly string[] {
  const inEnglish = new Set(listTexts(english, data));
  return listTexts(translated, data).filter((text) => inEnglish.has(text));
}

function listTexts(page: string, data: readonly string[]): readonly string[] {
  const body = page.replace(/<style>.*?<\/style>/gs, '');
  const labels = [...body.matchAll(/aria-label="([^"]*)"/g)].map(([, label = '']) => label);
  return [...body.replace(/<[^>]*>/g, '\n').split('\n'), ...labels]
    .map((text) => [...data, ...NAMES].reduce((rest, known) => rest.replaceAll(known, ''), text))
    .map((text) => text.replace(/&[a-z#0-9]+;|https?:\S*|[\d\p{P}\p{Z}\p{S}\s]+/gu, ' ').trim())
    .filter((text) => /\p{L}{3,}/u.test(text));
}
