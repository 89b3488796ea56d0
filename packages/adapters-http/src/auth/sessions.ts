import { identifySession, type SignedIn } from '@handover/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpPorts } from '../http-ports.ts';
import { createSiteCookie } from './cookies.ts';
import { issueCsrfToken } from './csrf.ts';

/** A session and the data its pages need. */
export interface Session {
  readonly user: SignedIn;
  readonly sessionToken: string;
  /** The CSRF token for the forms of its pages. */
  readonly csrfToken: string;
}

/** Reads and sets the session cookies of signed-in users. */
export interface Sessions {
  /** Whether the request presents a session, valid or not. */
  isPresentedBy(request: FastifyRequest): boolean;
  find(request: FastifyRequest): Promise<Session | null>;
  /** Sets the cookie with the session's token. */
  begin(reply: FastifyReply, sessionToken: string): void;
  end(reply: FastifyReply): void;
}

/** The longest lifetime of a session; the server decides whether it is still valid. */
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
