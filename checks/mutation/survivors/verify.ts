import type { SurvivorsByFile } from '../survivors.ts';

export const VERIFY: SurvivorsByFile = {
  'packages/platform-webhooks/payments-a/src/verify.ts': [
    {
      line: "const valuesOf = (scheme: string) => parts.flatMap((part) => (part?.[1] === scheme ? [part[2] ?? ''] : []));",
      change: 'part?.[1] → part[1]',
      reason: 'A part that does not match is refused before.',
    },
    {
      line: "const valuesOf = (scheme: string) => parts.flatMap((part) => (part?.[1] === scheme ? [part[2] ?? ''] : []));",
      change: `'' → "Stryker was here!"`,
      reason: 'A part that matches has a value, if only an empty one.',
    },
    {
      line: "return wellFormed ? { kind: 'signatures', timestamp, signatures } : refuse(MALFORMED);",
      change: `'signatures' → ""`,
      reason: 'The caller asks only whether the header is refused.',
    },
  ],
  'packages/platform-webhooks/contract/src/verification.ts': [
    {
      line: "const DECOY = { id: 'decoy', secret: randomBytes(32).toString('hex') };",
      change: `'decoy' → ""`,
      reason: 'The id of the decoy is never shown.',
    },
  ],
  'packages/platform-webhooks/checkout-a-classic/src/verify.ts': [
    {
      line: "return createHash('md5').update(data).update(key, 'utf8').digest('hex');",
      change: `'utf8' → ""`,
      reason: 'Node takes no encoding for UTF-8.',
    },
    {
      line: "const text = Buffer.from(data, 'utf8');",
      change: `'utf8' → ""`,
      reason: 'Node takes no encoding for UTF-8.',
    },
    {
      line: "const pairs = form.kind === 'pairs' ? form.pairs : [];",
      change: '[] → ["Stryker was here"]',
      reason: 'The first character of a text is the name of no field.',
    },
    {
      line: 'return values.length > 0 ? values : undefined;',
      change: 'values.length > 0 → true',
      reason: 'An empty list is as missing as none.',
    },
    {
      line: 'return values.length > 0 ? values : undefined;',
      change: 'values.length > 0 → values.length >= 0',
      reason: 'An empty list is as missing as none.',
    },
  ],
};
