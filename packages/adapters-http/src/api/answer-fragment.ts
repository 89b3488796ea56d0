import { type Html, html, joinHtml } from '@handover/html';
import type { FastifyReply } from 'fastify';

/** A problem of a form, and how to fix it. */
export interface FormProblem {
  /** The field or header with the problem; null for the form as a whole. */
  readonly field: string | null;
  readonly sentence: string;
}

/** Sends an HTML fragment without a document, for a caller that embeds it. */
export function sendFragment(reply: FastifyReply, status: number, fragment: Html): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      // Opened on its own, a fragment shows text and links, and runs nothing.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    })
    .send(String(fragment));
}

/** Sends all problems at once, each beside the name of its field. */
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
