import { type Html, html } from '@handover/html';
import { ENGLISH, type Wording } from '../messages/wording-of.ts';
import type { ShownFailure } from '../requests/answer-error.ts';
import type { FailureKind } from '../requests/classify-failure.ts';
import { boltIcon, signpostIcon } from './icons.ts';
import { layout } from './layout.ts';

export function notFoundPage({ messages: { notFound, my }, formats }: Wording = ENGLISH): Html {
  return layout({
    locale: formats.locale,
    title: notFound.title,
    main: html`<div class="card">
<span class="tile">${signpostIcon}</span>
<h1>${notFound.heading}</h1>
<p class="lead">${notFound.lead}</p>
<p><a class="button button-primary button-wide" href="/my">${my.title}</a></p>
</div>
<p class="aside">${notFound.aside}</p>`,
  });
}

export function failurePage(
  { messages, formats }: Wording,
  { kind, reference, canLoadAgain }: ShownFailure,
): Html {
  const [heading, sentence] = messages.failure[shownAs(kind)];
  return layout({
    locale: formats.locale,
    title: heading,
    main: html`<div class="card">
<span class="tile tile-held">${boltIcon}</span>
<h1>${heading}</h1>
<p class="lead">${sentence}</p>
${canLoadAgain && html`<p><a class="button button-primary button-wide" href="">${messages.failure.tryAgain}</a></p>`}
</div>
<p class="aside">${messages.failure.reference} <span class="mono">${reference}</span></p>`,
  });
}

/** Buyers upload nothing, and their forms have one field. */
function shownAs(kind: FailureKind) {
  if (kind === 'too-large') return 'unreadable';
  return kind === 'full' || kind === 'removing' ? 'server' : kind;
}
