import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startMailServer } from '../mail-server.ts';

async function startTrial() {
  const server = await startMailServer(['worker-1']);
  onTestFinished(server.close);
  return server;
}

/** A client that has sent its whole mail and not read the answer yet. */
async function sendMail(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await hear(socket, '220');
  for (const line of ['HELO test', 'MAIL FROM:<shop@example.test>', 'RCPT TO:<ana@example.test>']) {
    socket.write(`${line}\r\n`);
    await hear(socket, '250');
  }
  socket.write('DATA\r\n');
  await hear(socket, '354');
  await new Promise((resolve) =>
    socket.write('Message-ID: <one@test>\r\n\r\nHere.\r\n.\r\n', () => resolve(null)),
  );
  return socket;
}

async function hear(socket: Socket, code: string): Promise<void> {
  const [data] = await once(socket, 'data');
  expect(String(data)).toMatch(new RegExp(`^${code}`));
}

it('knows which program sent a mail, and that it read the answer', async () => {
  const server = await startTrial();
  await hear(await sendMail(server.url('worker-1')), '250');
  expect(server.copies).toMatchObject([
    { messageId: '<one@test>', to: 'ana@example.test', program: 'worker-1', answered: true },
  ]);
});

it('knows that a program that crashed during the transfer read no answer', async () => {
  const server = await startTrial();
  await server.setMood('delays');
  (await sendMail(server.url('worker-1'))).destroy();
  await vi.waitUntil(() => server.copies.length > 0, 10_000);
  expect(server.copies).toMatchObject([{ messageId: '<one@test>', answered: false }]);
});
