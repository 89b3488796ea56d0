import { expect, it } from 'vitest';
import { explainSilence } from '../src/cli/server-address.ts';

function failFetch(code: string, message: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
}

it('says to start a server where none listens', () => {
  const refused = failFetch('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:3000');
  for (const url of ['http://localhost:3000', 'https://get.example.com'])
    expect(explainSilence(url, refused)).toBe(`No server answers at ${url}. Start it with npm start`);
});

it('says why a public address is out of reach of the machine of a server that runs', () => {
  const url = 'https://get.example.com';
  for (const [code, message] of [
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
    ['ENOTFOUND', 'getaddrinfo ENOTFOUND get.example.com'],
  ] as const) {
    expect(explainSilence(url, failFetch(code, message))).toBe(
      `This machine cannot reach ${url}: ${message}. Correct its DNS, the proxy of SITE_URL or its certificate`,
    );
  }
});
