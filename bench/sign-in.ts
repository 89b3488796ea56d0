/** Opens a session of the dashboard with a link that is good for once. @returns the session's cookie. */
export async function followSignInLink(url: string, link: string): Promise<string> {
  const { pathname } = new URL(link);
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await fetch(`${url}${pathname}`, { method: 'POST', headers, redirect: 'manual' });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}
