/** An exact decimal and its currency: 49.00 EUR, 1,250.00 EUR. The digits are those that were given. */
export function moneyInWords(amount: string, currency: string): string {
  const [whole = '', fraction] = amount.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${fraction === undefined ? grouped : `${grouped}.${fraction}`} ${currency}`;
}

/** 8412 as 8,412. */
export function countInWords(count: number): string {
  return COUNT.format(count);
}

const COUNT = new Intl.NumberFormat('en-GB');

/** "1 order", "3 orders": the plural is the noun with an s, unless another is given. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${countInWords(count)} ${count === 1 ? noun : plural}`;
}
