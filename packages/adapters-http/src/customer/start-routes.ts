import type { FastifyPluginAsync } from 'fastify';
import { sendPage } from '../pages/answer-page.ts';
import { isLocalRequest } from '../requests/local-request.ts';
import { startPage } from './start-page.ts';

/**
 * The root of the site. `trialVersion` and the link to the trial's mail are shown only to a browser on this
 * machine.
 */
export function startRoutes(trialVersion: string | null): FastifyPluginAsync {
  return async (app) => {
    app.get('/', async ({ raw }, reply) =>
      sendPage(reply, 200, startPage(isLocalRequest(raw) ? trialVersion : null)),
    );
  };
}
