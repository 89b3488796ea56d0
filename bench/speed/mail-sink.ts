// An SMTP server in its own process that accepts everything. It periodically reports to its parent who was mailed
// when: [address, milliseconds by the clock that all processes of a machine share].
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { sharedNow } from './shared-now.ts';

const TELL_EVERY_MS = 10;
let mailed: [string, number][] = [];

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  logger: false,
  onData: (stream, session, done) => {
    stream.resume();
    stream.on('end', () => {
      const at = sharedNow();
      for (const { address } of session.envelope.rcptTo) mailed.push([address, at]);
      done();
    });
  },
});
server.on('error', () => undefined);
server.listen(0, '127.0.0.1');
await once(server.server, 'listening');
process.send?.((server.server.address() as AddressInfo).port);
setInterval(() => {
  if (mailed.length > 0) process.send?.(mailed);
  mailed = [];
}, TELL_EVERY_MS);
process.on('disconnect', () => process.exit());
