import { type Html, html } from '@handover/html';
import { ENGLISH, type Wording } from '../messages/wording-of.ts';
import type { Failure } from '../requests/classify-failure.ts';
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
<p class="way"><a class="button" href="/my">${my.title}</a></p>
</div>
<p class="aside">${notFound.aside}</p>`,
  });
}

/** `reference` finds the request in the log. `canLoadAgain`: the page was only read, and may be there in a moment. */
export function failurePage(
  { messages, formats }: Wording,
  failure: Failure,
  { reference, canLoadAgain }: { readonly reference: string; readonly canLoadAgain: boolean },
): Html {
  const [heading, sentence] = messages.failure[classify(failure)];
  return layout({
    locale: formats.locale,
    title: heading,
    main: html`<div class="card">
<span class="tile tile-held">${boltIcon}</span>
<h1>${heading}</h1>
<p class="lead">${sentence}</p>
${canLoadAgain && html`<p class="way"><a class="button" href="">${messages.failure.tryAgain}</a></p>`}
</div>
<p class="aside">${messages.failure.reference} <span class="mono">${reference}</span></p>`,
  });
}

type FailureKind = 'busy' | 'slow' | 'files' | 'database' | 'server' | 'unreadable';

function classify({ status, isBusy, isFilesAway }: Failure): FailureKind {
  if (isBusy) return 'busy';
  if (isFilesAway) return 'files';
  if (status === 408) return 'slow';
  if (status === 503) return 'database';
  return status >= 500 ? 'server' : 'unreadable';
}
