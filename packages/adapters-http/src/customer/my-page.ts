import { LIMITS, suggestEmail } from '@handover/domain';
import { type Html, html } from '@handover/html';
import type { FastifyReply } from 'fastify';
import { showTime, type Wording } from '../messages/wording-of.ts';
import { sendBuyerPage } from '../pages/answer-page.ts';
import { PAGE_ASSETS } from '../pages/assets.ts';
import { clockIcon, mailSentIcon, warnIcon } from '../pages/icons.ts';
import { layout, productHeader } from '../pages/layout.ts';

type MyPageState =
  | { readonly kind: 'asked-nothing' }
  /** The link to their library no longer works. */
  | { readonly kind: 'library-ended' }
  /** The same page for addresses of buyers and for unknown addresses. */
  | { readonly kind: 'noted' }
  | { readonly kind: 'invalid-email' }
  | {
      readonly kind: 'throttled';
      readonly until: Date;
      readonly of: 'address' | 'network';
      readonly now: Date;
    };

/** Answers with the page where buyers request new links to all their purchases. `email` is the typed address. */
export function sendMyPage(
  reply: FastifyReply,
  status: number,
  wording: Wording,
  state: MyPageState,
  email = '',
): FastifyReply {
  return sendBuyerPage(reply, status, wording, myPage(wording, state, email), { scripts: 'own' });
}

/** The page itself. */
export function myPage(wording: Wording, state: MyPageState, email: string): Html {
  const { my } = wording.messages;
  const invalid = state.kind === 'invalid-email';
  const answer = answerOf(wording, state, email);
  return layout({
    locale: wording.formats.locale,
    // A screen reader says the title first: it tells what the answer is.
    title: answer ? `${answer.heading} · ${my.name}` : invalid ? `${my.invalid} · ${my.name}` : my.title,
    header: productHeader(my.name),
    script: PAGE_ASSETS.pageScript.path,
    main: html`<div class="card">
<h1>${my.title}</h1>
<p class="lead">${my.lead}</p>
<form class="form" method="post" action="/my" novalidate>
<label for="email">${my.email}</label>
<input class="input" id="email" name="email" type="email" value="${email}" autocomplete="email" maxlength="254" spellcheck="false" autocapitalize="none" required${invalid ? html` aria-invalid="true" aria-describedby="email-problem" autofocus` : ''}>
${invalid ? html`<p class="problem" id="email-problem">${warnIcon}${my.invalid}</p>` : ''}
<button class="button button-primary button-wide">${my.send}</button>
</form>
</div>
${answer && answerCard(answer)}
<p class="aside">${my.aside(LIMITS.myLinksPerAddress.tries)}</p>`,
  });
}

interface Answer {
  readonly tone: 'success' | 'held';
  readonly icon: Html;
  readonly heading: string;
  readonly sentence: Html;
  /** The form that corrects a slip. */
  readonly suggestion?: Html | null;
  /** What to do if it does not help. */
  readonly advice?: string;
}

function answerOf(wording: Wording, state: MyPageState, email: string): Answer | null {
  const { library, my } = wording.messages;
  switch (state.kind) {
    case 'asked-nothing':
    case 'invalid-email':
      return null;
    case 'library-ended':
      return { ...HELD, heading: library.ended, sentence: html`${library.endedWhy}` };
    case 'noted':
      return {
        tone: 'success',
        icon: mailSentIcon,
        heading: my.inbox,
        sentence: my.noted(html`<strong><bdi>${email}</bdi></strong>`),
        suggestion: suggest(wording, email),
        advice: my.noMail,
      };
    case 'throttled': {
      const { of, until, now } = state;
      const wait = wording.formats.duration(until.getTime() - now.getTime());
      const heading = of === 'address' ? my.tooOftenAddress : my.tooOftenNetwork;
      return { ...HELD, heading, sentence: my.again(wait, showTime(wording, until)) };
    }
  }
}

/** A mail to a mistyped address arrives nowhere, or at a stranger's. */
function suggest({ messages: { my } }: Wording, email: string): Html | null {
  const meant = suggestEmail(email);
  if (meant === null) return null;
  return html`<form class="form" method="post" action="/my"><input type="hidden" name="email" value="${meant}">
<p>${my.didYouMean(html`<strong><bdi>${meant}</bdi></strong>`)}</p>
<button class="button">${my.sendThere}</button></form>`;
}

const HELD = { tone: 'held', icon: clockIcon } as const;

/** Below the form, so it has the focus: a small screen scrolls to it, and a screen reader says it. */
function answerCard({ tone, icon, heading, sentence, suggestion, advice }: Answer): Html {
  return html`<div class="card answer" role="status" tabindex="-1" autofocus><span class="answer-icon answer-icon-${tone}">${icon}</span><div>
<h2>${heading}</h2>
<p>${sentence}</p>${suggestion}${advice !== undefined && html`<p>${advice}</p>`}
</div></div>`;
}
