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

  it('finds nothing against platforms that keep it', () => {
    expect(failuresOf({ ...signedInHeader, isPing: isBarePing, maxUnsignedBytes: 4 })).toEqual([]);
  });

  it.each<[string, Partial<PlatformWebhook>, string]>([
    ['lets everything in', { verify: () => letIn }, 'that is missing is refused'],
    [
      'forgets to look at the body',
      {
        verify: (inbound, connections) =>
          signedInHeader.verify({ ...inbound, body: encode('{"id":1}') }, connections, new Date()),
      },
      'is broken by any change of the body',
    ],
    [
      'takes an empty secret',
      {
        verify: (inbound, connections, now) =>
          connections[0]?.secrets[0] === '' ? letIn : signedInHeader.verify(inbound, connections, now),
      },
      'that is empty lets nothing in, not even what is signed with an empty key',
    ],
    [
      'asks the first secret only',
      {
        verify: (inbound, connections, now) =>
          signedInHeader.verify(
            inbound,
            connections.map(({ id, secrets }) => ({ id, secrets: secrets.slice(0, 1) })),
            now,
          ),
      },
      'may be the first or the last of several',
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
      'takes whatever is unsigned for a ping',
      { isPing: () => true },
      'is no order, neither signed nor unsigned',
    ],
    [
      'takes a signed body for a ping',
      { isPing: ({ body }) => body.length === PING.length },
      'is none with any header that the platform puts on its deliveries, though empty',
    ],
    ['does not know its ping', {}, 'is known without a signature'],
    [
      'fulfils whatever comes',
      { translate: () => [{ kind: 'order', order: ORDER }] },
      'of an unknown event is ignored, with a reason',
    ],
    [
      'trips over odd values',
      {
        translate: (payload) =>
          signedInHeader.translate(
            { ...(payload as object), name: (payload as { id: string }).id.trim() },
            {},
          ),
      },
      'of odd values in every place is survived',
    ],
    [
      'looks for its credential elsewhere',
      { credential: { kind: 'secret-in-url', parameter: 'secret' } },
      'that carries the credential has the whole body read, under either spelling',
    ],
    [
      'reads much that is unsigned',
      { maxUnsignedBytes: 5 * 1024 * 1024 },
      'without the credential, or with an empty one, has little or nothing of it read',
    ],
    ['does not read its ping', { isPing: isBarePing, maxUnsignedBytes: 3 }, 'of a ping has all of it read'],
    [
      'stores its signature',
      { keptHeaders: [...TOPICS, ...SIGNATURES] },
      'holds neither signature nor secret (headers under neutral names)',
    ],
    [
      'forgets to keep its headers',
      { keptHeaders: ['x-topic'] },
      "gives the same order again (headers under the vendor's names)",
    ],
  ])('finds out a platform that %s', (_case, flaw, failure) => {
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
