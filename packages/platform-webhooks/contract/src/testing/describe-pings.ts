import type { InboundHeaders } from '../headers.ts';
import { isPing, receive } from '../receive.ts';
import type { PlatformSpecimen } from './platform-contract.ts';
import { forge, SECRET, signInbound } from './sign-inbound.ts';
import type { TestRunner } from './test-runner.ts';

/** Tests what may be answered without a signature, and above all what may not. */
export function describePings({ describe, it, expect }: TestRunner, specimen: PlatformSpecimen): void {
  const { platform, ping, vendorNames } = specimen;
  const genuine = signInbound(specimen);

  describe('a ping', () => {
    it('is not an order, neither signed nor unsigned', () => {
      const unsigned = forge(specimen, genuine, () => undefined);
      const bare = { ...unsigned, headers: {} };
      expect([genuine, unsigned, bare].map((inbound) => isPing(platform, inbound))).toEqual([
        false,
        false,
        false,
      ]);
    });

    it('is neither an empty body nor noise', () => {
      const noise = [[], [0], [0xff, 0xfe], [0x7b]].map((bytes) => Uint8Array.from(bytes));
      expect(noise.filter((body) => isPing(platform, { body, headers: {} }))).toEqual([]);
    });

    if (!ping) return;
    const bareHeaders: InboundHeaders = ping.headers;

    it('is recognised without a signature', () => {
      expect(isPing(platform, ping)).toEqual(true);
    });

    it('is not recognised with any of the platform’s delivery headers, even if empty', () => {
      const names = Object.entries(vendorNames).flat();
      const taken = names.filter((name) =>
        ['', 'x'].some((value) => isPing(platform, { ...ping, headers: { ...bareHeaders, [name]: value } })),
      );
      expect(taken).toEqual([]);
    });

    it('becomes no order when it is signed', () => {
      const signed = signInbound(specimen, SECRET, ping);
      const reception = receive(platform, signed, [{ id: 'main', secrets: [SECRET] }]);
      const orders = reception.kind === 'translated' ? reception.entries : [];
      expect([isPing(platform, signed), orders.some(({ kind }) => kind === 'order')]).toEqual([false, false]);
    });
  });
}
