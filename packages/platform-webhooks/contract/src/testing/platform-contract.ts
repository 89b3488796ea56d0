import type { TranslatedOrder } from '@handover/domain';
import type { PlatformWebhook } from '../platform-webhook.ts';
import { describeHeads } from './describe-heads.ts';
import { describeKept } from './describe-kept.ts';
import { describePings } from './describe-pings.ts';
import { describeRefusals } from './describe-refusals.ts';
import { describeSecrets } from './describe-secrets.ts';
import { describeTranslation } from './describe-translation.ts';
import type { TestRunner } from './test-runner.ts';

/** A platform with all that its contract needs to be tried. */
export interface PlatformSpecimen {
  readonly platform: PlatformWebhook;
  /** What a genuine sender adds to this body: headers under our neutral names, or query parameters. */
  readonly signForTest: (secret: string, body: Uint8Array) => Credential;
  /** Where the signature is. */
  readonly signature: { readonly in: 'headers' | 'query'; readonly name: string };
  /** Whether the signature is over the body: changing a bit of it must then be refused. */
  readonly signsBody: boolean;
  /** Our neutral header names, each with the vendor's own. */
  readonly vendorNames: Readonly<Record<string, string>>;
  /** A completed order, and what must be made of it. */
  readonly completed: SpecimenDelivery & { readonly order: TranslatedOrder };
  /** Events that are none of our business, at least one of them of a kind that does not exist. */
  readonly irrelevant: Readonly<Record<string, SpecimenDelivery>>;
  /** A completed order in which every free text (names, e-mail, SKUs, titles) is this one. */
  readonly withText: (text: string) => SpecimenDelivery;
  /** What an unsigned trial of the address looks like, where the platform knows one (see `isPing`). */
  readonly ping?: SpecimenDelivery;
  /** Bodies that must be survived: see `oddJsonBodies`. */
  readonly oddBodies: () => Iterable<Uint8Array>;
}

export interface SpecimenDelivery {
  readonly body: Uint8Array;
  /** Besides the signature, under our neutral names. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Credential {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/** Every promise of a platform package, tried one by one. The runner is yours: nothing here imports one. */
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
