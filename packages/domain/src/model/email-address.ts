/**
 * The address as typed, trimmed, or null when no mail could be sent to it.
 *
 * Deliberately lenient inside (platforms let odd addresses through, and a buyer's odd address is still the
 * buyer's), strict where a mail header would break: no blanks, controls, brackets, quotes, commas or semicolons.
 */
export function readEmail(text: string | null): string | null {
  const email = text?.trim() ?? '';
  if (email.length > 254) return null;
  // Also in its normalized form: a full-width sign could become a second @, or a comma.
  return ADDRESS.test(email) && ADDRESS.test(normalizeEmail(email)) ? email : null;
}

/**
 * As `readEmail`, of what a person types: a domain without a dot between two of its parts is a slip there, such as
 * `ana@gmailcom`. A Japanese keyboard types a full-width dot.
 */
export function readTypedEmail(text: string): string | null {
  const email = readEmail(text);
  return email !== null && /[^@.]\.[^@.]+\.?$/.test(normalizeEmail(email)) ? email : null;
}

const ADDRESS = /^[^\s\p{C}@<>()[\]\\,;:"]+@[^\s\p{C}@<>()[\]\\,;:"]+$/u;

/** Identity of a customer within an organisation: two spellings of one address are one person. */
export function normalizeEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase();
}

/** Enough of an address for its owner to know it by, and too little for anyone else: a…@example.com. */
export function maskEmail(email: string): string {
  const [first = ''] = email;
  return `${first}…${email.slice(email.lastIndexOf('@'))}`;
}

/** What we call a person who gave no name. */
export function localPart(email: string): string {
  return email.slice(0, email.lastIndexOf('@'));
}
