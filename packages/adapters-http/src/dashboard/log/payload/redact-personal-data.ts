/** A displayed piece of a body: text, or personal data, which is hidden at first. */
export interface Piece {
  readonly kind: 'text' | 'personal';
  readonly text: string;
}

export function textPiece(text: string): Piece {
  return { kind: 'text', text };
}

/** Separates the e-mail addresses in a text from the rest. It reads only forwards and yields regularly. */
export function* redactPersonalData(text: string): Generator<Piece> {
  let from = 0;
  while (from < text.length) {
    let end = Math.min(text.length, from + PART);
    // An address never crosses a delimiter.
    while (end < text.length && !isDelimiter(text, end)) end += 1;
    yield* redactPart(text.slice(from, end));
    from = end;
  }
}

/** The number of characters per step. */
const PART = 16_000;

function* redactPart(text: string): Generator<Piece> {
  let from = 0;
  for (let at = findAtSign(text, from); at >= 0; at = findAtSign(text, from)) {
    let start = at;
    while (start > from && !isDelimiter(text, start - 1)) start -= 1;
    let end = at + 1;
    while (end < text.length && !isDelimiter(text, end)) end += 1;
    const word = text.slice(start, end);
    if (isEmail(word)) yield* [textPiece(text.slice(from, start)), { kind: 'personal', text: word }];
    else yield textPiece(text.slice(from, end));
    from = end;
  }
  yield textPiece(text.slice(from));
}

export function holdsEmail(text: string): boolean {
  for (const { kind } of redactPersonalData(text)) if (kind === 'personal') return true;
  return false;
}

/** `ofPerson`: whether the member belongs to an object that describes a person. */
export function isPersonalName(name: string, ofPerson: boolean): boolean {
  const bare = bareName(name);
  return ALWAYS.test(bare) || (ofPerson && OF_A_PERSON.test(bare));
}

/** Whether an object of this name describes a person: its `name` is then a person's name. */
export function isPersonObject(name: string): boolean {
  return PERSON.test(bareName(name));
}

/** Delimits an address on both sides. */
export function isDelimiter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 ? DELIMITERS[code] === 1 : /\s/.test(text.charAt(at));
}

const DELIMITERS = Uint8Array.from({ length: 128 }, (_, code) =>
  code <= 0x20 || '"\'<>&;,:=/'.includes(String.fromCharCode(code)) ? 1 : 0,
);

/** Plain, URL-encoded and JSON-escaped. */
const AT_SIGN = /@|%40|\\u0040/gi;

function findAtSign(text: string, from: number): number {
  AT_SIGN.lastIndex = from;
  return AT_SIGN.exec(text)?.index ?? -1;
}

/** A domain after the sign that ends in a top-level domain. */
function isEmail(word: string): boolean {
  const at = findAtSign(word, 0);
  return at >= 0 && /[^.]\.\p{L}{2}/u.test(word.slice(at + 1));
}

/** A name can be as long as a body. Its end is enough to decide. */
const MAX_NAME_LENGTH = 200;

function bareName(name: string): string {
  return name
    .slice(-MAX_NAME_LENGTH)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

const ALWAYS =
  /(?:e?mail|emailaddress|(?:first|last|full|middle|customer|buyer|billing|shipping|given|family|sur)name|phone|telephone|mobile|phonenumber|(?:address|street|addressline)\d?|postcode|postalcode|zip|zipcode|browserip|clientip|ipaddress|latitude|longitude)$/;
const OF_A_PERSON = /^(?:name|first|last|company|city|region|state|province|line[12]|note)$/;
const PERSON =
  /^(?:customer|buyer|contact|account|recipient|payer|individual|address|(?:customer|shipping|billing)(?:address|details)?|defaultaddress|billto|shipto)$/;
