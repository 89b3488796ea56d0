import type { SignedRequest } from '@handover/platform-contract/testing';

/** Posts a request as a platform would; null when no server answers. */
export async function postSigned(
  serverUrl: string,
  path: string,
  { headers, body, query }: SignedRequest,
): Promise<{ readonly status: number; readonly answer: unknown } | null> {
  const url = new URL(`${serverUrl}${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const options = { method: 'POST', headers, body: Buffer.from(body), signal: AbortSignal.timeout(30_000) };
  const response = await fetch(url, options).catch(() => null);
  return response && { status: response.status, answer: parseIfJson(await response.text()) };
}

export function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function readDeliveryId(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null || !('deliveryId' in answer)) return null;
  return typeof answer.deliveryId === 'string' ? answer.deliveryId : null;
}
