import { type Html, html } from '@handover/html';

/** The address of a link that writes a mail. The @ stays as it is: some mail programs address nobody otherwise. */
export function mailto(email: string, subject: string | null = null): string {
  const address = `mailto:${encode(email).replaceAll('%40', '@')}`;
  return subject === null ? address : `${address}?subject=${encode(subject)}`;
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** A mailto link with its subject filled in. */
export function mailLink(email: string, subject: string): Html {
  return html`<a href="${mailto(email, subject)}">${email}</a>`;
}
