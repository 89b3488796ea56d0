/** So many tries in one window, which begins with the first of them. */
export interface Limit {
  readonly tries: number;
  readonly windowMs: number;
}

export interface CountedTries {
  /** This one counted. */
  readonly tries: number;
  readonly windowEndsAt: Date;
}

/** Null: the try is one of those that are let through. Else when the window ends. */
export function judgeTries({ tries, windowEndsAt }: CountedTries, limit: Pick<Limit, 'tries'>): Date | null {
  return tries <= limit.tries ? null : windowEndsAt;
}
