export interface Answered {
  /** Of all commands that the piece completed, in one text. */
  readonly answer: string;
  readonly isOver: boolean;
}

export interface Conversation {
  readonly greeting: string;
  receive(piece: Buffer): Answered;
}

const LINE_END = Buffer.from('\r\n');
const MAIL_END = Buffer.from('\r\n.\r\n');

/** Most mail servers offer these. */
const EXTENSIONS = '250-bench.test\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n';

/**
 * The side of a mail server that accepts every mail and reads only who it is for. A library would take a tenth of the
 * processor time of a whole order, and what is measured shares the processors with it.
 */
export function createConversation(onMail: (recipients: readonly string[]) => void): Conversation {
  const bytes = createUnread();
  let recipients: string[] = [];
  let isInMail = false;

  function endMail(): string | null {
    if (!bytes.skip(MAIL_END)) return null;
    isInMail = false;
    onMail(recipients);
    recipients = [];
    return '250 OK: message queued\r\n';
  }

  function answerCommand(): string | null {
    const line = bytes.takeUntil(LINE_END);
    if (line === null) return null;
    const command = line.slice(0, 4).toUpperCase();
    switch (command) {
      case 'EHLO':
        return EXTENSIONS;
      case 'RCPT':
        recipients.push(/<([^>]*)>/.exec(line)?.[1] ?? '');
        return '250 Accepted\r\n';
      case 'DATA':
        isInMail = true;
        return '354 End data with <CR><LF>.<CR><LF>\r\n';
      case 'QUIT':
        return '221 Bye\r\n';
      default:
        if (command === 'MAIL' || command === 'RSET') recipients = [];
        return '250 OK\r\n';
    }
  }

  return {
    greeting: '220 bench.test ESMTP\r\n',
    receive: (piece) => {
      bytes.add(piece);
      let answer = '';
      for (;;) {
        const next = isInMail ? endMail() : answerCommand();
        if (next === null) return { answer, isOver: false };
        answer += next;
        if (next.startsWith('221')) return { answer, isOver: true };
      }
    },
  };
}

/** What came in and was not read yet. */
function createUnread() {
  let unread: Buffer = Buffer.alloc(0);
  return {
    add: (piece: Buffer): void => {
      unread = unread.length === 0 ? piece : Buffer.concat([unread, piece]);
    },
    /** Null: the end is not there yet. */
    takeUntil: (end: Buffer): string | null => {
      const at = unread.indexOf(end);
      if (at === -1) return null;
      const taken = unread.toString('latin1', 0, at);
      unread = unread.subarray(at + end.length);
      return taken;
    },
    /** Drops everything up to this end; false: it is not there yet. */
    skip: (end: Buffer): boolean => {
      const at = unread.indexOf(end);
      // The end may be divided between two pieces.
      unread = unread.subarray(at === -1 ? Math.max(0, unread.length - end.length + 1) : at + end.length);
      return at !== -1;
    },
  };
}
