import { Readable } from 'node:stream';
import type SmtpPool from 'nodemailer/lib/smtp-pool';
import { formatEnvelope, formatMessage, type OutgoingMessage } from './format-message.ts';

type PooledMail = Parameters<SmtpPool['send']>[0];

/**
 * Sends a message over one of the pool's connections. The pool asks for its bytes when the server is ready for them, the last
 * moment at which a mail can be called off: `check` throws then. A message that never ends is dropped by its server.
 * @returns what the server said
 */
export function handOver(
  pool: SmtpPool,
  message: OutgoingMessage,
  signal: AbortSignal,
  check: () => void,
): Promise<string> {
  const bytes = formatMessage(message, new Date());
  const envelope = formatEnvelope(message);
  const mail = {
    data: { signal },
    message: {
      getEnvelope: () => envelope,
      messageId: () => message.messageId,
      getHeader: () => message.messageId,
      createReadStream: () => readChecked(bytes, check),
    },
  };
  return new Promise((resolve, reject) => {
    // Of what the library makes of a mail, its pool uses only this.
    pool.send(mail as unknown as PooledMail, (error, info) =>
      error ? reject(error) : resolve(info?.response ?? ''),
    );
  });
}

/** In one piece: each would be a write to the socket of its own. */
function readChecked(bytes: Buffer, check: () => void): Readable {
  return new Readable({
    read() {
      try {
        check();
        this.push(bytes);
        this.push(null);
      } catch (error) {
        this.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
}
