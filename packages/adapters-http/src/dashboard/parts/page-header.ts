import { type Html, type HtmlValue, html } from '@handover/html';
import { backIcon, moreIcon } from './icons.ts';

/** The head of a page: back link, title, and at most two buttons and a menu. */
export function pageHeader({
  title,
  badge = null,
  back = null,
  meta = [],
  actions = [],
  more = [],
}: {
  readonly title: string;
  /** Shown beside the title. */
  readonly badge?: Html | null;
  /** On detail pages: the list to go back to. */
  readonly back?: { readonly href: string; readonly words: string } | null;
  /** Separated by middle dots. */
  readonly meta?: readonly HtmlValue[];
  /** Buttons, or links that look like buttons. On phones the first one is full width. */
  readonly actions?: readonly Html[];
  /** Links or forms with one button, in the menu behind three dots. */
  readonly more?: readonly Html[];
}): Html {
  return html`<header class="page-header"><div>
${back ? html`<a class="back" href="${back.href}">${backIcon}${back.words}</a>` : ''}
<div class="page-title"><h1><bdi>${title}</bdi></h1>${badge}</div>
${meta.length > 0 ? html`<div class="page-meta">${meta.map((part) => html`<span>${part}</span>`)}</div>` : ''}
</div>
${actions.length + more.length > 0 ? html`<div class="page-actions">${actions}${moreMenu(more)}</div>` : ''}
</header>`;
}

function moreMenu(entries: readonly Html[]): Html | null {
  if (entries.length === 0) return null;
  return html`<details class="menu"><summary class="btn" data-variant="outline" data-icon>${moreIcon}<span class="visually-hidden">More</span></summary>
<div class="menu-list">${entries}</div></details>`;
}
