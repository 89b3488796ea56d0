import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../../../test/temporary-directory.ts';
import { createOutboxMailer, listOutbox, readOutboxMail } from '../src/index.ts';
import { CLAIM, sampleItem, sampleReceipt } from './sample-receipt.ts';

const FROM = 'orders@get.lumen.audio';
const AT = new Date('2026-10-14T12:02:00.000Z');

async function temporaryDirectory(): Promise<string> {
  return join(await makeTemporaryDirectory(), 'mail');
}

describe('the outbox', () => {
  it('stores each mail in its own file, named by time', async () => {
    const directory = await temporaryDirectory();
    const mailer = createOutboxMailer({ directory, from: FROM, now: () => AT });
    const name = '2026-10-14T12-02-00.000Z-0192f3a8-c41e-7000-8000-000000000001.eml';
    expect(await mailer.send(sampleReceipt(), CLAIM)).toEqual({
      kind: 'accepted',
      answer: `Kept in the outbox as ${name}`,
    });
    expect(await readdir(directory)).toEqual([name]);
    const raw = await readFile(join(directory, name), 'utf8');
    expect(raw).toContain(
      '\r\nMessage-ID: <receipt-0192f3a8-c41e-7000-8000-000000000001@get.lumen.audio>\r\n',
    );
    expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it('lists its mails newest first, also those of the same moment', async () => {
    const directory = await temporaryDirectory();
    const mailer = createOutboxMailer({ directory, from: FROM, now: () => AT });
    for (const productName of ['First', 'Second', 'Third']) {
      await mailer.send(sampleReceipt({ items: [sampleItem({ productName })] }), CLAIM);
    }
    const entries = await listOutbox(directory);
    expect(entries.map(({ subject }) => subject)).toEqual([
      'Your download: Third',
      'Your download: Second',
      'Your download: First',
    ]);
    expect(entries[2]).toEqual({
      name: '2026-10-14T12-02-00.000Z-0192f3a8-c41e-7000-8000-000000000001.eml',
      at: AT,
      from: 'Lumen Audio <orders@get.lumen.audio>',
      to: 'Ana Lima <ana.lima@example.com>',
      subject: 'Your download: First',
    });
    expect(await listOutbox(directory, 1)).toEqual([entries[0]]);
  });

  it('opens a mail by its name', async () => {
    const directory = await temporaryDirectory();
    await createOutboxMailer({ directory, from: FROM }).send(sampleReceipt(), CLAIM);
    const [entry] = await listOutbox(directory);
    expect(await readOutboxMail(directory, entry?.name ?? '')).toEqual({
      subject: 'Your download: Felt Piano',
      from: 'Lumen Audio <orders@get.lumen.audio>',
      to: 'Ana Lima <ana.lima@example.com>',
      replyTo: 'Lumen Audio <help@lumen.audio>',
      date: expect.any(Date),
      html: expect.stringContaining('<!doctype html>'),
      text: expect.stringContaining(sampleItem().downloadUrl),
    });
  });

  it('opens no other file', async () => {
    const directory = await temporaryDirectory();
    await createOutboxMailer({ directory, from: FROM, now: () => AT }).send(sampleReceipt(), CLAIM);
    const [name = ''] = await readdir(directory);
    await writeFile(join(directory, '..', name), 'Subject: not yours\r\n\r\n');
    await writeFile(join(directory, 'notes.eml'), 'Subject: not ours\r\n\r\n');
    for (const other of ['', '.', '..', 'notes.eml', `../${name}`, `./${name}`, `..\\${name}`, `${name}\0`]) {
      expect(await readOutboxMail(directory, other)).toBeNull();
    }
    expect(await readOutboxMail(directory, name.replace('12-02', '12-03'))).toBeNull();
    expect(await listOutbox(directory)).toHaveLength(1);
  });

  it('is empty before the first mail', async () => {
    expect(await listOutbox(await temporaryDirectory())).toEqual([]);
  });

  it('writes many mails at once, and closes when all are written', async () => {
    const directory = await temporaryDirectory();
    const mailer = createOutboxMailer({ directory, from: FROM });
    const sending = Array.from({ length: 20 }, () => mailer.send(sampleReceipt(), CLAIM));
    await mailer.close();
    expect(await readdir(directory)).toHaveLength(20);
    expect((await Promise.all(sending)).every(({ kind }) => kind === 'accepted')).toBe(true);
  });

  it('reports a failed write, and leaves no partial file', async () => {
    const directory = await temporaryDirectory();
    await writeFile(directory, 'in the way');
    const answer = await createOutboxMailer({ directory, from: FROM }).send(sampleReceipt(), CLAIM);
    expect(answer).toEqual({ kind: 'try-again', answer: expect.stringMatching(/^The outbox did not take/) });
  });

  it('refuses an address that cannot receive mail', async () => {
    const mailer = createOutboxMailer({ directory: await temporaryDirectory(), from: FROM });
    const to = { email: 'not an address', name: '' };
    expect((await mailer.send(sampleReceipt({ to }), CLAIM)).kind).toBe('refused');
  });
});
