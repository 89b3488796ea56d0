/** Why a text cannot be the label of a new platform; null where it can. */
export function findLabelObjection(label: string): string | null {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(label) || label.length > 40) {
    return `“${label}” is not a label. A label is part of webhook URLs: it is made of small letters, digits and single hyphens, and begins with a letter, such as cart-b.`;
  }
  return TAKEN.has(label) ? `“${label}” means something else already. Choose another label.` : null;
}

/** Addresses and sources of sales beside those of the platforms; the last is the template's own name. */
const TAKEN: ReadonlySet<string> = new Set(['download-complete', 'api', 'dashboard', 'new-platform']);
