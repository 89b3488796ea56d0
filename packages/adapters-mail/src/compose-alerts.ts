import type { AlertMail, MailAnswer } from '@handover/domain';
import { readEmail } from '@handover/domain';
import { alertHtml } from './alert/alert-html.ts';
import { alertText } from './alert/alert-text.ts';
import { alertWords } from './alert/alert-words.ts';
import type { OutgoingMessage } from './format-message.ts';
import { frameMessage } from './frame-message.ts';
import type { Sender } from './sender.ts';

/** The whole message, or null when none of its addresses can receive mail. */
export function composeAlerts(mail: AlertMail, sender: Sender): OutgoingMessage | null {
  const to = mail.to.flatMap((address) => readEmail(address) ?? []);
  if (to.length === 0) return null;
  const words = alertWords(mail);
  return {
    subject: words.subject,
    html: String(alertHtml(words)),
    text: alertText(words),
    ...frameMessage({ kind: 'alert', id: mail.mailId, to, sender }),
    // Sent in the service's own name: nobody reads replies, and buyers never get this mail.
    from: { name: 'Handover', address: sender.address },
    to: to.map((address) => ({ name: '', address })),
  };
}

/** The answer when no address is left to ask a mail server about. */
export function refuseAddresses(): MailAnswer {
  return { kind: 'refused', answer: 'There is no address that alerts can be mailed to.' };
}
