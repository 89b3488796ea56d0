import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  activateVersion,
  addVersionFile,
  createOrganisation,
  createProduct,
  type Ids,
  type Organisation,
  type Product,
  reopenVersion,
  SHARED_PLATFORM,
  type Stores,
  setIntegrationSecret,
  updateProduct,
} from '@handover/domain';
import type { Parts } from '../composition/parts.ts';

/** The demo organisation, as the tour prints it. */
export interface Demo {
  readonly orgId: string;
  /** Absent in a demo that an earlier version made. */
  readonly ownerEmail?: string;
  readonly apiKey: string;
  readonly sku: string;
}

interface DemoPorts extends Stores, Pick<Parts, 'apiKeys' | 'clock' | 'files' | 'platforms'> {
  readonly ids: Ids;
}

/**
 * The demo organisation of this data directory, created on the first start. It is recorded once it is complete: where a
 * stop or a crash interrupted the creation, the next start completes it. Null: there are organisations already, such as
 * those of an import, and none is added to them.
 */
export async function openDemo(ports: DemoPorts, dataDir: string): Promise<Demo | null> {
  const path = join(dataDir, 'demo.json');
  const known = await readFile(path, 'utf8').catch(() => null);
  if (known !== null) return JSON.parse(known);
  const oldest = await ports.organisations.list({ after: null, limit: 20 });
  if (oldest.some(({ email }) => !DEMO_OWNER.test(email))) return null;
  const demo = await completeDemo(ports, (await findOwner(ports, oldest)) ?? (await createOwner(ports)));
  await writeFile(`${path}.new`, `${JSON.stringify(demo)}\n`, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
  return demo;
}

const DEMO_OWNER = /^demo-[0-9a-f]{6}@example\.com$/;

type Owner = Pick<Demo, 'orgId' | 'apiKey'> & { readonly ownerEmail: string };

/** Of a demo that was not completed: an organisation, its owner and the key are made in one step. */
async function findOwner(ports: DemoPorts, demos: readonly Organisation[]): Promise<Owner | null> {
  const [demo] = demos;
  const user = demo ? await ports.users.find({ email: demo.email }) : null;
  const key = user ? await ports.users.findKey(user.id) : null;
  return demo && key ? { orgId: demo.id, ownerEmail: demo.email, apiKey: ports.apiKeys.reveal(key) } : null;
}

async function createOwner(ports: DemoPorts): Promise<Owner> {
  const ownerEmail = `demo-${randomBytes(3).toString('hex')}@example.com`;
  const input = { name: 'Lumen Audio', currency: 'EUR', ownerEmail, ownerName: 'Jana Vogel' };
  const made = await createOrganisation(ports, input);
  if (made.kind !== 'created') throw new Error(`The demo organisation could not be made: ${made.kind}.`);
  return { orgId: made.organisation.id, ownerEmail, apiKey: made.apiKey };
}

/** Each step leaves what an earlier start has made. */
async function completeDemo(ports: DemoPorts, owner: Owner): Promise<Demo> {
  const { orgId } = owner;
  for (const platform of ports.platforms.list()) {
    // All organisations share its secret.
    if (platform === SHARED_PLATFORM) continue;
    const connected = await ports.connections.list(orgId, platform, ports.clock.now());
    if (connected?.length) continue;
    const secret = randomBytes(24).toString('hex');
    await setIntegrationSecret(ports, { orgId, platform, name: 'main', secret });
  }
  const product = await openProduct(ports, orgId);
  const version = await reopenVersion(ports, orgId, product.id, '1.0');
  if (version.kind === 'open') {
    const versionId = version.version.id;
    for (const [name, bytes] of demoFiles()) {
      await addVersionFile(ports, { orgId, productId: product.id, versionId, name }, inOnePiece(bytes));
    }
    await activateVersion(ports, orgId, product.id, versionId);
  }
  // One that was archived since stays archived.
  if (product.status === 'draft') await updateProduct(ports, orgId, product.id, { status: 'published' });
  return { ...owner, sku: product.slug };
}

async function openProduct(ports: DemoPorts, orgId: string): Promise<Product> {
  const slug = 'felt-piano';
  const description = 'A quiet upright, close to the felt.';
  const created = await createProduct(ports, orgId, { name: 'Felt Piano', slug, description });
  const product = created.kind === 'created' ? created.product : await ports.products.findBySlug(orgId, slug);
  if (!product) throw new Error(`The demo product could not be made: ${created.kind}.`);
  return product;
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
