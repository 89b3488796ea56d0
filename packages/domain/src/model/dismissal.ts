/** Something that needs a person, as somebody saw it who decided that it needs nothing. */
export interface Dismissal {
  /** What it is about: see `subjectOfActionItem` and {@link subjectOfRejected}. */
  readonly subject: string;
  /** What was seen: a thing that got worse since, or concerns more, is shown again. */
  readonly seenAt: Date;
  readonly seenCount: number;
  /** Why it needs nothing, in the words of the user who dismissed it. */
  readonly reason: string;
  readonly by: string;
  readonly at: Date;
}

/** What the dismissal of a single rejected request names. Its time is that at which the request was received. */
export function subjectOfRejected(rejectedId: string): string {
  return `rejected ${rejectedId}`;
}

/** A reason is a sentence, not a letter. */
export const MAX_DISMISSAL_REASON = 200;
