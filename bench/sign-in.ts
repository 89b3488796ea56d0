import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readStartCommand } from '../test/start-command.ts';
import type { TrialServer } from './trial-server.ts';

/** Signs a user in at the dashboard. @returns the cookie of the session. */
export async function signIn({ dataDir, url }: TrialServer, email: string): Promise<string> {
  const env = { ...process.env, DATA_DIR: dataDir, PORT: new URL(url).port };
  const words = [...readStartCommand().args, 'sign-in-link', '--email', email, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, words, { env });
  return followSignInLink(url, JSON.parse(stdout).signInUrl);
}

/** Opens a session with a link that is good for once. @returns its cookie. */
export async function followSignInLink(url: string, link: string): Promise<string> {
  const { pathname } = new URL(link);
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await fetch(`${url}${pathname}`, { method: 'POST', headers, redirect: 'manual' });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}
