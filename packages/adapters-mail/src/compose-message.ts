import type { MailAnswer } from '@handover/domain';
import { readEmail } from '@handover/domain';
import type { OutgoingMessage } from './format-message.ts';
import { frameMessage } from './frame-message.ts';
import { oneLine } from './one-line.ts';
import type { RenderedMail } from './receipt/render-receipt.ts';
import type { Sender } from './sender.ts';

const MAX_NAME_LENGTH = 100;

/** The sender, the recipient and the identity of a mail. */
export interface Envelope {
  /** The kind of mail: the word before its id in the Message-ID. */
  readonly subjectMatter: 'receipt' | 'links' | 'sign-in' | 'invitation';
  readonly id: string;
  readonly from: string;
  readonly to: { readonly email: string; readonly name: string };
  readonly replyTo: string | null;
}

/** The whole message, or null when the recipient's address cannot receive mail. */
export function composeMessage(
  rendered: RenderedMail,
  envelope: Envelope,
  sender: Sender,
): OutgoingMessage | null {
  const to = readEmail(envelope.to.email);
  if (to === null) return null;
  const replyTo = readEmail(envelope.replyTo);
  const from = oneLine(envelope.from, MAX_NAME_LENGTH);
  return {
    ...rendered,
    from: { name: from, address: sender.address },
    to: [{ name: oneLine(envelope.to.name, MAX_NAME_LENGTH), address: to }],
    ...(replyTo && { replyTo: { name: from, address: replyTo } }),
    ...frameMessage({ kind: envelope.subjectMatter, id: envelope.id, to: [to], sender }),
  };
}

/** The answer for an address that no mail server is asked about. */
export function refuseAddress(email: string): MailAnswer {
  const address = oneLine(email, MAX_NAME_LENGTH);
  return { kind: 'refused', answer: `No mail can be sent to the address “${address}”.` };
}
