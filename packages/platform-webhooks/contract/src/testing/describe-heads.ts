import { countReadableBytes } from '../receive.ts';
import type { PlatformSpecimen } from './platform-contract.ts';
import { signInbound, spellAsVendor } from './sign-inbound.ts';
import type { TestRunner } from './test-runner.ts';

/**
 * Tests what the head of a request decides about its body: a stranger must not make the service buffer
 * much.
 */
export function describeHeads({ describe, it, expect }: TestRunner, specimen: PlatformSpecimen): void {
  const { platform, ping } = specimen;
  const genuine = signInbound(specimen);

  describe('the head of a request', () => {
    it('with the credential allows reading the whole body, in either spelling', () => {
      const read = [genuine, spellAsVendor(specimen, genuine)].map((inbound) =>
        countReadableBytes(platform, inbound),
      );
      expect(read).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
    });

    it('without the credential, or with an empty one, allows reading little or nothing', () => {
      const { in: part, name } = specimen.signature;
      const bare = { ...genuine, headers: {}, query: {} };
      const empty = { ...bare, [part]: { [name]: ' ' } };
      const read = [bare, empty].map((inbound) => countReadableBytes(platform, inbound));
      expect(read.every((bytes) => bytes <= MAX_UNSIGNED_BYTES)).toEqual(true);
    });

    if (!ping) return;
    it('of a ping allows reading all of it', () => {
      const bytes = countReadableBytes(platform, { ...ping, query: {} });
      expect(bytes >= ping.body.length).toEqual(true);
    });
  });
}

/** The maximum that is kept of a rejected delivery. */
const MAX_UNSIGNED_BYTES = 256 * 1024;
