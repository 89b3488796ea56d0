/** Reads a setting by its name; null: it is not set. */
export type Get = (name: string) => string | null;

/** Reports a problem of a setting: a phrase to follow its name. */
export type Complain = (name: string, problem: string) => void;

export interface Bounds<Usual extends number | null> {
  readonly least: number;
  readonly most: number;
  /** Where it is not set. */
  readonly usual: Usual;
  /** What is counted, such as ` of seconds`. */
  readonly unit?: string;
  /** Where the least comes from, if it is not always the same. */
  readonly whence?: string;
}

export function readWholeNumber<Usual extends number | null>(
  name: string,
  text: string | null,
  { least, most, usual, unit = '', whence = '' }: Bounds<Usual>,
  complain: Complain,
): number | Usual {
  if (text === null) return usual;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  complain(name, `must be a number${unit} from ${least}${whence} to ${most}, not “${text}”`);
  return usual;
}

/** What a list has between its commas; nothing where the setting is not set. */
export function splitList(text: string | null): readonly string[] {
  return text?.split(',').map((item) => item.trim()) ?? [];
}

export function trimEndingSlashes(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '/') end -= 1;
  return text.slice(0, end);
}
