import type { TranslatedEntry } from '@handover/domain';
import { keepHeaders } from '../headers.ts';
import { type Reception, receive, translateAgain } from '../receive.ts';
import type { PlatformSpecimen, SpecimenDelivery } from './platform-contract.ts';
import { SECRET, signInbound, spellAsVendor, summarise } from './sign-inbound.ts';
import type { TestRunner } from './test-runner.ts';

const CONNECTIONS = [{ id: 'main', secrets: [SECRET] }];

/** Tests the translation of accepted requests. */
export function describeTranslation({ describe, it, expect }: TestRunner, specimen: PlatformSpecimen): void {
  const { platform, completed, irrelevant, withText, oddBodies } = specimen;
  const read = (delivery: SpecimenDelivery) =>
    receive(platform, signInbound(specimen, SECRET, delivery), CONNECTIONS);
  /** The first crash alone: a package that refuses everything would print hundreds of bodies. */
  const describeCrashes = (bodies: Iterable<Uint8Array>) => {
    for (const body of bodies) {
      const reception = read({ body, headers: completed.headers });
      if (isCrash(reception)) return [summarise(reception), shorten(new TextDecoder().decode(body))];
    }
    return [];
  };

  describe('a payload', () => {
    it('of a completed order becomes that order', () => {
      expect(entriesOf(read(completed))).toEqual([{ kind: 'order', order: completed.order }]);
    });

    for (const [name, delivery] of Object.entries(irrelevant)) {
      it(`of ${name} is ignored, with a reason`, () => {
        const reception = read(delivery);
        expect(summarise(reception)).toEqual('ignored');
        const entries = entriesOf(reception);
        expect(entries.every((entry) => entry.kind === 'ignored' && /^\S.*\.$/.test(entry.reason))).toEqual(
          true,
        );
      });
    }

    it('of zero bytes is unreadable or ignored', () => {
      const reception = read({ body: new Uint8Array(), headers: completed.headers });
      expect(entriesOf(reception).some(({ kind }) => kind === 'order')).toEqual(false);
    });

    it('of arbitrary bytes causes no crash', () => {
      const noise = Array.from({ length: 256 }, (_, seed) =>
        Uint8Array.from({ length: seed }, (_, i) => i * seed),
      );
      expect(describeCrashes(noise)).toEqual([]);
    });

    it('with odd values at every position causes no crash', () => {
      expect(describeCrashes(oddBodies())).toEqual([]);
    });

    for (const [name, text] of Object.entries(HOSTILE_TEXTS)) {
      it(`with ${name} in its texts can be stored`, () => {
        const reception = read(withText(text));
        expect(summarise(reception)).toEqual('order');
        expect(listTexts(entriesOf(reception)).filter((found) => !isStorable(found))).toEqual([]);
      });
    }
  });

  describeStorage({ describe, it, expect }, specimen);
}

function describeStorage({ describe, it, expect }: TestRunner, specimen: PlatformSpecimen): void {
  const { platform, completed, signature } = specimen;
  const genuine = signInbound(specimen);

  describe('a stored request', () => {
    for (const inbound of [genuine, spellAsVendor(specimen, genuine)]) {
      const spelling = inbound === genuine ? 'neutral names' : "the vendor's names";
      const headers = keepHeaders(platform, inbound.headers);

      it(`gives the same order again (headers with ${spelling})`, () => {
        const body = { bytes: inbound.body, headers: JSON.parse(JSON.stringify(headers)) };
        expect(translateAgain(platform, body, completed.order.orderId)).toEqual(completed.order);
        expect(translateAgain(platform, body, `${completed.order.orderId}0`)).toEqual(null);
      });

      it(`contains neither signature nor secret (headers with ${spelling})`, () => {
        const value = String(genuine[signature.in][signature.name]);
        const kept = Object.values(headers).join('\n');
        expect(kept.includes(value) || kept.includes(SECRET)).toEqual(false);
      });
    }
  });
}

const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  'nothing but blanks': ' \t ',
  'NUL characters': 'a\u0000b\u0000',
  'line breaks': 'a\r\nBcc: b@example.com',
  'a lone surrogate': 'a\ud800b',
  'a lone surrogate at the end': 'ab\udc00',
  'other control characters': '\u0007\u001b[2J\u0085\u009f',
  'the names of built-in members': '__proto__',
  'very much': 'x\u{1f511}'.repeat(5000),
};

function isStorable(text: string): boolean {
  return (
    text.isWellFormed() && !/[\p{Cc}\u2028\u2029]/u.test(text) && text === text.trim() && text.length <= 500
  );
}

function listTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

function shorten(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}

const MAX_SHOWN = 1000;

/** A translator that throws is caught, but must not rely on that. */
function isCrash(reception: Reception): boolean {
  return reception.kind === 'refused' || (reception.kind === 'unreadable' && 'cause' in reception);
}

function entriesOf(reception: Reception): readonly TranslatedEntry[] {
  return reception.kind === 'translated' ? reception.entries : [];
}
