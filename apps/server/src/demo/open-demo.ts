import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  activateVersion,
  addVersionFile,
  createOrganisation,
  createProduct,
  createVersion,
  SHARED_PLATFORM,
  setIntegrationSecret,
  updateProduct,
} from '@handover/domain';
import { ids } from '../composition/composition.ts';
import type { RunningServer } from '../serve/run-server.ts';

/** The demo organisation, as the tour prints it. */
export interface Demo {
  readonly orgId: string;
  /** Absent in a demo that an earlier version made. */
  readonly ownerEmail?: string;
  readonly apiKey: string;
  readonly sku: string;
}

/**
 * The demo organisation of this data directory, created on the first start. It is recorded only once it is complete:
 * if a crash interrupts the creation, the partial one is left unused and a new one is created. Null: there are
 * organisations already, such as those of an import, and none is added to them.
 */
export async function openDemo(server: RunningServer): Promise<Demo | null> {
  const path = join(server.settings.dataDir, 'demo.json');
  const known = await readFile(path, 'utf8').catch(() => null);
  if (known !== null) return JSON.parse(known);
  if (await hasOthers(server)) return null;
  const demo = await createDemo(server);
  await writeFile(`${path}.new`, `${JSON.stringify(demo)}\n`, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
  return demo;
}

async function hasOthers({ composition }: RunningServer): Promise<boolean> {
  const { organisations } = composition.resolve('stores');
  const oldest = await organisations.list({ after: null, limit: 20 });
  return oldest.some(({ email }) => !DEMO_OWNER.test(email));
}

const DEMO_OWNER = /^demo-[0-9a-f]{6}@example\.com$/;

async function createDemo({ composition }: RunningServer): Promise<Demo> {
  const stores = composition.resolve('stores');
  const ports = {
    ...stores,
    clock: composition.resolve('clock'),
    ids,
    apiKeys: composition.resolve('apiKeys'),
    files: composition.resolve('files'),
    platforms: composition.resolve('platforms'),
  };
  const tag = randomBytes(3).toString('hex');
  const owner = { ownerEmail: `demo-${tag}@example.com`, ownerName: 'Jana Vogel' };
  const org = await createOrganisation(ports, { name: 'Lumen Audio', currency: 'EUR', ...owner });
  if (org.kind !== 'created') throw new Error(`The demo organisation could not be made: ${org.kind}.`);
  const orgId = org.organisation.id;
  for (const platform of ports.platforms.list()) {
    // All organisations share its secret.
    if (platform === SHARED_PLATFORM) continue;
    const secret = randomBytes(24).toString('hex');
    await setIntegrationSecret(ports, { orgId, platform, name: 'main', secret });
  }

  const sku = 'felt-piano';
  const description = 'A quiet upright, close to the felt.';
  const created = await createProduct(ports, orgId, { name: 'Felt Piano', slug: sku, description });
  if (created.kind !== 'created') throw new Error(`The demo product could not be made: ${created.kind}.`);
  const productId = created.product.id;
  const version = await createVersion(ports, orgId, productId, '1.0');
  if (version.kind !== 'created') throw new Error(`The demo version could not be made: ${version.kind}.`);
  for (const [name, bytes] of demoFiles()) {
    await addVersionFile(ports, { orgId, productId, versionId: version.version.id, name }, inOnePiece(bytes));
  }
  await activateVersion(ports, orgId, productId, version.version.id);
  await updateProduct(ports, orgId, productId, { status: 'published' });
  return { orgId, ownerEmail: org.owner.email, apiKey: org.apiKey, sku };
}

function demoFiles(): readonly (readonly [string, Uint8Array])[] {
  const readMe =
    'Felt Piano 1.0\n\nThis file and the note beside it came through Handover, from a signed order.\n';
  return [
    ['felt-piano-a3.wav', synthesiseNote(220, 2)],
    ['read-me.txt', new TextEncoder().encode(readMe)],
  ];
}

async function* inOnePiece(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

const SAMPLE_RATE = 44_100;
const HEADER_BYTES = 44;

/** A soft, decaying note as a WAV file (16 bit, mono): a real download that is free of rights. */
function synthesiseNote(hertz: number, seconds: number): Uint8Array {
  const count = SAMPLE_RATE * seconds;
  const file = new DataView(new ArrayBuffer(HEADER_BYTES + count * 2));
  writeHeader(file, count * 2);
  for (let at = 0; at < count; at += 1) {
    const time = at / SAMPLE_RATE;
    const attack = Math.min(1, time / 0.01);
    const sound = [1, 0.35, 0.12].reduce(
      (sum, loudness, overtone) =>
        sum +
        loudness * Math.exp(-time * (2 + overtone)) * Math.sin(2 * Math.PI * hertz * (overtone + 1) * time),
      0,
    );
    file.setInt16(HEADER_BYTES + at * 2, Math.round(sound * attack * 16_000), true);
  }
  return new Uint8Array(file.buffer);
}

function writeHeader(file: DataView, dataBytes: number): void {
  const writeText = (at: number, text: string) => {
    for (const [offset, character] of [...text].entries())
      file.setUint8(at + offset, character.charCodeAt(0));
  };
  writeText(0, 'RIFF');
  file.setUint32(4, HEADER_BYTES - 8 + dataBytes, true);
  writeText(8, 'WAVEfmt ');
  file.setUint32(16, 16, true);
  file.setUint16(20, 1, true);
  file.setUint16(22, 1, true);
  file.setUint32(24, SAMPLE_RATE, true);
  file.setUint32(28, SAMPLE_RATE * 2, true);
  file.setUint16(32, 2, true);
  file.setUint16(34, 16, true);
  writeText(36, 'data');
  file.setUint32(40, dataBytes, true);
}
