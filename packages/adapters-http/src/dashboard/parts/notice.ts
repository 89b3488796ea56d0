import { type Html, html } from '@handover/html';
import type { Tone } from './badge.ts';
import { alertIcon } from './icons.ts';

/** A notice about something that needs an action, with the button that fixes it. */
export function noticePanel({
  tone,
  icon,
  title,
  sentence,
  actions = [],
}: {
  readonly tone: Tone;
  readonly icon: Html;
  readonly title: string;
  readonly sentence: string;
  readonly actions?: readonly Html[];
}): Html {
  return html`<section class="notice" data-tone="${tone}"><span class="tile" data-tone="${tone}">${icon}</span><div><h2>${title}</h2><p>${sentence}</p></div>${actions.length > 0 ? html`<div class="notice-actions">${actions}</div>` : ''}</section>`;
}

/** Why something was not done, or cannot be shown, where no field of a form is wrong. */
export function problemAlert(sentence: string): Html {
  return html`<p class="alone-problem" role="alert">${alertIcon}<span>${sentence}</span></p>`;
}
