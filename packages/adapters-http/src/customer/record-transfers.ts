import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ByteRange,
  type Clock,
  countBytes,
  type DownloadClient,
  type DownloadSessions,
  type Ids,
  type SentBytes,
} from '@handover/domain';
import type { FastifyBaseLogger } from 'fastify';
import { describeError } from '../requests/request-log.ts';

/** How often the progress of a running transfer is saved. */
const SAVE_EVERY_MS = 1000;

/** Delays before the retries of the last save: without it a file would seem incomplete for ever. */
const LAST_TRIES_MS = [1000, 5000, 20_000];

interface TransferPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sessions: DownloadSessions;
}

/** The organisation, link and file of a download. */
export interface TransferOf {
  readonly orgId: string;
  readonly linkId: string;
  readonly file: Omit<SentBytes, 'ranges'>;
  readonly client: DownloadClient;
  /** The session named by the request. */
  readonly joining: string | null;
}

/** Passes on content that begins at offset `start` of the file, and counts its bytes as sent. */
export type PassContent = (content: AsyncIterable<Uint8Array>, start: number) => AsyncIterable<Uint8Array>;

/** Records the bytes that this process sends. A failure to record never slows or breaks a transfer. */
export interface TransferRecorder {
  begin(of: TransferOf, answer: ServerResponse, log: FastifyBaseLogger): PassContent;
  /** Resolves when the store has the current progress of a link's transfers. */
  complete(linkId: string): Promise<void>;
  /**
   * Resolves when the store has all progress of the ended transfers, or refused it. Cancels further
   * retries.
   */
  idle(): Promise<void>;
}

export function createTransferRecorder(ports: TransferPorts): TransferRecorder {
  const running = new Map<string, Set<Transfer>>();
  const ending = new Set<Promise<void>>();

  const closing = new AbortController();

  function end(transfer: Transfer, linkId: string): void {
    const saved = saveLast(transfer, closing.signal).finally(() => {
      ending.delete(saved);
      const others = running.get(linkId);
      others?.delete(transfer);
      if (others?.size === 0) running.delete(linkId);
    });
    ending.add(saved);
  }

  return {
    begin(of, answer, log) {
      const transfer = recordTransfer(ports, of, answer, log);
      const others = running.get(of.linkId) ?? new Set();
      running.set(of.linkId, others.add(transfer));
      answer.once('close', () => end(transfer, of.linkId));
      return async function* (content, start) {
        let at = start;
        for await (const chunk of content) {
          yield chunk;
          // The next chunk was requested, so this one was sent: unread content does not count.
          transfer.give({ start: at, end: at + chunk.length });
          at += chunk.length;
        }
      };
    },
    complete: async (linkId) => {
      await Promise.all([...(running.get(linkId) ?? [])].map((transfer) => transfer.save()));
    },
    idle: async () => {
      closing.abort();
      await Promise.all(ending);
    },
  };
}

interface Transfer {
  give(range: ByteRange): void;
  /** Saves progress that is not saved yet. Never rejects; false: the save failed. */
  save(): Promise<boolean>;
}

async function saveLast(transfer: Transfer, closing: AbortSignal): Promise<void> {
  for (const milliseconds of LAST_TRIES_MS) {
    if (await transfer.save()) return;
    // A process that shuts down retries at once.
    await pause(milliseconds, undefined, { signal: closing, ref: false }).catch(() => undefined);
  }
  await transfer.save();
}

function recordTransfer(
  { clock, ids, sessions }: TransferPorts,
  { orgId, linkId, file, client, joining }: TransferOf,
  answer: ServerResponse,
  log: FastifyBaseLogger,
): Transfer {
  const unsaved = trackUnsaved(answer);
  let sessionId: string | null = null;
  let savedAt = Number.NEGATIVE_INFINITY;
  let isTold = false;
  let hasFailed = false;
  // Saves run one at a time, so that one transfer never starts two sessions.
  let saving: Promise<boolean> | null = null;
  /** Saves the latest progress if no more bytes follow for a while. */
  let timer: NodeJS.Timeout | null = null;
  answer.once('close', () => timer && clearTimeout(timer));

  async function saveOnce(): Promise<boolean> {
    const ranges = unsaved.take();
    const isEmptyFile = file.size === 0 && unsaved.isOut() && !isTold;
    if (ranges.length === 0 && !isEmptyFile) return true;
    const at = clock.now();
    savedAt = at.getTime();
    try {
      sessionId ??= await sessions.begin(orgId, linkId, { sessionId: ids.next(), joining, client, at });
      if (sessionId !== null) await sessions.addSent(orgId, sessionId, { ...file, ranges }, at);
      isTold = true;
      return true;
    } catch (error) {
      unsaved.putBack(ranges);
      if (!hasFailed) log.warn({ orgId, err: describeError(error) }, 'download session not recorded');
      hasFailed = true;
      return false;
    }
  }

  function save(): Promise<boolean> {
    const saved = (saving ?? Promise.resolve(true)).then(saveOnce).finally(() => {
      if (saving === saved) saving = null;
    });
    saving = saved;
    return saved;
  }

  return {
    give(range) {
      unsaved.give(range);
      const isDue = clock.now().getTime() - savedAt >= SAVE_EVERY_MS;
      if (unsaved.hasGone() && saving === null && isDue) void save();
      timer ??= setTimeout(() => {
        timer = null;
        void save();
      }, SAVE_EVERY_MS).unref();
    },
    save,
  };
}

/** What was sent to the connection and is not saved yet. */
function trackUnsaved(answer: ServerResponse) {
  let untold: readonly ByteRange[] = [];
  /** How many of those bytes have certainly left this process. */
  let gone = 0;
  let isOut = false;
  answer.once('finish', () => {
    isOut = true;
  });

  function markGone(): void {
    const given = countBytes(untold);
    if (isOut) gone = given;
    // A destroyed socket no longer counts its unsent bytes, so its counter is not read.
    else if (!answer.destroyed && !answer.socket?.destroyed)
      gone = Math.max(gone, given - answer.writableLength);
  }

  return {
    isOut: () => isOut,
    hasGone: () => gone > 0,
    give: (range: ByteRange): void => {
      untold = append(untold, range);
      markGone();
    },
    /** Takes the bytes that have left, to save them. */
    take: (): readonly ByteRange[] => {
      markGone();
      const { first, rest } = takeFirst(untold, gone);
      untold = rest;
      gone = 0;
      return first;
    },
    /** Takes back what could not be saved. */
    putBack: (ranges: readonly ByteRange[]): void => {
      untold = [...ranges, ...untold].reduce<readonly ByteRange[]>(append, []);
      gone += countBytes(ranges);
    },
  };
}

/** Merges adjacent ranges, so that the list stays short when the store is slow. */
function append(ranges: readonly ByteRange[], range: ByteRange): readonly ByteRange[] {
  const last = ranges.at(-1);
  return last?.end === range.start
    ? [...ranges.slice(0, -1), { start: last.start, end: range.end }]
    : [...ranges, range];
}

/** Splits ranges, in order, into the first `bytes` bytes and the rest. */
export function takeFirst(
  ranges: readonly ByteRange[],
  bytes: number,
): { readonly first: readonly ByteRange[]; readonly rest: readonly ByteRange[] } {
  const first: ByteRange[] = [];
  const rest: ByteRange[] = [];
  let left = bytes;
  for (const { start, end } of ranges) {
    const cut = Math.min(end, start + left);
    left -= cut - start;
    if (start < cut) first.push({ start, end: cut });
    if (cut < end) rest.push({ start: cut, end });
  }
  return { first, rest };
}
