import type { Clock, DownloadSessions, Ids } from '@handover/domain';
import type { FastifyBaseLogger } from 'fastify';
import { describeError } from '../requests/request-log.ts';

/** How often the bytes of a transfer that goes on are told to the store. */
const SAVE_EVERY_MS = 5000;

interface SessionPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sessions: DownloadSessions;
}

export interface SessionRecorder {
  /** Passes the content of a file on, and records that it went out. Never slower or less surely for that. */
  record(
    content: AsyncIterable<Uint8Array>,
    link: { readonly orgId: string; readonly linkId: string },
    log: FastifyBaseLogger,
  ): AsyncIterable<Uint8Array>;
  /** Resolves when nothing is left to be saved of the transfers that have ended. */
  idle(): Promise<void>;
}

export function createSessionRecorder(ports: SessionPorts): SessionRecorder {
  const ending = new Set<Promise<void>>();
  return {
    async *record(content, link, log) {
      const session = openSession(ports, link, log);
      try {
        for await (const chunk of content) {
          yield chunk;
          // Only now has it been taken: what nobody read did not go out.
          session.add(chunk.length);
        }
      } finally {
        const saved = session.end();
        ending.add(saved);
        saved.finally(() => ending.delete(saved));
      }
    },
    idle: async () => {
      await Promise.all(ending);
    },
  };
}

function openSession(
  { clock, ids, sessions }: SessionPorts,
  { orgId, linkId }: { readonly orgId: string; readonly linkId: string },
  log: FastifyBaseLogger,
) {
  let sessionId: string | null = null;
  let unsaved = 0;
  let savedAt: number | null = null;
  let told = false;
  // One after the other, so that one transfer never begins two sessions.
  let saving = Promise.resolve();

  async function save(): Promise<void> {
    const bytes = unsaved;
    if (bytes === 0) return;
    unsaved = 0;
    try {
      const at = clock.now();
      sessionId ??= await sessions.begin(orgId, linkId, ids.next(), at);
      if (sessionId !== null) await sessions.addBytes(orgId, sessionId, bytes, at);
    } catch (error) {
      unsaved += bytes;
      if (!told) log.warn({ orgId, err: describeError(error) }, 'download session not recorded');
      told = true;
    }
  }

  return {
    add(bytes: number): void {
      unsaved += bytes;
      const now = clock.now().getTime();
      if (savedAt !== null && now - savedAt < SAVE_EVERY_MS) return;
      savedAt = now;
      saving = saving.then(save);
    },
    end(): Promise<void> {
      saving = saving.then(save);
      return saving;
    },
  };
}
