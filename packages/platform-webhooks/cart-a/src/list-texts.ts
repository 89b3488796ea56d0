import { MAX_LINES, splitNames } from '@handover/platform-contract';

/**
 * The texts of a list, however the sender spells one: as a list; as an object, which is what PHP makes of a list with a
 * gap; as either of them in JSON within a form; or with commas.
 */
export function listTexts(value: unknown): readonly string[] {
  const list = typeof value === 'string' ? parseList(value) : value;
  if (typeof list !== 'object' || list === null) return splitNames(typeof value === 'string' ? value : '');
  const items = Object.values(list).slice(0, MAX_LINES + 1);
  return items.flatMap((item) => (typeof item === 'string' ? item.trim() || [] : []));
}

/** Whether there is a list with something in it, be it in no form that we can read. */
export function isGivenList(value: unknown): boolean {
  const list = typeof value === 'string' ? (parseList(value) ?? value) : value;
  if (typeof list === 'object' && list !== null) return Object.keys(list).length > 0;
  return typeof list === 'string' && list !== '' && list !== 'null';
}

function parseList(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
