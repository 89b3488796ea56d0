import { type Html, html, joinHtml } from '@handover/html';
import type { FastifyReply } from 'fastify';
import { answerFailure } from './answer-failure.ts';

/** What is wrong with a form, and what mends it. */
export interface FormProblem {
  /** The field, or the header, that it is about; null for the form as a whole. */
  readonly field: string | null;
  readonly sentence: string;
}

/** Sends a part of a page: HTML without a document around it, for a caller who puts it into a page of their own. */
export function sendFragment(reply: FastifyReply, status: number, fragment: Html): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      // Whoever opens it by itself gets text and links, and nothing that runs.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    })
    .send(String(fragment));
}

/** Every problem at once, each beside the name of its field. */
export function refuseForm(
  reply: FastifyReply,
  status: number,
  problems: readonly FormProblem[],
): FastifyReply {
  return sendFragment(
    reply,
    status,
    html`<div role="alert">
${joinHtml(problems.map(writeProblem), '\n')}
</div>
`,
  );
}

function writeProblem({ field, sentence }: FormProblem): Html {
  return field === null ? html`<p>${sentence}</p>` : html`<p data-field="${field}">${sentence}</p>`;
}

export function refuseAsFragment(reply: FastifyReply, status: number, sentence: string): FastifyReply {
  return refuseForm(reply, status, [{ field: null, sentence }]);
}

/** Error handler of the parts that answer fragments. `words` are its own for some failures, by the error's code. */
export function answerFragmentFailure(words: ReadonlyMap<string, string>) {
  return answerFailure(refuseAsFragment, words);
}
