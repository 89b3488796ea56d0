import { NOT_CHECKED, type Reception, receive } from '../receive.ts';
import type { PlatformSpecimen } from './platform-contract.ts';
import { forge, SECRET, signInbound, spellAsVendor, summarise } from './sign-inbound.ts';
import type { TestRunner } from './test-runner.ts';

const CONNECTIONS = [{ id: 'main', secrets: [SECRET] }];

/** One test for each reason to refuse, and one that the genuine request is accepted. */
export function describeRefusals({ describe, it, expect }: TestRunner, specimen: PlatformSpecimen): void {
  const { platform } = specimen;
  const genuine = signInbound(specimen);
  const check = (inbound: typeof genuine) => receive(platform, inbound, CONNECTIONS);

  describe('a signature', () => {
    it('is accepted if it is genuine', () => {
      expect(summarise(check(genuine))).toEqual('order');
    });

    for (const [flaw, change] of Object.entries(FLAWS)) {
      it(`that is ${flaw} is refused`, () => {
        expectRefusal(expect, check(forge(specimen, genuine, change)));
      });
    }

    it('with another secret is refused', () => {
      expectRefusal(expect, check(signInbound(specimen, 'a secret that nobody set up')));
    });

    it(`is ${specimen.signsBody ? '' : 'not '}broken by any change of the body`, () => {
      const kinds = flipEachByte(genuine.body).map((body) => check({ ...genuine, body }).kind);
      expect(kinds.every((kind) => (kind === 'refused') === specimen.signsBody)).toEqual(true);
    });

    if (specimen.signature.in === 'headers') describeSpellings({ describe, it, expect }, specimen);
  });
}

function describeSpellings({ it, expect }: TestRunner, specimen: PlatformSpecimen): void {
  const { platform, signature, vendorNames } = specimen;
  const genuine = signInbound(specimen);
  const vendorName = vendorNames[signature.name] ?? signature.name;

  it("is read from the vendor's header where the neutral one is absent", () => {
    expect(receive(platform, spellAsVendor(specimen, genuine), CONNECTIONS)).toEqual(
      receive(platform, genuine, CONNECTIONS),
    );
  });

  it('in the neutral header counts where both are present', () => {
    const { [signature.name]: value } = genuine.headers;
    const both = { ...genuine.headers, [vendorName]: 'wrong', [signature.name]: value };
    expect(receive(platform, { ...genuine, headers: both }, CONNECTIONS).kind).toEqual('translated');
  });

  it('may be surrounded by spaces', () => {
    const padded = forge(specimen, genuine, (value) => `  ${value} `);
    expect(receive(platform, padded, CONNECTIONS).kind).toEqual('translated');
  });
}

const FLAWS: Readonly<Record<string, (genuine: string) => string | readonly string[] | undefined>> = {
  missing: () => undefined,
  empty: () => '',
  blank: () => '   ',
  wrong: (genuine) => genuine.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, (last) => (last === 'a' ? 'b' : 'a')),
  truncated: (genuine) => genuine.slice(0, -1),
  'cut to one character': (genuine) => genuine.slice(0, 1),
  'followed by something': (genuine) => `${genuine}A`,
  'sent twice': (genuine) => [genuine, genuine],
  'sent twice on one line': (genuine) => `${genuine}, ${genuine}`,
  'an empty list': () => [],
  'not ASCII': (genuine) => `${genuine}é`,
  'in look-alike characters': (genuine) => genuine.replace(/[!-~]/g, fullWidth),
  overlong: (genuine) => genuine.repeat(3000),
};

function fullWidth(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + 0xfee0);
}

function flipEachByte(body: Uint8Array): readonly Uint8Array[] {
  return Array.from(body, (byte, index) => body.with(index, byte ^ 1));
}

/** Expects a refusal by a rule, with a reason, and not one because `verify` threw. */
function expectRefusal(expect: TestRunner['expect'], reception: Reception): void {
  expect(reception.kind).toEqual('refused');
  expect(reception.kind === 'refused' && reception.reason === NOT_CHECKED).toEqual(false);
  expect(reception.kind === 'refused' && /^[A-Z].*\.$/.test(reception.reason)).toEqual(true);
}
