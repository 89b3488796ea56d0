import { type Html, html } from '@handover/html';

/** Replaces an empty list: what will appear here, and how to make it appear. */
export function emptyState({
  icon,
  title,
  sentence,
  actions = [],
}: {
  readonly icon: Html;
  readonly title: string;
  readonly sentence: string;
  /** One or two buttons. */
  readonly actions?: readonly Html[];
}): Html {
  return html`<div class="empty"><span class="tile">${icon}</span><h2>${title}</h2><p>${sentence}</p>${actions.length > 0 ? html`<footer role="none">${actions}</footer>` : ''}</div>`;
}
