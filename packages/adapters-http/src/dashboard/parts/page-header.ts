import { html } from 'ghtml';
import { backIcon, moreIcon } from './icons.ts';

/** The head of a page: where it belongs, what it is, and at most two buttons and a menu. */
export function pageHeader({
  title,
  badge = '',
  back = null,
  meta = [],
  actions = [],
  more = [],
}: {
  readonly title: string;
  /** HTML, beside the title. */
  readonly badge?: string;
  /** On pages of one thing: the list it is from. */
  readonly back?: { readonly href: string; readonly words: string } | null;
  /** HTML, each; middle dots come between. */
  readonly meta?: readonly string[];
  /** HTML, each a button or a link that looks like one. On phones the first takes the whole width. */
  readonly actions?: readonly string[];
  /** HTML, each a link or a form with one button, behind three dots. */
  readonly more?: readonly string[];
}): string {
  return html`<header class="page-header"><div>
!${back ? html`<a class="back" href="${back.href}">!${backIcon}${back.words}</a>` : ''}
<div class="page-title"><h1><bdi>${title}</bdi></h1>!${badge}</div>
!${meta.length > 0 ? html`<div class="page-meta">!${meta.map((part) => html`<span>!${part}</span>`)}</div>` : ''}
</div>
!${actions.length + more.length > 0 ? html`<div class="page-actions">!${[...actions]}!${moreMenu(more)}</div>` : ''}
</header>`;
}

function moreMenu(entries: readonly string[]): string {
  if (entries.length === 0) return '';
  return html`<details class="menu"><summary class="btn" data-variant="outline" data-icon>!${moreIcon}<span class="visually-hidden">More</span></summary>
<div class="menu-list">!${[...entries]}</div></details>`;
}
