/** Longer ones are filters that a user can set again. */
const MAX_LENGTH = 500;

/**
 * A page of the dashboard. No path of a page has a dot or anything encoded, so `..` leads nowhere. An address that ends in `.csv`
 * is not a page: the browser would save the file, and stay on the page of the sign-in.
 */
const PAGE = /^\/dashboard\/[\w\-/]*(?:\?[\w\-./?=&%+]*)?$/;
/** Other files, and parts of pages. */
const NO_PAGE = /\/(?:payload|live|results|html)(?:\?|$)/;

/** The page to go back to after a sign-in: only one of the dashboard. Null: none, or another address. */
export function readReturn(to: string | null): string | null {
  return to !== null && to.length <= MAX_LENGTH && PAGE.test(to) && !NO_PAGE.test(to) ? to : null;
}

/** The address of a page that leads back to `to`. */
export function withReturn(path: string, to: string | null): string {
  return to === null ? path : `${path}?${new URLSearchParams({ to })}`;
}
