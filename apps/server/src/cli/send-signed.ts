import type { DeliveryListRow, DeliveryLog } from '@handover/domain';
import type { SignedRequest } from '@handover/platform-contract/testing';
import { postSigned, readDeliveryId } from '../composition/sample-orders.ts';
import type { OpenedCommand } from './run-command.ts';
import { CommandError } from './run-command.ts';
import { explainSilence, requireAddress } from './server-address.ts';

/** The outcome of one request. */
export interface SentRequest {
  readonly status: number;
  readonly answer: unknown;
  /** The entry of the webhook log, once it is completed or waiting; null if there is none. */
  readonly entry: DeliveryListRow | null;
}

/** Sends a request to the running server, and polls its entry in the webhook log until it is completed. */
export async function sendSigned(
  opened: OpenedCommand,
  address: { readonly orgId: string; readonly path: string },
  request: SignedRequest,
): Promise<SentRequest> {
  const serverUrl = requireAddress(opened.infrastructure.settings);
  const { status, answer } = await postSigned(serverUrl, address.path, request).catch((error) => {
    throw new CommandError(`${explainSilence(serverUrl, error)}, then send the order again.`);
  });
  if (status !== 200) throw new CommandError(`The server answered ${status}: ${JSON.stringify(answer)}`);
  const deliveryId = readDeliveryId(answer);
  const entry = deliveryId === null ? null : await follow(opened.ports.deliveries, address.orgId, deliveryId);
  return { status, answer, entry };
}

/** A worker mails the receipt within moments, if one runs and the mail server accepts it. */
const FOLLOW_FOR_MS = 10_000;
const LOOK_EVERY_MS = 100;

/** Several platforms get a response before the order is decided: the log has the outcome. */
async function follow(
  deliveries: DeliveryLog,
  orgId: string,
  deliveryId: string,
): Promise<DeliveryListRow | null> {
  const until = performance.now() + FOLLOW_FOR_MS;
  for (;;) {
    const entry = await deliveries.show(orgId, deliveryId);
    const waits = entry?.status === 'pending' && entry.reason === null;
    if (!waits || performance.now() > until) return entry;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
