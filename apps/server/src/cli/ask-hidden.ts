import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';

/** Asks a person at a terminal, and shows nothing of what they type or paste. Null: they left without an answer. */
export function askHidden(input: Readable, output: Writable, question: string): Promise<string | null> {
  output.write(question);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: unseen, terminal: true, historySize: 0 });
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    // Ctrl-C and Ctrl-D close it, and so does the answer.
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => {
      output.write('\n');
      resolve(null);
    });
  });
}
