import { identifySession, type SignedIn } from '@handover/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpPorts } from '../http-ports.ts';
import { createSiteCookie } from './cookies.ts';
import { issueCsrfToken } from './csrf.ts';

/** A session and what its pages need. */
export interface Session {
  readonly user: SignedIn;
  readonly sessionToken: string;
  /** For the forms of its pages. */
  readonly csrfToken: string;
}

/** The sessions of signed-in users, as their browsers present them. */
export interface Sessions {
  /** Whether the request presents a session, valid or not. */
  isPresentedBy(request: FastifyRequest): boolean;
  find(request: FastifyRequest): Promise<Session | null>;
  /** Lets the browser keep the token of a session. */
  begin(reply: FastifyReply, sessionToken: string): void;
  end(reply: FastifyReply): void;
}

/** As long as a session can last; whether it still does, the server says. */
const MAX_AGE_S = 90 * 24 * 60 * 60;

export function createSessions(
  ports: Pick<HttpPorts, 'clock' | 'sessionTokens' | 'userSessions'>,
  siteUrl: string,
): Sessions {
  const cookie = createSiteCookie(siteUrl, 'handover', MAX_AGE_S);
  return {
    isPresentedBy: (request) => cookie.read(request) !== null,
    find: async (request) => {
      const sessionToken = cookie.read(request);
      const user = sessionToken === null ? null : await identifySession(ports, sessionToken);
      if (sessionToken === null || user === null) return null;
      return { user, sessionToken, csrfToken: issueCsrfToken(sessionToken, ports.clock.now()) };
    },
    begin: cookie.set,
    end: cookie.clear,
  };
}
