import { type IncomingMessage, ServerResponse } from 'node:http';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The headers of every response. What a route sets for itself goes before them. */
export function listSecurityHeaders(siteUrl: string): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    // Subdomains may belong to somebody else, so we promise nothing for them.
    ...(siteUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {}),
  };
}

/**
 * Makes the class of all responses. A hook of Fastify would miss some: Node itself answers a request without Host and
 * an unknown expectation, and Fastify answers what it cannot route before any hook.
 */
export function createSecureResponse(headers: Readonly<Record<string, string>>): typeof ServerResponse {
  return class SecureResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    constructor(...args: ConstructorParameters<typeof ServerResponse<Request>>) {
      super(...args);
      for (const [name, value] of Object.entries(headers)) this.setHeader(name, value);
    }
  };
}
