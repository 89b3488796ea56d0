import type { TranslatedOrder } from '@handover/domain';
import type { PlatformWebhook } from '../platform-webhook.ts';
import { countReadableBytes } from '../receive.ts';
import { describeKept } from './describe-kept.ts';
import { describePings } from './describe-pings.ts';
import { describeRefusals } from './describe-refusals.ts';
import { describeSecrets } from './describe-secrets.ts';
import { describeTranslation } from './describe-translation.ts';
import { signInbound, spellAsVendor } from './sign-inbound.ts';
import type { TestRunner } from './test-runner.ts';

/** A platform with all that its contract suite needs. */
export interface PlatformSpecimen {
  readonly platform: PlatformWebhook;
  /** What a genuine sender adds to this body: headers with our neutral names, or query parameters. */
  readonly signForTest: (secret: string, body: Uint8Array) => Credential;
  /** The location of the signature. */
  readonly signature: { readonly in: 'headers' | 'query'; readonly name: string };
  /** Whether the signature covers the body: then a body with one changed bit must be refused. */
  readonly signsBody: boolean;
  /** Our neutral header names, each with the vendor's own name. */
  readonly vendorNames: Readonly<Record<string, string>>;
  /** A completed order, and its expected translation. */
  readonly completed: SpecimenDelivery & { readonly order: TranslatedOrder };
  /** Events that are ignored, at least one of them of an unknown kind. */
  readonly irrelevant: Readonly<Record<string, SpecimenDelivery>>;
  /** A completed order with this text in every free-text field (names, e-mail, SKUs, titles). */
  readonly withText: (text: string) => SpecimenDelivery;
  /** An unsigned test of the address, where the platform has one (see `isPing`). */
  readonly ping?: SpecimenDelivery;
  /** Bodies that must not crash the platform: see `oddJsonBodies`. */
  readonly oddBodies: () => Iterable<Uint8Array>;
}

export interface SpecimenDelivery {
  readonly body: Uint8Array;
  /** Headers other than the signature, with our neutral names. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Credential {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/** Tests every promise of a platform package. You pass your own runner: nothing here imports one. */
export function platformContract(runner: TestRunner, specimen: PlatformSpecimen): void {
  runner.describe(`${specimen.platform.label} keeps the contract of every platform`, () => {
    describeHeads(runner, specimen);
    describeRefusals(runner, specimen);
    describePings(runner, specimen);
    describeSecrets(runner, specimen);
    describeKept(runner, specimen);
    describeTranslation(runner, specimen);
  });
}

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
