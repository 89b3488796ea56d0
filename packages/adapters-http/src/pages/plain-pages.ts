import { type Html, html } from '@handover/html';
import type { Failure } from '../requests/classify-failure.ts';
import { boltIcon, signpostIcon } from './icons.ts';
import { layout } from './layout.ts';

export function notFoundPage(): Html {
  return layout({
    title: 'Nothing at this address',
    main: html`<div class="card">
<span class="tile">${signpostIcon}</span>
<h1>There is nothing at this address</h1>
<p class="lead">Links in mails are long, and some programs cut them short. Press the button in your mail again, or copy the whole link from below it.</p>
</div>
<p class="aside">Still here? Answer the mail that the link came with: the shop reads it.</p>`,
  });
}

/** `reference` finds the request in the log. */
export function failurePage(failure: Failure, reference: string): Html {
  const { heading, sentence } = wording(failure);
  return layout({
    title: heading,
    main: html`<div class="card">
<span class="tile tile-held">${boltIcon}</span>
<h1>${heading}</h1>
<p class="lead">${sentence}</p>
</div>
<p class="aside">Reference: <span class="mono">${reference}</span></p>`,
  });
}

function wording({ status, isBusy }: Failure): { readonly heading: string; readonly sentence: string } {
  if (isBusy) {
    return {
      heading: 'We are busy right now',
      sentence: 'Nothing is lost. Go back and try again in a minute.',
    };
  }
  if (status === 408) {
    return {
      heading: 'The connection was too slow',
      sentence: 'What you sent did not arrive in time, so nothing was changed. Go back and try again.',
    };
  }
  if (status === 503) {
    return {
      heading: 'We will be back in a moment',
      sentence:
        'Our database cannot be reached right now. Nothing is lost: load this page again in a minute.',
    };
  }
  if (status >= 500) {
    return {
      heading: 'Something broke on our side',
      sentence:
        'What you bought is safe. Load this page again; if it stays like this, answer the mail that the link came with and name the reference below.',
    };
  }
  return {
    heading: 'We could not read this request',
    sentence: 'Open the link from your mail again. Nothing was changed.',
  };
}
