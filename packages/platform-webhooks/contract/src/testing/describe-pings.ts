import type { InboundHeaders } from '../headers.ts';
import { isPing } from '../is-ping.ts';
import { receive } from '../receive.ts';
import type { PlatformSpecimen } from './platform-contract.ts';
import { forge, SECRET, signInbound } from './sign-inbound.ts';
import type { TestRunner } from './test-runner.ts';

/** Tests what may be answered without a signature, and above all what may not. */
export function describePings({ describe, it, expect }: TestRunner, specimen: PlatformSpecimen): void {
  const { platform, ping, vendorNames } = specimen;
  const genuine = signInbound(specimen);

  describe('a ping', () => {
    it('is no order, neither signed nor unsigned', () => {
      const unsigned = forge(specimen, genuine, () => undefined);
      const bare = { ...unsigned, headers: {} };
      expect([genuine, unsigned, bare].map((inbound) => isPing(platform, inbound))).toEqual([
        false,
        false,
        false,
      ]);
    });

    it('is no empty body and no noise', () => {
      const noise = [[], [0], [0xff, 0xfe], [0x7b]].map((bytes) => Uint8Array.from(bytes));
      expect(noise.filter((body) => isPing(platform, { body, headers: {} }))).toEqual([]);
    });

    if (!ping) return;
    const bareHeaders: InboundHeaders = ping.headers;

    it('is known without a signature', () => {
      expect(isPing(platform, ping)).toEqual(true);
    });

    it('is none with any header that the platform puts on its deliveries, though empty', () => {
      const names = Object.entries(vendorNames).flat();
      const taken = names.filter((name) =>
        ['', 'x'].some((value) => isPing(platform, { ...ping, headers: { ...bareHeaders, [name]: value } })),
      );
      expect(taken).toEqual([]);
    });

    it('that is signed becomes no order', () => {
      const signed = signInbound(specimen, SECRET, ping);
      const reception = receive(platform, signed, [{ id: 'main', secrets: [SECRET] }]);
      const orders = reception.kind === 'translated' ? reception.entries : [];
      expect([isPing(platform, signed), orders.some(({ kind }) => kind === 'order')]).toEqual([false, false]);
    });
  });
}
