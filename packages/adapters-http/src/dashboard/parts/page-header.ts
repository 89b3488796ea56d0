import { type Html, type HtmlValue, html } from '@handover/html';
import { backIcon, moreIcon } from './icons.ts';

/** The head of a page: where it belongs, what it is, and at most two buttons and a menu. */
export function pageHeader({
  title,
  badge = null,
  back = null,
  meta = [],
  actions = [],
  more = [],
}: {
  readonly title: string;
  /** Beside the title. */
  readonly badge?: Html | null;
  /** On pages of one thing: the list it is from. */
  readonly back?: { readonly href: string; readonly words: string } | null;
  /** Middle dots come between. */
  readonly meta?: readonly HtmlValue[];
  /** Each a button or a link that looks like one. On phones the first takes the whole width. */
  readonly actions?: readonly Html[];
  /** Each a link or a form with one button, behind three dots. */
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
