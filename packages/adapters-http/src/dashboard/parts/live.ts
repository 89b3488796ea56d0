import { type Html, html } from '@handover/html';
import { linkButton } from './button.ts';
import { refreshIcon } from './icons.ts';

/**
 * Shows that the list beside it refreshes itself, with a button that pauses it. Without a script there is a
 * reload link.
 */
export function liveMark(listId: string, reloadHref: string): Html {
  return html`<div class="live-mark"><span class="live-words" data-live-words>Live</span><button class="btn" type="button" data-variant="outline" data-size="sm" data-pause="#${listId}" aria-pressed="false">Pause</button></div>
<noscript>${linkButton(reloadHref, { words: 'Reload', icon: refreshIcon, small: true })}</noscript>`;
}
