import type { IncomingHttpHeaders } from 'node:http';
import type { Toast } from '../dashboard/parts/toast.ts';

/** The cookies of the dashboard. `__Host-` and Secure where the site is reached over https; browsers refuse both elsewhere. */
export interface Cookies {
  readSession(headers: IncomingHttpHeaders): string | null;
  setSession(token: string): string;
  clearSession(): string;
  /** A toast for the page that comes next. */
  readToast(headers: IncomingHttpHeaders): Toast | null;
  setToast(toast: Toast): string;
  clearToast(): string;
}

/** As long as a session can last; whether it still does, the server says. */
const SESSION_MAX_AGE_S = 90 * 24 * 60 * 60;
const TOAST_MAX_AGE_S = 60;

export function createCookies(siteUrl: string): Cookies {
  const secure = siteUrl.startsWith('https:');
  const session = secure ? '__Host-handover' : 'handover';
  const toast = secure ? '__Host-handover-toast' : 'handover-toast';
  const write = (name: string, value: string, maxAge: number) =>
    `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    readSession: (headers) => readCookie(headers, session),
    setSession: (token) => write(session, token, SESSION_MAX_AGE_S),
    clearSession: () => write(session, '', 0),
    readToast: (headers) => parseToast(readCookie(headers, toast)),
    setToast: (value) =>
      write(toast, Buffer.from(JSON.stringify(value)).toString('base64url'), TOAST_MAX_AGE_S),
    clearToast: () => write(toast, '', 0),
  };
}

function readCookie({ cookie = '' }: IncomingHttpHeaders, name: string): string | null {
  for (const pair of cookie.split(';')) {
    const [key, value] = pair.split('=', 2);
    if (key?.trim() === name) return value?.trim() || null;
  }
  return null;
}

/** Anybody can send a cookie, so it is taken for text and no more. */
function parseToast(value: string | null): Toast | null {
  if (value === null) return null;
  try {
    const { title, sentence } = JSON.parse(Buffer.from(value, 'base64url').toString());
    if (typeof title !== 'string') return null;
    return typeof sentence === 'string' ? { title, sentence } : { title };
  } catch {
    return null;
  }
}
