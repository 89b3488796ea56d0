import { describe, expect, test } from 'vitest';
import { decodeHtml, formTokenOf, openDashboard } from './open-dashboard.ts';

const NEW = '/dashboard/products/new';

describe('a form of the dashboard', () => {
  test('is taken from a page of this session', async () => {
    const it = await openDashboard();
    const member = await it.signIn('member');
    const answer = await member.submit(NEW, NEW, { name: 'Tape Loops' });
    expect(answer.statusCode).toBe(303);
    const page = await member.get(answer.headers.location ?? '');
    expect(page.body).toContain('Tape Loops is added');
    // Said once.
    expect((await member.get(answer.headers.location ?? '')).body).not.toContain('Tape Loops is added');
  });

  test('may carry its token in a header', async () => {
    const it = await openDashboard();
    const member = await it.signIn('member');
    const token = formTokenOf((await member.get(NEW)).body);
    const answer = await member.post(NEW, { name: 'Tape Loops' }, { 'x-form-token': token });
    expect(answer.statusCode).toBe(303);
  });

  test.each(['none', ''])('without a token (%o) changes nothing', async (token) => {
    const it = await openDashboard();
    const member = await it.signIn('member');
    const answer = await member.post(NEW, { name: 'Tape Loops', 'form-token': token });
    expect(answer.statusCode).toBe(409);
    expect((await member.get('/dashboard/products')).body).not.toContain('Tape Loops');
  });

  test('from another session or too long ago is kept, to be sent once more', async () => {
    const it = await openDashboard();
    const member = await it.signIn('member');
    const other = await it.signIn('member');
    const foreign = formTokenOf((await other.get(NEW)).body);
    it.clock.advance(20 * 60_000);
    const stale = await member.post(NEW, {
      name: 'Tape “Loops” <1>',
      description: 'a\nb',
      'form-token': foreign,
    });
    expect(stale.statusCode).toBe(409);
    expect(stale.body).toContain(
      'This page is from 20 minutes ago. We kept what you typed; please press once more.',
    );
    const fields = Object.fromEntries(
      [...stale.body.matchAll(/<input type="hidden" name="(name|description)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, decodeHtml(value)],
      ),
    );
    expect(fields).toEqual({ name: 'Tape “Loops” <1>', description: 'a\nb' });
    const again = await member.post(NEW, { ...fields, 'form-token': formTokenOf(stale.body) });
    expect(again.statusCode).toBe(303);

    const old = formTokenOf((await member.get(NEW)).body);
    it.clock.advance(13 * 60 * 60_000);
    expect((await member.post(NEW, { name: 'Late', 'form-token': old })).body).toContain('from 13 hours ago');
  });

  test('is kept while one signs in again', async () => {
    const it = await openDashboard();
    const answer = await it.visitor().post(NEW, { name: 'Tape Loops', 'form-token': 'old' });
    expect(answer.statusCode).toBe(401);
    expect(answer.body).toContain('We kept what you typed');
    expect(answer.body).toContain('name="name" value="Tape Loops"');
  });

  test('never shows again what is secret', async () => {
    const it = await openDashboard();
    const member = await it.signIn('member');
    const { body } = await member.post(NEW, { secret: 'whsec_1', name: 'Tape' });
    expect(body).not.toContain('<dd>whsec_1</dd>');
    expect(body).toContain('<dd>••••••</dd>');
  });

  test.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'none' }, 403],
    [{ 'sec-fetch-site': undefined, origin: 'https://evil.example' }, 403],
    [{ 'sec-fetch-site': undefined, origin: 'null' }, 403],
    [{ 'sec-fetch-site': undefined, origin: 'http://shop.test' }, 303],
    [{ 'sec-fetch-site': undefined }, 303],
  ])('is taken only from our own site (%o)', async (headers, status) => {
    const it = await openDashboard();
    const member = await it.signIn('member');
    const token = formTokenOf((await member.get(NEW)).body);
    const sent = JSON.parse(JSON.stringify(headers));
    const answer = await it.app.inject({
      method: 'POST',
      url: NEW,
      headers: {
        ...sent,
        cookie: [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams({ name: 'Tape Loops', 'form-token': token }).toString(),
    });
    expect(answer.statusCode).toBe(status);
  });

  test('of another type than a form is told so', async () => {
    const it = await openDashboard();
    const member = await it.signIn('member');
    const answer = await it.app.inject({
      method: 'POST',
      url: NEW,
      headers: {
        cookie: [...member.cookies].map((pair) => pair.join('=')).join('; '),
        'content-type': 'text/plain',
      },
      payload: 'name=x',
    });
    expect(answer.statusCode).toBe(415);
    expect(answer.headers['content-type']).toContain('text/html');
  });
});
