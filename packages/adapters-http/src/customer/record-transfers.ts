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
import { takeFirst } from './take-first.ts';

/** How often the bytes of a transfer that goes on are told to the store. */
const SAVE_EVERY_MS = 1000;

/** Pauses before the further tries to tell the last of it: else a file would for ever seem not quite whole. */
const LAST_TRIES_MS = [1000, 5000, 20_000];

interface TransferPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sessions: DownloadSessions;
}

/** Whose download it is, and of what. */
export interface TransferOf {
  readonly orgId: string;
  readonly linkId: string;
  readonly file: Omit<SentBytes, 'ranges'>;
  readonly client: DownloadClient;
  /** The session that the request names. */
  readonly joining: string | null;
}

/** Passes content on that begins at `start` of the file, and notes that it is given. */
export type PassContent = (content: AsyncIterable<Uint8Array>, start: number) => AsyncIterable<Uint8Array>;

/** Records what goes out in the answers of this process. No transfer is slower or less sure for it. */
export interface TransferRecorder {
  begin(of: TransferOf, answer: ServerResponse, log: FastifyBaseLogger): PassContent;
  /** Resolves when the store was told what has gone out by now of the transfers of a link. */
  complete(linkId: string): Promise<void>;
  /** Resolves when the store was told all of the transfers that have ended, or would not hear it. Tries no further. */
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
          // Only now has it been taken: what nobody read was not given.
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
  /** Tells the store what has gone out and was not told. Never rejects; false: it could not be told. */
  save(): Promise<boolean>;
}

async function saveLast(transfer: Transfer, closing: AbortSignal): Promise<void> {
  for (const milliseconds of LAST_TRIES_MS) {
    if (await transfer.save()) return;
    // A process that closes tries once more at once.
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
  /** Given to the connection and not told to the store. */
  let untold: readonly ByteRange[] = [];
  /** Of those, how many bytes have left this process for certain. */
  let gone = 0;
  let isOut = false;
  answer.once('finish', () => {
    isOut = true;
  });
  let sessionId: string | null = null;
  let savedAt = Number.NEGATIVE_INFINITY;
  let isTold = false;
  let hasFailed = false;
  // One after the other, so that one transfer never begins two sessions.
  let saving: Promise<boolean> | null = null;
  /** Tells what was given last, should nothing more be given for a while. */
  let timer: NodeJS.Timeout | null = null;
  answer.once('close', () => timer && clearTimeout(timer));

  function noteGone(): void {
    const given = countBytes(untold);
    if (isOut) gone = given;
    // A connection that was broken off forgets what it had not sent yet, so what it says then is not asked.
    else if (!answer.destroyed && !answer.socket?.destroyed)
      gone = Math.max(gone, given - answer.writableLength);
  }

  async function saveOnce(): Promise<boolean> {
    noteGone();
    const isEmptyFile = file.size === 0 && isOut && !isTold;
    if (gone === 0 && !isEmptyFile) return true;
    const { first, rest } = takeFirst(untold, gone);
    untold = rest;
    gone = 0;
    const at = clock.now();
    savedAt = at.getTime();
    try {
      sessionId ??= await sessions.begin(orgId, linkId, { sessionId: ids.next(), joining, client, at });
      if (sessionId !== null) await sessions.addSent(orgId, sessionId, { ...file, ranges: first }, at);
      isTold = true;
      return true;
    } catch (error) {
      untold = [...first, ...untold].reduce<readonly ByteRange[]>(append, []);
      gone += countBytes(first);
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
      untold = append(untold, range);
      noteGone();
      if (gone > 0 && saving === null && clock.now().getTime() - savedAt >= SAVE_EVERY_MS) void save();
      timer ??= setTimeout(() => {
        timer = null;
        void save();
      }, SAVE_EVERY_MS).unref();
    },
    save,
  };
}

/** In one piece with the last where it goes on from there, or a slow store would make the list long. */
function append(ranges: readonly ByteRange[], range: ByteRange): readonly ByteRange[] {
  const last = ranges.at(-1);
  return last?.end === range.start
    ? [...ranges.slice(0, -1), { start: last.start, end: range.end }]
    : [...ranges, range];
}
