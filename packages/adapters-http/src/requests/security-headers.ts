import { type IncomingMessage, ServerResponse } from 'node:http';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The headers of every response. A header set by a route has precedence. */
export function listSecurityHeaders(siteUrl: string): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    // Subdomains may belong to others, so the policy does not include them.
    ...(siteUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {}),
  };
}

/**
 * Makes the response class of the server. A Fastify hook would miss some responses: Node itself answers a
 * request without Host or with an unknown expectation, and Fastify answers unroutable requests before any
 * hook.
 */
export function createSecureResponse(headers: Readonly<Record<string, string>>): typeof ServerResponse {
  const all = Object.entries(headers);
  return class SecureResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    constructor(...args: ConstructorParameters<typeof ServerResponse<Request>>) {
      super(...args);
      for (const [name, value] of all) this.setHeader(name, value);
    }
  };
}
