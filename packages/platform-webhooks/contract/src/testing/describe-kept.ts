import { createHash } from 'node:crypto';
import type { Connection, RejectedDelivery } from '@handover/domain';
import { createRejectedReader, keepCredential } from '../receive.ts';
import type { PlatformSpecimen } from './platform-contract.ts';
import { forge, SECRET, signInbound, spellAsVendor } from './sign-inbound.ts';
import type { TestRunner } from './test-runner.ts';

/** Tests a request that was refused because its secret was not set yet, and what is kept until it is set. */
export function describeKept({ describe, it, expect }: TestRunner, specimen: PlatformSpecimen): void {
  const { platform } = specimen;
  if (platform.credential.kind === 'signature' && platform.credential.expires) return;
  const genuine = signInbound(specimen);
  const keep = (inbound: typeof genuine) => keepCredential(platform, 'org-1', inbound, FINGERPRINTS);
  const readAgain = (inbound: typeof genuine, secret: string) => {
    const kept = keep(inbound);
    return kept ? reader.read(asRejected(inbound, kept), [connectionWith(secret)]) : null;
  };
  const reader = createRejectedReader({ [platform.label]: platform }, FINGERPRINTS);

  describe('a refused request', () => {
    for (const inbound of [genuine, spellAsVendor(specimen, genuine)]) {
      const spelling = inbound === genuine ? 'neutral names' : "the vendor's names";

      it(`is genuine once its secret is set, and with no other (with ${spelling})`, () => {
        const read = readAgain(inbound, SECRET);
        const entries = read?.content.kind === 'translated' ? read.content.entries : [];
        expect([read?.connectionId, entries]).toEqual([
          'later',
          [{ kind: 'order', order: specimen.completed.order }],
        ]);
        expect(readAgain(inbound, 'a secret of someone else')).toEqual(null);
      });
    }

    it('is stored without the secret', () => {
      const kept = JSON.stringify(keep(genuine));
      expect([kept.includes(SECRET), kept.includes(encodeURIComponent(SECRET))]).toEqual([false, false]);
    });

    it('is logged without its credential', () => {
      const read = readAgain(genuine, SECRET);
      expect(
        JSON.stringify(read?.headers).includes(
          String(genuine[specimen.signature.in][specimen.signature.name]),
        ),
      ).toEqual(false);
    });

    it('without a credential is not stored', () => {
      const stripped = forge(specimen, genuine, () => undefined);
      expect(keep({ ...stripped, headers: {} })).toEqual(null);
    });
  });
}

const FINGERPRINTS = {
  make: (orgId: string, secret: string) => createHash('sha256').update(`${orgId} ${secret}`).digest('hex'),
  matches: (orgId: string, secret: string, fingerprint: string) =>
    FINGERPRINTS.make(orgId, secret) === fingerprint,
};

function connectionWith(secret: string): Connection {
  const rules = { strict: false, ignoreTestOrders: false, defaultCurrency: null };
  return { id: 'later', name: 'main', secrets: ['another', secret], rules };
}

function asRejected(
  { platform, receivedAt, body: bytes }: ReturnType<typeof signInbound>,
  kept: NonNullable<ReturnType<typeof keepCredential>>,
): RejectedDelivery {
  // A store returns it in this form.
  const stored = JSON.parse(JSON.stringify(kept)) as typeof kept;
  const about = { id: 'rejected', orgId: 'org-1', source: 'a network', reason: 'Not set up.' };
  return { ...about, platform, receivedAt, bytes, ...stored };
}
