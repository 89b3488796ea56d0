import type { ItemGroup, ItemWords, LetterWords } from './letter-words.ts';

/** The plain-text part: the same sentences. */
export function letterText(words: LetterWords): string {
  const paragraphs = [
    words.heading,
    words.lead('link'),
    words.library?.url ?? '',
    ...words.groups.flatMap(groupText),
    [...words.lifetime, `${words.renewal.sentence} ${words.renewal.url}`].join('\n'),
    words.order ?? '',
    words.help.join('\n'),
    `-- \n${words.shop}`,
  ];
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`;
}

function groupText({ shop, items }: ItemGroup): string[] {
  const heading = shop && [shop.name, ...(shop.replyTo === null ? [] : [shop.replyTo])].join(', ');
  return [...(heading ? [heading] : []), ...items.map(itemText)];
}

function itemText({ title, files, aside, url }: ItemWords): string {
  return [title, files, ...(aside ? [aside] : []), url].join('\n');
}
