/** What one request carries to a platform's endpoint. */
export interface SignedRequest {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** What a sample order is told about its sale. */
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
