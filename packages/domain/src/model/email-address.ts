/**
 * The address as typed, trimmed; null if no mail can be sent to it.
 *
 * Lenient in general, because platforms accept unusual addresses of real buyers. Strict where a mail header would break: no
 * blanks, control characters, brackets, quotes, commas or semicolons.
 */
export function readEmail(text: string | null): string | null {
  const email = text?.trim() ?? '';
  if (email.length > 254) return null;
  // Also in its normalized form: a full-width character could become a second @, or a comma.
  const normalized = normalizeEmail(email);
  return ADDRESS.test(email) && ADDRESS.test(normalized) && countDots(email) === countDots(normalized)
    ? email
    : null;
}

/**
 * The dots of the domain. Other characters whose normalized form has a dot, such as U+2024, are part of a name for mail servers: no
 * domain has it, but the address would be that of another person here.
 */
function countDots(email: string): number {
  return email.slice(email.lastIndexOf('@')).split(/[.\uff0e]/).length;
}

/**
 * Like `readEmail`, for an address that a person types: a domain without a dot, such as `ana@gmailcom`, is a mistake there. A
 * Japanese keyboard types a full-width dot.
 */
export function readTypedEmail(text: string): string | null {
  const email = readEmail(text);
  return email !== null && /[^@.]\.[^@.]+\.?$/.test(normalizeEmail(email)) ? email : null;
}

const ADDRESS = /^[^\s\p{C}@<>()[\]\\,;:"]+@[^\s\p{C}@<>()[\]\\,;:"]+$/u;

/** The form in which addresses are compared: two spellings of one address are one customer or user. */
export function normalizeEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase();
}

/**
 * Chooses whom to mail, of one buyer's names at several shops, the newest first. Any of the shops could divert or stop the mail
 * by another spelling of the address, such as one with full-width letters, so the usual spelling comes first.
 */
export function chooseRecipient<Customer extends { readonly email: string }>(
  customers: readonly Customer[],
): Customer | undefined {
  return customers.find(({ email }) => isSpelledAsUsual(email)) ?? customers[0];
}

/** Whether it is the normalized address but for capitals. */
function isSpelledAsUsual(email: string): boolean {
  return email.trim().toLowerCase() === normalizeEmail(email);
}

/** An address that only its owner recognises: a…@example.com. */
export function maskEmail(email: string): string {
  const [first = ''] = email;
  return `${first}…${email.slice(email.lastIndexOf('@'))}`;
}

/** The part before the @: the name of a person who gave none. */
export function localPart(email: string): string {
  return email.slice(0, email.lastIndexOf('@'));
}
