import type { SignedIn } from '@handover/domain';
import { identifySession } from '@handover/domain';
import type { FastifyRequest } from 'fastify';
import type { HttpPorts } from '../http-ports.ts';
import type { Cookies } from './cookies.ts';
import { issueCsrfToken } from './csrf-token.ts';

/** A session and what its pages need. */
export interface Session {
  readonly user: SignedIn;
  readonly sessionToken: string;
  readonly csrfToken: string;
}

export async function findSession(
  ports: Pick<HttpPorts, 'clock' | 'sessionTokens' | 'userSessions'>,
  cookies: Pick<Cookies, 'readSession'>,
  request: FastifyRequest,
): Promise<Session | null> {
  const sessionToken = cookies.readSession(request.headers);
  const user = sessionToken === null ? null : await identifySession(ports, sessionToken);
  if (sessionToken === null || user === null) return null;
  return { user, sessionToken, csrfToken: issueCsrfToken(sessionToken, ports.clock.now()) };
}
