import type { AlertWords, NoticeWords } from './alert-words.ts';

/** The plain-text part: the same sentences. */
export function alertText(words: AlertWords): string {
  const paragraphs = [
    words.heading,
    words.lead,
    ...words.notices.map((notice) => noticeText(notice, words.notices.length > 1)),
    words.more ?? '',
    words.notices.length > 1 ? `${words.button.label}:\n${words.button.url}` : '',
    words.why,
    `-- \n${words.shop}`,
  ];
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`;
}

function noticeText({ title, reason, facts, url }: NoticeWords, isTitled: boolean): string {
  return [...(isTitled ? [`${title}.`] : []), reason, facts, url].join('\n');
}
