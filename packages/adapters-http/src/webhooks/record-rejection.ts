import { alertOfRejection, normalizeEmail, type RejectedDelivery, readEmail } from '@handover/domain';
import {
  createRejectedReader,
  type InboundDelivery,
  keepCredential,
  type PlatformWebhook,
  readUnverified,
} from '@handover/platform-contract';
import type { HttpPorts } from '../http-ports.ts';
import { within } from '../system-timer.ts';

/**
 * Orders are a few kilobytes. Larger bodies are counted but not kept, so that junk cannot fill the
 * database.
 */
export const LARGEST_KEPT = 256 * 1024;
/** Per process: a flood of forged requests must leave connections to genuine ones. */
const WRITES_AT_ONCE = 4;
/** Fewer, so that slow writes of one organisation do not keep those of all others from being stored. */
const WRITES_OF_ONE_AT_ONCE = 3;
const WAIT_MS = 500;

export interface RejectedRequest {
  readonly orgId: string;
  readonly platform: PlatformWebhook;
  readonly inbound: InboundDelivery;
  readonly network: string;
  readonly reason: string;
  /** False: the request is counted with the next one that is kept. */
  readonly isKept: boolean;
}

type Ports = Pick<
  HttpPorts,
  'connections' | 'deliveries' | 'ids' | 'rejected' | 'secretFingerprints' | 'sourceFingerprints'
>;

type RecordRejection = (rejected: RejectedRequest) => Promise<{ readonly error: unknown } | null>;

/**
 * Counts refused requests and keeps those that may be delivered later. It never rejects and never waits for
 * long, so the sender's answer does not depend on it. Some raise an alert: see `alertOfRejection`. A request that it has no
 * time to write is counted with the next one.
 */
export function createRejectionRecorder(ports: Ports): RecordRejection {
  const uncounted = new Map<string, number>();
  const writingOf = new Map<string, number>();
  let writing = 0;
  const countWriting = (ofOne: string, more: 1 | -1) => {
    writing += more;
    const left = (writingOf.get(ofOne) ?? 0) + more;
    if (left === 0) writingOf.delete(ofOne);
    else writingOf.set(ofOne, left);
  };

  return async (request) => {
    const { orgId, platform } = request;
    // Lower case gives each organisation one key, so that the spelling of an id cannot make this map grow.
    const organisation = orgId.toLowerCase();
    const key = `${organisation} ${platform.label}`;
    const count = 1 + (uncounted.get(key) ?? 0);
    uncounted.set(key, count);
    const isBusy = writing >= WRITES_AT_ONCE || (writingOf.get(organisation) ?? 0) >= WRITES_OF_ONE_AT_ONCE;
    if (isBusy || !request.isKept) return null;
    uncounted.delete(key);
    countWriting(organisation, 1);
    const written = write(ports, request, count)
      .then(() => null)
      .catch((error: unknown) => {
        uncounted.set(key, count + (uncounted.get(key) ?? 0));
        return { error };
      })
      .finally(() => countWriting(organisation, -1));
    return within(WAIT_MS, written);
  };
}

async function write(ports: Ports, request: RejectedRequest, count: number): Promise<void> {
  const { orgId, platform, inbound, reason } = request;
  const kept = keep(ports, request);
  const alert = await findAlert(ports, request, kept);
  await ports.rejected.record({
    orgId,
    platform: platform.label,
    count,
    at: inbound.receivedAt,
    reason,
    kept,
    alert,
  });
}

async function findAlert(
  { connections, deliveries, secretFingerprints }: Ports,
  { platform }: RejectedRequest,
  kept: RejectedDelivery | null,
) {
  if (!kept) return null;
  const rejectedReader = createRejectedReader({ [platform.label]: platform }, secretFingerprints);
  return alertOfRejection({ connections, deliveries, rejectedReader }, kept);
}

function keep(
  ports: Ports,
  { orgId, platform, inbound, network, reason }: RejectedRequest,
): RejectedDelivery | null {
  if (inbound.body.length > LARGEST_KEPT) return null;
  const credential = keepCredential(platform, orgId, inbound, ports.secretFingerprints);
  if (!credential) return null;
  const { receivedAt, body: bytes } = inbound;
  return {
    id: ports.ids.next(),
    orgId,
    platform: platform.label,
    receivedAt,
    source: ports.sourceFingerprints.make(orgId, network),
    reason,
    bytes,
    ...credential,
    ...readOrder(platform, { bytes, headers: credential.headers }),
  };
}

/** Of a batch, none: it is needed as long as one of its orders is. */
function readOrder(
  platform: PlatformWebhook,
  kept: Pick<RejectedDelivery, 'bytes' | 'headers'>,
): Pick<RejectedDelivery, 'order'> {
  const [order, ...more] = readUnverified(platform, kept);
  const email = readEmail(order?.customer.email ?? null);
  if (!order || !email || more.length > 0) return {};
  const { orderId, orderNumber } = order;
  return { order: { orderId, orderNumber, normalizedEmail: normalizeEmail(email) } };
}
