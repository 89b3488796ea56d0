import type { OutgoingMessage } from './format-message.ts';
import { oneLine } from './one-line.ts';
import type { Sender } from './sender.ts';

/** The headers and addresses that every mail has. */
export function frameMessage({
  kind,
  id,
  to,
  sender,
  locale = 'en-GB',
}: {
  readonly kind: 'receipt' | 'links' | 'sign-in' | 'new-device' | 'invitation' | 'alert';
  readonly id: string;
  readonly to: readonly string[];
  readonly sender: Sender;
  readonly locale?: string;
}): Pick<OutgoingMessage, 'envelope' | 'messageId' | 'headers'> {
  return {
    envelope: { from: sender.address, to: [...to] },
    messageId: messageIdOf(kind, id, sender),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
      // Keeps Gmail from threading two orders of one buyer into one conversation.
      'X-Entity-Ref-ID': oneLine(id, 100),
      'Content-Language': locale,
    },
  };
}

/** Each attempt of a mail has the same id, so that a duplicate can be recognised. */
function messageIdOf(kind: string, id: string, sender: Sender): string {
  const local = id.replace(/[^A-Za-z0-9-]/g, (character) => `=${character.charCodeAt(0).toString(16)}`);
  return `<${kind}-${local}@${sender.domain}>`;
}
