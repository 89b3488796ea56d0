import { Readable } from 'node:stream';
import type SmtpPool from 'nodemailer/lib/smtp-pool';
import { formatEnvelope, formatMessage, type OutgoingMessage } from './format-message.ts';

type PooledMail = Parameters<SmtpPool['send']>[0];

/**
 * Sends a message over a pooled connection. The pool reads its bytes when the server is ready for them,
 * which is the last moment to cancel a mail: `check` throws then. The server discards a message that never
 * ends.
 * @returns the server's response
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
    // The pool uses only this part of the library's mail object.
    pool.send(mail as unknown as PooledMail, (error, info) =>
      error ? reject(error) : resolve(info?.response ?? ''),
    );
  });
}

/** A single chunk: more would each be a write to the socket. */
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
