import type { DeliveryListRow, DeliveryLog } from '@handover/domain';
import type { SignedRequest } from '@handover/platform-contract/testing';
import { tokens } from '../composition.ts';
import type { OpenedCommand } from './run-command.ts';
import { CommandError } from './run-command.ts';

/** What became of one request. */
export interface SentRequest {
  readonly status: number;
  readonly answer: unknown;
  /** The entry of the webhook log, once it is settled or waits for something; null when there is none. */
  readonly entry: DeliveryListRow | null;
}

/** Sends a request to the running server, and follows it through the webhook log until it is settled. */
export async function sendSigned(
  opened: OpenedCommand,
  address: { readonly orgId: string; readonly path: string },
  request: SignedRequest,
): Promise<SentRequest> {
  const { status, answer } = await post(opened.foundation.serverUrl, address.path, request);
  if (status !== 200) throw new CommandError(`The server answered ${status}: ${JSON.stringify(answer)}`);
  const { deliveries } = opened.composition.resolve(tokens.stores);
  const deliveryId = readDeliveryId(answer);
  const entry = deliveryId === null ? null : await follow(deliveries, address.orgId, deliveryId);
  return { status, answer, entry };
}

async function post(
  serverUrl: string,
  path: string,
  { headers, body, query }: SignedRequest,
): Promise<{ readonly status: number; readonly answer: unknown }> {
  const url = new URL(`${serverUrl}${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const options = { method: 'POST', headers, body: Buffer.from(body), signal: AbortSignal.timeout(30_000) };
  const response = await fetch(url, options).catch(() => null);
  if (!response) {
    throw new CommandError(
      `No server answers at ${serverUrl}. Start it with npm start, then send the order again.`,
    );
  }
  return { status: response.status, answer: parseIfJson(await response.text()) };
}

function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readDeliveryId(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null || !('deliveryId' in answer)) return null;
  return typeof answer.deliveryId === 'string' ? answer.deliveryId : null;
}

/** A worker mails the receipt within a moment, if one runs and the mail server takes it. */
const FOLLOW_FOR_MS = 10_000;
const LOOK_EVERY_MS = 100;

/** Several platforms are answered before anything is decided: what became of the order stands in the log. */
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
