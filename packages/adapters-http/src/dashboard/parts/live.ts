import { type Html, html } from '@handover/html';
import { linkButton } from './button.ts';
import { refreshIcon } from './icons.ts';

/** Beside a list that refreshes by itself: that it does, and the button that stops it. Without a script a link asks again. */
export function liveMark(listId: string, reloadHref: string): Html {
  return html`<div class="live-mark"><span class="live-words" data-live-words>Live</span><button class="btn" type="button" data-variant="outline" data-size="sm" data-pause="#${listId}" aria-pressed="false">Pause</button></div>
<noscript>${linkButton(reloadHref, { words: 'Reload', icon: refreshIcon, small: true })}</noscript>`;
}
