import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ReadableStream } from 'node:stream/web';

/** Encrypts and decrypts the files of an export. */
export interface Sealing {
  /** What is added to the names of encrypted files. */
  readonly suffix: '' | '.age';
  seal(content: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>>;
  /** Rejects, or ends with an error, when a byte was changed, moved, added or cut off. */
  open(content: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>>;
}

/** Leaves the files as they are. */
export const UNSEALED: Sealing = {
  suffix: '',
  seal: async (content) => content,
  open: async (content) => content,
};

/**
 * The format of age (https://age-encryption.org/v1), so that its own programs read an export as well. The passphrase
 * protects a key, which is new for each export, and the key every other file: deriving it takes a second on purpose.
 * `work`: the binary logarithm of scrypt's N. Less than the default is for tests alone.
 */
export async function createSealing(
  passphrase: string,
  work = 18,
): Promise<{ readonly sealing: Sealing; readonly key: Uint8Array }> {
  const { Encrypter, generateX25519Identity } = await import('age-encryption');
  const identity = await generateX25519Identity();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(work);
  return { sealing: await sealWith(identity), key: await encrypter.encrypt(`${identity}\n`) };
}

/** Null: it is another passphrase. */
export async function openSealing(key: Uint8Array, passphrase: string): Promise<Sealing | null> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  const identity = await decrypter.decrypt(key, 'text').catch(() => null);
  return identity === null ? null : sealWith(identity.trim());
}

async function sealWith(identity: string): Promise<Sealing> {
  const { Decrypter, Encrypter, identityToRecipient } = await import('age-encryption');
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(identity));
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return {
    suffix: '.age',
    seal: async (content) => encrypter.encrypt(toWeb(content)),
    open: async (content) => decrypter.decrypt(toWeb(content)),
  };
}

function toWeb(content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from(copyChunks(content));
}

/** A source may use its buffer again. */
async function* copyChunks(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const chunk of content) yield new Uint8Array(chunk);
}

export function readText(content: AsyncIterable<Uint8Array>): Promise<string> {
  return text(Readable.from(content, { objectMode: false }));
}
