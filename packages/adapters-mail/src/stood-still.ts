import { once } from 'node:events';
import { Readable } from 'node:stream';

/** Shorter than what is left of a claim at the least, while the process that holds it runs and renews it. */
const MAX_STILL_MS = 5_000;
const LOOK_EVERY_MS = 1_000;

/** Whether the process ran all the time since a mail was begun. */
export interface StillWatch {
  /** @throws Error when it stood still for so long that another process may have begun the same mail. */
  check(): void;
  stop(): void;
}

/**
 * A process that is frozen in the middle of a conversation, or whose machine sleeps, goes on with it when it wakes; by then
 * another process may have sent the mail. The monotonic clock does not count a machine's sleep, and the other one may be
 * set, so the longer of both counts: what is taken for a pause and was none costs one more try.
 */
export function watchStandingStill(): StillWatch {
  let seen = readClocks();
  let stoodStill = false;
  const look = (): void => {
    const now = readClocks();
    if (now.some((time, at) => time - (seen[at] ?? time) > MAX_STILL_MS)) stoodStill = true;
    seen = now;
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return {
    check: () => {
      look();
      if (stoodStill) throw new Error('The program stood still while it talked with the mail server');
    },
    stop: () => clearInterval(timer),
  };
}

function readClocks(): readonly number[] {
  return [performance.now(), Date.now()];
}

/** The part of nodemailer's message that gives its bytes. */
interface MessageSource {
  createReadStream(): Readable;
}

/**
 * Nodemailer asks for the first bytes of a message when the server is ready for them, the last moment at which a mail can
 * be called off: a message that never ends is dropped by its server.
 */
export function checkBeforeData(message: MessageSource, check: () => void): void {
  const create = message.createReadStream.bind(message);
  message.createReadStream = () => {
    let isAsked = false;
    return new Readable({
      read() {
        if (isAsked) return;
        isAsked = true;
        readChecked(create(), check).then(
          (whole) => {
            this.push(whole);
            this.push(null);
          },
          (error) => this.destroy(error),
        );
      },
    });
  };
}

/** In one piece: it comes in half a dozen, each of which would be a write to the socket of its own. */
async function readChecked(source: Readable, check: () => void): Promise<Buffer> {
  const pieces: Buffer[] = [];
  source.on('data', (piece: Buffer) => pieces.push(piece));
  await once(source, 'end');
  check();
  return Buffer.concat(pieces);
}
