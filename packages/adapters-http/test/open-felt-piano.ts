import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FileStore, ProductFile } from '@handover/domain';
import { listen } from './over-the-wire.ts';
import { type Sale, sellPads } from './sell-pads.ts';

/** A file that is let out in parts: so many bytes at once, and the rest when the test says so. */
interface HeldFile extends ProductFile {
  readonly content: Buffer;
  /** How many of its bytes may go out. */
  allowed: number;
  /** Its source fails once they have. */
  breaks: boolean;
}

export interface FeltPiano extends Sale {
  /** The address of the download page. */
  readonly address: string;
  readonly origin: string;
  readonly files: Readonly<Record<'win' | 'mac' | 'manual', HeldFile>>;
}

/** A shop that sold a product of three files, behind an app that listens. */
export async function openFeltPiano({ newerVersion = null as string | null } = {}): Promise<FeltPiano> {
  const files = {
    win: holdFile('felt-piano-2.1-win.zip', 3_100_000),
    mac: holdFile('felt-piano-2.1-mac.zip', 3_200_000),
    manual: holdFile('felt-piano-manual.pdf', 64_000),
  };
  const held = Object.values(files);
  const startedAt = Date.now();
  const sale = await sellPads(
    (page) => ({
      ...page,
      productName: 'Felt Piano',
      organisation: { name: 'Lumen Audio', email: 'help@lumen.audio', language: 'en' as const },
      orderNumber: '#1186',
      version: { label: '2.1', files: held.map(({ name, size, sha256 }) => ({ name, size, sha256 })) },
      newerVersion,
    }),
    (ports) => ({
      files: holdBack(ports.files, held),
      // Begins when the sale does, and goes on with the browser's.
      clock: { now: () => new Date(ports.clock.now().getTime() + Date.now() - startedAt) },
    }),
  );
  const origin = `http://127.0.0.1:${await listen(sale.app)}`;
  return { ...sale, files, origin, address: `${origin}/d/${sale.token}` };
}

function holdFile(name: string, size: number): HeldFile {
  const content = Buffer.alloc(size, name);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { name, size, sha256, content, allowed: size, breaks: false };
}

function holdBack(files: FileStore, held: readonly HeldFile[]): FileStore {
  return {
    ...files,
    open: async (orgId, sha256, range) => {
      const file = held.find((one) => one.sha256 === sha256);
      if (!file) return files.open(orgId, sha256, range);
      return letOut(file, range?.start ?? 0, range?.end ?? file.size);
    },
  };
}

async function* letOut(file: HeldFile, start: number, end: number): AsyncIterable<Uint8Array> {
  let at = start;
  while (at < end) {
    const next = Math.min(at + 16_384, end, file.allowed);
    if (next > at) {
      yield file.content.subarray(at, next);
      at = next;
      continue;
    }
    if (file.breaks) throw new Error('The disk is gone.');
    // Held back it trickles, as over a bad line, until the test lets out more.
    for (let waited = 0; waited < 25 && at >= file.allowed; waited += 1) await pause(10);
    if (at >= file.allowed) file.allowed = at + 1;
  }
}
