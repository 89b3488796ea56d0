// An SMTP server in its own process that accepts everything. It periodically reports to its parent who was mailed
// when: [address, milliseconds by the clock that all processes of a machine share].
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sharedNow } from './shared-now.ts';
import { createConversation } from './smtp-conversation.ts';

const TELL_EVERY_MS = 10;
let mailed: [string, number][] = [];

const server = createServer({ noDelay: true }, (socket) => {
  const conversation = createConversation((recipients) => {
    const at = sharedNow();
    for (const address of recipients) mailed.push([address, at]);
  });
  socket.on('error', () => undefined);
  socket.on('data', (piece) => {
    const { answer, isOver } = conversation.receive(piece);
    if (isOver) socket.end(answer);
    else if (answer !== '') socket.write(answer);
  });
  socket.write(conversation.greeting);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.((server.address() as AddressInfo).port);
setInterval(() => {
  if (mailed.length > 0) process.send?.(mailed);
  mailed = [];
}, TELL_EVERY_MS);
process.on('disconnect', () => process.exit());
