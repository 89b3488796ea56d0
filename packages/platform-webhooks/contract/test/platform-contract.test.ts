import { describe, expect, it } from 'vitest';
import {
  findSigner,
  isSameSecret,
  type PlatformWebhook,
  parseJsonExactly,
  readHeader,
  refuse,
  signHmac,
  type Verification,
  verifyHmac,
} from '../src/index.ts';
import { type PlatformSpecimen, platformContract, type TestRunner } from '../src/testing/index.ts';
import { ORDER } from './fake-platform.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const TOPICS = ['x-topic', 'x-vendor-topic'];
const SIGNATURES = ['x-sign', 'x-vendor-sign'];

const signedInHeader: PlatformWebhook = {
  label: 'checkout-a',
  answers: 'after-recording',
  keptHeaders: TOPICS,
  credential: { kind: 'signature', headers: SIGNATURES },
  verify: (inbound, connections) =>
    verifyHmac(inbound, connections, { headers: SIGNATURES, encodings: ['base64', 'hex'] }),
  parse: parseJsonExactly,
  translate(payload, headers) {
    const topic = readHeader(headers, TOPICS);
    if (topic !== 'sold') return [{ kind: 'ignored', orderId: null, reason: 'Nothing was sold.' }];
    const name =
      typeof payload === 'object' && payload !== null && 'name' in payload ? String(payload.name) : 'A';
    return [{ kind: 'order', order: { ...ORDER, customer: { email: 'a@example.com', name } } }];
  },
};

const PING = encode('ping');
const isBarePing: PlatformWebhook['isPing'] = ({ body, headers }) =>
  new TextDecoder().decode(body) === 'ping' && Object.keys(headers).length === 0;

const hexSpecimen: PlatformSpecimen = {
  platform: signedInHeader,
  signForTest: (secret, body) => ({ headers: { 'x-sign': signHmac(secret, body, 'hex') } }),
  signature: { in: 'headers', name: 'x-sign' },
  signsBody: true,
  vendorNames: { 'x-sign': 'x-vendor-sign', 'x-topic': 'x-vendor-topic' },
  completed: { body: encode('{"id":1}'), headers: { 'x-topic': 'sold' }, order: ORDER },
  irrelevant: { 'an unknown event': { body: encode('{}'), headers: { 'x-topic': 'moon risen' } } },
  withText: (text) => ({ body: encode(JSON.stringify({ name: text })), headers: { 'x-topic': 'sold' } }),
  oddBodies: () => [encode('null'), encode('[]')],
};

const querySpecimen: PlatformSpecimen = {
  ...hexSpecimen,
  platform: {
    ...signedInHeader,
    credential: { kind: 'secret-in-url', parameter: 'secret' },
    verify({ query }, connections) {
      const { secret: given } = query;
      if (typeof given !== 'string') return refuse('The secret is missing or came more than once.');
      return findSigner(connections, (secret) => isSameSecret(secret, given));
    },
  },
  signForTest: (secret) => ({ query: { secret } }),
  signature: { in: 'query', name: 'secret' },
  signsBody: false,
};

platformContract({ describe, it, expect }, hexSpecimen);
platformContract({ describe, it, expect }, querySpecimen);

describe('the contract of platforms', () => {
  const letIn = { kind: 'verified', connectionId: 'main' } as unknown as Verification;

  it('passes for platforms that keep it', () => {
    expect(failuresOf({ ...signedInHeader, isPing: isBarePing, maxUnsignedBytes: 4 })).toEqual([]);
  });

  it.each<[string, Partial<PlatformWebhook>, string]>([
    ['accepts everything', { verify: () => letIn }, 'that is missing is refused'],
    [
      'ignores the body',
      {
        verify: (inbound, connections) =>
          signedInHeader.verify({ ...inbound, body: encode('{"id":1}') }, connections, new Date()),
      },
      'is broken by any change of the body',
    ],
    [
      'accepts an empty secret',
      {
        verify: (inbound, connections, now) =>
          connections[0]?.secrets[0] === '' ? letIn : signedInHeader.verify(inbound, connections, now),
      },
      'verifies nothing if it is empty, not even a signature with an empty key',
    ],
    [
      'tries the first secret only',
      {
        verify: (inbound, connections, now) =>
          signedInHeader.verify(
            inbound,
            connections.map(({ id, secrets }) => ({ id, secrets: secrets.slice(0, 1) })),
            now,
          ),
      },
      'can be the first or the last of several',
    ],
    [
      'knows one spelling only',
      {
        verify: (inbound, connections) =>
          verifyHmac(inbound, connections, { headers: ['x-sign'], encodings: ['hex'] }),
      },
      "is read from the vendor's header where the neutral one is absent",
    ],
    [
      'accepts every unsigned request as a ping',
      { isPing: () => true },
      'is not an order, neither signed nor unsigned',
    ],
    [
      'accepts a signed body as a ping',
      { isPing: ({ body }) => body.length === PING.length },
      'is not recognised with any of the platform’s delivery headers, even if empty',
    ],
    ['does not recognise its ping', {}, 'is recognised without a signature'],
    [
      'fulfils every event',
      { translate: () => [{ kind: 'order', order: ORDER }] },
      'of an unknown event is ignored, with a reason',
    ],
    [
      'crashes on odd values',
      {
        translate: (payload) =>
          signedInHeader.translate(
            { ...(payload as object), name: (payload as { id: string }).id.trim() },
            {},
          ),
      },
      'with odd values at every position causes no crash',
    ],
    [
      'looks for its credential elsewhere',
      { credential: { kind: 'secret-in-url', parameter: 'secret' } },
      'with the credential allows reading the whole body, in either spelling',
    ],
    [
      'reads large unsigned bodies',
      { maxUnsignedBytes: 5 * 1024 * 1024 },
      'without the credential, or with an empty one, allows reading little or nothing',
    ],
    [
      'does not read its ping',
      { isPing: isBarePing, maxUnsignedBytes: 3 },
      'of a ping allows reading all of it',
    ],
    [
      'stores its signature',
      { keptHeaders: [...TOPICS, ...SIGNATURES] },
      'contains neither signature nor secret (headers with neutral names)',
    ],
    [
      'forgets to keep its headers',
      { keptHeaders: ['x-topic'] },
      "gives the same order again (headers with the vendor's names)",
    ],
  ])('detects a platform that %s', (_case, flaw, failure) => {
    expect(failuresOf({ ...signedInHeader, ...flaw })).toContain(failure);
  });
});

/** The names of the tests that fail when the suite is run on this platform. */
function failuresOf(platform: PlatformWebhook): readonly string[] {
  const failures: string[] = [];
  const runner: TestRunner = {
    describe: (_name, define) => define(),
    it(name, run) {
      try {
        run();
      } catch {
        failures.push(name);
      }
    },
    expect,
  };
  platformContract(runner, { ...hexSpecimen, platform, ping: { body: PING, headers: {} } });
  return failures;
}
