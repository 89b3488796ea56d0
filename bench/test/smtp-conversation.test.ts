import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createConversation } from '../speed/smtp-conversation.ts';

const CONVERSATION = [
  'EHLO shop.test\r\n',
  'MAIL FROM:<shop@bench.test>\r\nRCPT TO:<ada@example.test>\r\nDATA\r\n',
  'Subject: DATA\r\n\r\nRCPT TO:<nobody@example.test>\r\n..\r\n.\r\n',
  'MAIL FROM:<shop@bench.test>\r\nRCPT TO:<nobody@example.test>\r\nRSET\r\nMAIL FROM:<shop@bench.test>\r\n',
  'RCPT TO:<bob@example.test>\r\nRCPT TO:<eve@example.test>\r\nDATA\r\n',
  'Hello\r\n.\r\nQUIT\r\n',
].join('');

it('reads who each mail is for, in whatever pieces the bytes come, and answers each command once', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }), (lengths) => {
      const mails: string[][] = [];
      const conversation = createConversation((recipients) => mails.push([...recipients]));
      let answers = '';
      let isOver = false;
      for (let at = 0, piece = 0; at < CONVERSATION.length; piece += 1) {
        const length = lengths[piece % lengths.length] ?? 1;
        const answered = conversation.receive(Buffer.from(CONVERSATION.slice(at, at + length)));
        answers += answered.answer;
        isOver ||= answered.isOver;
        at += length;
      }
      expect(mails).toEqual([['ada@example.test'], ['bob@example.test', 'eve@example.test']]);
      expect(isOver).toBe(true);
      const codes = answers.split('\r\n').filter((line) => /^\d{3} /.test(line));
      expect(codes.map((line) => line.slice(0, 3)).join(' ')).toBe(
        '250 250 250 354 250 250 250 250 250 250 250 354 250 221',
      );
    }),
  );
});
