/** Whom an event of the shared platform is for, by its own words. */
export type TenantRef =
  /** The account it happened in: only what the service's operator mapped it to counts. */
  | { readonly kind: 'account'; readonly account: string }
  /** The organisation that the seller's own server named. It need not exist. */
  | { readonly kind: 'organisation'; readonly orgId: string }
  | {
      readonly kind: 'nobody';
      /** A sentence for the operator. */
      readonly reason: string;
    };
