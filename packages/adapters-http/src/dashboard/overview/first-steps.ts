import type { FirstSteps } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { linkButton } from '../parts/button.ts';
import { checkIcon } from '../parts/icons.ts';

/** In a new organisation: the steps to the first sale. The first open step has the page's primary button. */
export function firstSteps(steps: FirstSteps): Html {
  const list = [
    {
      isDone: steps.hasUploaded,
      title: 'Create a product and upload its files',
      sentence: 'It stays a draft until you publish it.',
      href: '/dashboard/products',
      words: 'Go to products',
    },
    {
      isDone: steps.hasConnected,
      title: 'Connect a shop',
      sentence: 'Copy the webhook address into the shop, and its secret over here.',
      href: '/dashboard/settings/integrations',
      words: 'Connect a shop',
    },
    {
      isDone: steps.hasReceived,
      title: 'Send a test order',
      sentence: 'It goes the whole way: received, matched, mailed and downloaded.',
      href: '/dashboard/settings/integrations',
      words: 'Send a test order',
    },
  ];
  const next = list.findIndex(({ isDone }) => !isDone);
  return html`<section class="card" aria-labelledby="first-steps"><header><div><h2 id="first-steps">First steps</h2><span class="muted">${list.filter(({ isDone }) => isDone).length} of 3 done</span></div></header>
<ol class="need-list">${list.map(
    ({ isDone, title, sentence, href, words }, at) => html`<li>
<span class="tile"${isDone ? html` data-tone="success"` : ''}>${isDone ? checkIcon : html`<span aria-hidden="true">${at + 1}</span>`}</span>
<div><h3>${title}${isDone ? html`<span class="visually-hidden">, done</span>` : ''}</h3><p>${sentence}</p></div>
${isDone ? html`<span class="need-age">Done</span>` : linkButton(href, { words, small: true, primary: at === next })}
</li>`,
  )}</ol>${steps.hasCurrency ? '' : CHOOSE_CURRENCY}</section>`;
}

/** Not a step: only some shops send orders without a currency. */
const CHOOSE_CURRENCY = html`<p class="after-steps">Which currency do you sell in? Some orders, such as those of SamCart, name none. <a href="/dashboard/settings/organisation#currency">Choose it in Settings, Organisation</a>.</p>`;
