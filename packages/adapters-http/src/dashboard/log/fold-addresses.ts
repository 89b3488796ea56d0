/** A piece of a shown body: text, or the place of something about a person. */
export type Piece = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'address' };

/**
 * Takes out of a body, as `maskSecrets` lays it out, what says who the buyer is and where they live: addresses of mail
 * and street, names, telephone numbers. What it belongs to stays: the names of members, and all that is not about a
 * person. It is for screens that others see too, and no promise about a text in no form that we know.
 */
export function foldAddresses(text: string): readonly Piece[] {
  const isJson = /^[{[]/.test(text) && /[}\]]$/.test(text);
  if (isJson) return join(foldJson(text));
  return join(isForm(text) ? foldForm(text) : foldAnything(text));
}

/** One pair on each line, decoded. */
export function layOutForm(text: string): string {
  return isForm(text) ? text.trim().split('&').map(decode).join('\n') : text;
}

const ADDRESS: Piece = { kind: 'address' };

/** One member or element on each line: that is how it was laid out. */
function foldJson(text: string): readonly Piece[] {
  const path: string[] = [];
  return text.split('\n').flatMap((line): readonly Piece[] => {
    const [, indent = '', name, value = '', comma = ''] =
      /^(\s*)(?:"((?:[^"\\]|\\.)*)": )?(.*?)(,?)$/.exec(line) ?? [];
    const depth = indent.length / 2;
    path.length = Math.min(path.length, depth);
    const key = name ?? path.at(-1) ?? '';
    if (value === '{' || value === '[') path[depth] = key;
    if (!holdsSomething(value) || !(isPersonal(key, path) || EMAIL.test(value))) return [plain(`${line}\n`)];
    return [plain(line.slice(0, line.length - value.length - comma.length)), ADDRESS, plain(`${comma}\n`)];
  });
}

function holdsSomething(value: string): boolean {
  return /^(?:".+"|-?\d.*)$/.test(value);
}

function isForm(text: string): boolean {
  return /^[^\s<>{}"]+=[^\s<>{}"]*$/.test(text.trim()) || /^[^\n=<>{}"]+=/.test(text);
}

function foldForm(text: string): readonly Piece[] {
  return layOutForm(text)
    .split('\n')
    .flatMap((line): readonly Piece[] => {
      const at = line.indexOf('=');
      const names = line
        .slice(0, at)
        .split(/[[\]]+/)
        .filter((name) => name !== '' && !/^\d+$/.test(name));
      const value = line.slice(at + 1);
      const isFolded = at > 0 && value !== '' && (isPersonal(names.at(-1) ?? '', names) || EMAIL.test(value));
      return isFolded ? [plain(line.slice(0, at + 1)), ADDRESS, plain('\n')] : [plain(`${line}\n`)];
    });
}

/** XML, broken JSON, or nobody knows what. */
function foldAnything(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(ANYTHING)) {
    const { before = '', element, member } = match.groups ?? {};
    const name = element ?? member;
    const value = match[0].slice(before.length);
    if (name !== undefined && !isPersonal(name, []) && !EMAIL.test(value)) continue;
    pieces.push(plain(text.slice(from, match.index + before.length)), ADDRESS);
    from = match.index + match[0].length;
  }
  return [...pieces, plain(text.slice(from))];
}

function isPersonal(name: string, within: readonly string[]): boolean {
  const bare = bareName(name);
  if (ALWAYS.test(bare)) return true;
  return OF_A_PERSON.test(bare) && within.some((outer) => outer !== name && PERSON.test(bareName(outer)));
}

function bareName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

const ALWAYS =
  /(?:e?mail|emailaddress|(?:first|last|full|middle|customer|buyer|billing|shipping|given|family|sur)name|phone|telephone|mobile|phonenumber|(?:address|street|addressline)\d?|postcode|postalcode|zip|zipcode|browserip|clientip|ipaddress|latitude|longitude)$/;
const OF_A_PERSON = /^(?:name|first|last|company|city|region|state|province|line[12]|note)$/;
const PERSON =
  /^(?:customer|buyer|contact|account|recipient|payer|individual|address|(?:customer|shipping|billing)(?:address|details)?|defaultaddress|billto|shipto)$/;

const EMAIL = /[^\s"'<>&;,:=/]+(?:@|%40|\\u0040)[^\s"'<>&;,:=/]+\.[a-z]{2,}/i;
/** An address, or what stands in an element or after a name. */
const ANYTHING = new RegExp(
  `${EMAIL.source}|(?<before><(?<element>[\\w:.-]{3,60})>)[^<]+|(?<before>"(?<member>\\w{3,60})":\\s{0,20}")[^"\\n]+`,
  'gi',
);

function decode(pair: string): string {
  try {
    // A line break within a value would be taken for the end of it.
    return decodeURIComponent(pair.replaceAll('+', ' ')).replaceAll(/[\r\n]+/g, ' ');
  } catch {
    return pair;
  }
}

function plain(text: string): Piece {
  return { kind: 'text', text };
}

/** Neighbouring texts as one, without the last line break. */
function join(pieces: readonly Piece[]): readonly Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece.kind === 'text' && last?.kind === 'text') {
      joined[joined.length - 1] = plain(last.text + piece.text);
    } else joined.push(piece);
  }
  const end = joined.at(-1);
  if (end?.kind === 'text') joined[joined.length - 1] = plain(end.text.replace(/\n$/, ''));
  return joined;
}
