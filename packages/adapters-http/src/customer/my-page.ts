import { LIMITS } from '@handover/domain';
import { type Html, html } from '@handover/html';
import { clockIcon, mailSentIcon, warnIcon } from '../pages/icons.ts';
import { layout, productHeader } from '../pages/layout.ts';
import { formatClockTime, formatDuration } from '../pages/words.ts';

export type MyPageState =
  | { readonly kind: 'asked-nothing' }
  /** The same page for addresses of buyers and for unknown addresses. */
  | { readonly kind: 'noted' }
  | { readonly kind: 'invalid-email' }
  | {
      readonly kind: 'throttled';
      readonly until: Date;
      readonly of: 'address' | 'network';
      readonly now: Date;
    };

/** The page where buyers request new links to all their purchases. `email` is the typed address. */
export function myPage(state: MyPageState, email: string): Html {
  const invalid = state.kind === 'invalid-email';
  return layout({
    title: 'Get your downloads again',
    header: productHeader('My downloads'),
    main: html`<div class="card">
<h1>Get your downloads again</h1>
<p class="lead">Type the e-mail address you bought with. We will mail new links for everything you own.</p>
<form class="form" method="post" action="/my" novalidate>
<label for="email">E-mail address</label>
<input class="input" id="email" name="email" type="email" value="${email}" autocomplete="email" maxlength="254" spellcheck="false" autocapitalize="none" required${invalid ? html` aria-invalid="true" aria-describedby="email-problem" autofocus` : ''}>
${invalid ? html`<p class="problem" id="email-problem">${warnIcon}Write the whole address, such as ana@example.com.</p>` : ''}
<button class="button button-primary button-wide">Mail me my links</button>
</form>
</div>
${answer(state)}
<p class="aside">You can ask ${LIMITS.myLinksPerAddress.tries} times an hour. The answer is the same for every address, so nobody can find out what you own.</p>`,
  });
}

function answer(state: MyPageState): Html | null {
  switch (state.kind) {
    case 'asked-nothing':
    case 'invalid-email':
      return null;
    case 'noted':
      return html`<div class="card answer" role="status"><span class="answer-icon answer-icon-success">${mailSentIcon}</span><div>
<h2>Look in your inbox</h2>
<p>If anything was bought with this address, the mail is on its way. It can take a minute, and may land in spam.</p>
</div></div>`;
    case 'throttled':
      return html`<div class="card answer" role="status"><span class="answer-icon answer-icon-held">${clockIcon}</span><div>
<h2>${state.of === 'address' ? 'Too many requests for this address' : 'Too many requests from your network'}</h2>
<p>Ask again in ${formatDuration(state.until.getTime() - state.now.getTime(), 'in')}, from <time datetime="${state.until.toISOString()}">${formatClockTime(state.until)}</time> on. Mails already on their way will arrive.</p>
</div></div>`;
  }
}
