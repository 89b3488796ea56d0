import { type ApiKeyFacts, isUseDue } from '@handover/domain';
import type { FastifyBaseLogger } from 'fastify';
import type { HttpPorts } from '../http-ports.ts';

type Ports = Pick<HttpPorts, 'clock' | 'userKeys'>;

/**
 * Records that a key was used, after the request at hand: no request waits for it. Uses of the same moment are written
 * in one statement, and the use of a key at most once a minute.
 */
export function recordKeyUse(ports: Ports, key: ApiKeyFacts, log: FastifyBaseLogger): void {
  const now = ports.clock.now();
  const recorder = recorderOf(ports);
  const lastUsedAt = recorder.recorded.get(key.hash) ?? key.lastUsedAt;
  if (!isUseDue({ lastUsedAt }, now)) return;
  recorder.recorded.set(key.hash, now);
  if (recorder.due.size === 0) setImmediate(() => void write(ports, recorder, now, log));
  recorder.due.add(key.hash);
}

interface Recorder {
  /** What this process wrote lately: a request in the same moment may have read the key before. */
  readonly recorded: Map<string, Date>;
  readonly due: Set<string>;
}

const recorders = new WeakMap<Ports['userKeys'], Recorder>();

function recorderOf({ userKeys }: Ports): Recorder {
  const recorder = recorders.get(userKeys) ?? { recorded: new Map(), due: new Set() };
  recorders.set(userKeys, recorder);
  return recorder;
}

async function write(ports: Ports, { recorded, due }: Recorder, now: Date, log: FastifyBaseLogger) {
  const hashes = [...due];
  due.clear();
  for (const [hash, lastUsedAt] of recorded) if (isUseDue({ lastUsedAt }, now)) recorded.delete(hash);
  try {
    await ports.userKeys.recordUses(hashes, now);
  } catch (error) {
    log.warn({ error }, 'The last use of API keys could not be recorded.');
  }
}
