import { createUser, issueSignInLink, type Role } from '@handover/domain';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { openTestShop, type TestShop } from './open-test-shop.ts';

/** A browser, as far as the dashboard needs one: it keeps cookies, and reads the token out of the page it is on. */
export interface SignedInUser {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  /** Sends a form as a page of ours would. */
  post(
    path: string,
    fields?: Record<string, string> | [string, string][],
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
  /** As `post`, with the token that the given page holds. */
  submit(onPage: string, path: string, fields?: Record<string, string>): Promise<LightMyRequestResponse>;
}

export interface OpenedDashboard extends TestShop {
  signedInUser(): SignedInUser;
  /** Somebody of the shop, or of none, signed in. */
  signIn(
    role: Role | null,
    orgId?: string,
  ): Promise<SignedInUser & { readonly email: string; readonly userId: string }>;
}

export async function openDashboard(...options: Parameters<typeof openTestShop>): Promise<OpenedDashboard> {
  const testShop = await openTestShop(...options);
  const signedInUser = () => makeSignedInUser(testShop);
  return {
    ...testShop,
    signedInUser,
    signIn: async (role, orgId = testShop.shop.orgId) => {
      const email = `${testShop.ports.ids.next()}@example.com`;
      const membership = role === null ? null : { orgId, role };
      const created = await createUser(testShop.ports, { email, name: 'Jana Vogel', membership });
      if (created.kind !== 'created') throw new Error(created.kind);
      const issued = await issueSignInLink(testShop.ports, email);
      if (issued.kind !== 'issued') throw new Error(issued.kind);
      const browser = signedInUser();
      const answer = await browser.post(new URL(issued.url).pathname);
      if (answer.statusCode !== 303) throw new Error(`Signing in answered ${answer.statusCode}.`);
      return { ...browser, email, userId: created.user.id };
    },
  };
}

/** Text as it was before it was escaped. */
export function decodeHtml(text: string): string {
  const named = { lt: '<', gt: '>', amp: '&', quot: '"' };
  return text.replace(/&(?:#(\d+)|(lt|gt|amp|quot));/g, (_, code?: string, name?: keyof typeof named) =>
    name ? named[name] : String.fromCharCode(Number(code)),
  );
}

export function csrfTokenOf(body: string): string {
  return /name="form-token" value="([^"]+)"/.exec(body)?.[1] ?? '';
}

export function cookieOf({ cookies }: Pick<SignedInUser, 'cookies'>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** The token that a page holds for its scripts. */
export async function scriptTokenOf(browser: SignedInUser, page: string): Promise<string> {
  return /name="form-token" content="([^"]+)"/.exec((await browser.get(page)).body)?.[1] ?? '';
}

/** What the forms of a page bring along unseen. */
export function hiddenFieldsOf(body: string): Record<string, string> {
  return Object.fromEntries(hiddenPairsOf(body));
}

/** As {@link hiddenFieldsOf}, where a name has several values. */
export function hiddenPairsOf(body: string): [string, string][] {
  const fields = body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
  return [...fields].map(([, name = '', value = '']) => [name, decodeHtml(value)]);
}

function makeSignedInUser({ app }: TestShop): SignedInUser {
  const cookies = new Map<string, string>();
  const send = async (request: InjectOptions) => {
    const headers = { ...request.headers, cookie: cookieOf({ cookies }) };
    const answer = await app.inject({ ...request, headers });
    // Work that begins once the answer is sent is done as well.
    await new Promise((resolve) => setImmediate(resolve));
    for (const { name, value } of answer.cookies) {
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  const get: SignedInUser['get'] = (path, headers = {}) => send({ method: 'GET', url: path, headers });
  const post: SignedInUser['post'] = (path, fields = {}, headers = {}) =>
    send({
      method: 'POST',
      url: path,
      headers: {
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      payload: new URLSearchParams(fields).toString(),
    });
  return {
    cookies,
    get,
    post,
    submit: async (onPage, path, fields = {}) => {
      const { body } = await get(onPage);
      return post(path, { 'form-token': csrfTokenOf(body), ...fields });
    },
  };
}
