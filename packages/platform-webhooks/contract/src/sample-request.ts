/** What one request carries to a platform's endpoint. */
export interface SignedRequest {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** The sale of a sample order. */
export interface SampleSale {
  /** Digits. */
  readonly orderId: string;
  readonly email: string;
  /** Of the buyer; the sample's own where it is left out. */
  readonly name?: string;
  readonly sku: string;
  /** For platforms whose webhook path does not name the organisation. */
  readonly orgId?: string;
  /** An order that was placed but is still to be paid. Platforms that announce only paid ones disregard it. */
  readonly unpaid?: boolean;
}

/** Members of a sample, in the vendor's shape. */
export type SampleMembers = Readonly<Record<string, unknown>>;

/**
 * The JSON of a sample. Its ids are text here and bare numbers in the body: they are wider than JavaScript's numbers, and
 * `JSON.rawJSON` writes all their digits.
 */
export function writeSample(sample: SampleMembers): string {
  return JSON.stringify(sample, (key, value: unknown) => {
    const isId = /(^|_)id$/.test(key) && typeof value === 'string' && /^(0|[1-9]\d*)$/.test(value);
    return isId ? rawJSON(value) : value;
  });
}

/** Node has it, TypeScript's ES2024 does not yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
