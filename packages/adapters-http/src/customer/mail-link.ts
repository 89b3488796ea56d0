import { type Html, html } from '@handover/html';

/** A mailto link with its subject filled in. */
export function mailLink(email: string, subject: string): Html {
  const address = encodeURIComponent(email.toWellFormed()).replaceAll('%40', '@');
  const href = `mailto:${address}?subject=${encodeURIComponent(subject.toWellFormed())}`;
  return html`<a href="${href}">${email}</a>`;
}
