// Messages of PostgreSQL's protocol: a letter, and the length of what follows with itself.
// https://www.postgresql.org/docs/current/protocol-message-formats.html

/** How often a client requests an answer, with Query or Sync. 0 for any other protocol. */
export function countRequests(bytes: Buffer): number {
  return countMessages(bytes, 'QS');
}

/** How often a server has answered, with ReadyForQuery. */
export function countAnswers(bytes: Buffer): number {
  return countMessages(bytes, 'Z');
}

const HEAD = 5;

function countMessages(bytes: Buffer, letters: string): number {
  let count = 0;
  let at = 0;
  while (at + HEAD <= bytes.length) {
    const length = bytes.readInt32BE(at + 1);
    if (length < HEAD - 1 || at + 1 + length > bytes.length) break;
    if (letters.includes(String.fromCharCode(bytes[at] ?? 0))) count += 1;
    at += 1 + length;
  }
  return count;
}
