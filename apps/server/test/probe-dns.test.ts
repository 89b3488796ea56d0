import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { createTextRecords, probeDns } from '../src/doctor/examine-installation.ts';

const TXT = 16;

/** A name server that knows these texts, and no other name. */
async function startNameServer(texts: Readonly<Record<string, readonly string[]>>): Promise<Resolver> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const question = query.subarray(12, at + 5);
    const answers = texts[labels.join('.').toLowerCase()] ?? [];
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(answers.length > 0 ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(answers.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, question, ...answers.map(formatText)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  const resolver = new Resolver({ timeout: 5_000, tries: 2 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return resolver;
}

/** A record for the name of the question. Texts of more than 255 bytes come in pieces. */
function formatText(text: string): Buffer {
  const pieces = text.match(/.{1,255}/g) ?? [];
  const data = Buffer.concat(
    pieces.map((piece) => Buffer.concat([Buffer.from([piece.length]), Buffer.from(piece)])),
  );
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(TXT, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

it('asks a name server for SPF, the usual DKIM keys, and the policy of the domain above', async () => {
  const key = `v=DKIM1; k=rsa; p=${'A'.repeat(390)}`;
  const records = createTextRecords(
    await startNameServer({
      'mail.shop.org': ['google-site-verification=x', 'v=spf1 include:mail.org -all'],
      'k1._domainkey.mail.shop.org': [key],
      // Revoked.
      's1._domainkey.mail.shop.org': ['v=DKIM1; p='],
      '_dmarc.shop.org': ['v=DMARC1; p=reject'],
    }),
  );
  expect(await probeDns(records, 'mail.shop.org', null)).toEqual({
    domain: 'mail.shop.org',
    spf: ['v=spf1 include:mail.org -all'],
    dkim: { asked: expect.arrayContaining(['default', 'google', 'k1']), found: ['k1'] },
    dmarc: ['v=DMARC1; p=reject'],
  });
  expect(await probeDns(records, 'mail.shop.org', 's1')).toMatchObject({
    dkim: { asked: ['s1'], found: [] },
  });
  expect(await records.list('nobody.org')).toEqual([]);
});

it('says that nobody could be asked, where the name server does not answer', async () => {
  const records = { list: async () => Promise.reject(new Error('queryTxt ETIMEOUT')) };
  const failed = { error: 'queryTxt ETIMEOUT' };
  expect(await probeDns(records, 'shop.org', null)).toMatchObject({
    spf: failed,
    dkim: failed,
    dmarc: failed,
  });
});

it.each(['localhost', 'shop.test', 'mail.internal'])(
  'asks nobody for %s, which is not a public domain',
  async (domain) => {
    const records = { list: async () => Promise.reject(new Error('asked')) };
    expect(await probeDns(records, domain, null)).toBe(null);
  },
);
