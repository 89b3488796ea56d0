import { type Html, html } from '@handover/html';

/** An address to write to, its subject already filled in. */
export function mailLink(email: string, subject: string): Html {
  const address = encodeURIComponent(email.toWellFormed()).replaceAll('%40', '@');
  const href = `mailto:${address}?subject=${encodeURIComponent(subject.toWellFormed())}`;
  return html`<a href="${href}">${email}</a>`;
}
