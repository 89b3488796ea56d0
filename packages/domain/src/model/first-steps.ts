/** How far a new organisation has come. */
export interface FirstSteps {
  /** The currency of orders that name none is chosen. */
  readonly hasCurrency: boolean;
  /** A product has a version that can be downloaded. */
  readonly hasUploaded: boolean;
  /** A shop has a secret, or an account is mapped. */
  readonly hasConnected: boolean;
  /** An order came in, of whatever outcome. */
  readonly hasReceived: boolean;
  /** Something was sold, by webhook or by hand. */
  readonly hasSold: boolean;
}
