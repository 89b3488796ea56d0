/** Why requests about products and versions are refused: in the answer, and in the reference. */
interface Refusal {
  readonly sentence: string;
  readonly docs: string;
}

export const UNKNOWN_PRODUCT: Refusal = {
  sentence: 'There is no such product. Use its id, not its slug.',
  docs: 'No product of your organisation has this id.',
};

export const UNKNOWN_VERSION: Refusal = {
  sentence: 'There is no such version of this product.',
  docs: 'No version of a product of your organisation has these ids.',
};

export const FROZEN_VERSION: Refusal = {
  sentence: 'This version was active, so its files stay as they are. Make a new version.',
  docs: 'The version was active, so its files stay as they are.',
};
