/**
 * What the mail server said.
 * `refused` is for a 5xx about this recipient or message, which no retry can mend; everything else that is not
 * acceptance is `try-again`. `answer` is the server's own words, or ours when it said nothing.
 */
export type MailAnswer =
  | { readonly kind: 'accepted'; readonly answer: string }
  | { readonly kind: 'refused'; readonly answer: string }
  | { readonly kind: 'try-again'; readonly answer: string };
