/** Names of types and states without what differs between their spellings: `Product Purchased`, `product_purchased`. */
export function normalizeName(name: string | undefined): string {
  return (name ?? '').toLowerCase().replace(/[\s_-]+/g, '');
}
