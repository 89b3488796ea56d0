import type { FileStore } from '../ports/catalogue.ts';

/** Files in memory. The domain contains no cryptography, so the hash function is passed in. It returns 64 lower-case hex digits. */
export function createInMemoryFileStore(sha256: (bytes: Uint8Array) => string): FileStore {
  const files = new Map<string, Uint8Array>();
  const addressOf = (orgId: string, hash: string) => `${orgId}/${hash}`;
  return {
    async store(orgId, content) {
      const bytes = await readAll(content);
      const hash = sha256(bytes);
      files.set(addressOf(orgId, hash), files.get(addressOf(orgId, hash)) ?? bytes);
      return { size: bytes.length, sha256: hash };
    },
    async open(orgId, hash, range) {
      const bytes = files.get(addressOf(orgId, hash));
      // A copy, so that no reader can change the stored bytes.
      return bytes ? once(bytes.slice(range?.start ?? 0, range?.end ?? bytes.length)) : null;
    },
    async remove(orgId, hash) {
      files.delete(addressOf(orgId, hash));
    },
  };
}

async function readAll(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  // Copied, because a source may reuse its buffer.
  for await (const chunk of content) chunks.push(Uint8Array.from(chunk));
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}
