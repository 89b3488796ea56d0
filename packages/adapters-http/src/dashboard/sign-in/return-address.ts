/** Longer ones are filters that a user can set again. */
const MAX_LENGTH = 500;

/** The page to go back to after a sign-in: only one of the dashboard. Null: none, or another address. */
export function readReturn(to: string | null): string | null {
  if (to === null || to.length > MAX_LENGTH || !/^\/dashboard\/[\w\-./?=&%+]*$/.test(to)) return null;
  // As a browser resolves it: `..` can lead out of the dashboard, also when it is encoded.
  return URL.parse(to, 'http://dashboard')?.pathname.startsWith('/dashboard/') ? to : null;
}

/** The address of a page that leads back to `to`. */
export function withReturn(path: string, to: string | null): string {
  return to === null ? path : `${path}?${new URLSearchParams({ to })}`;
}
