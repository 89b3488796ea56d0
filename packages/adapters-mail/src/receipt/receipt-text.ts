import type { ItemWords, ReceiptWords } from './receipt-words.ts';

/** The mail for those who read plain text: the same sentences. */
export function receiptText(words: ReceiptWords): string {
  const paragraphs = [
    words.heading,
    words.lead('link'),
    ...words.items.flatMap(itemText),
    words.lifetime.join('\n'),
    words.order,
    words.help ?? '',
    `-- \n${words.shop}`,
  ];
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`;
}

function itemText({ title, files, amount, url }: ItemWords): string[] {
  return [[title, files, ...(amount ? [amount] : []), url].join('\n')];
}
