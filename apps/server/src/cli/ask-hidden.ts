import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';

/** Prompts at a terminal and hides the input. Null: the prompt was cancelled. */
export function askHidden(input: Readable, output: Writable, question: string): Promise<string | null> {
  output.write(question);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: unseen, terminal: true, historySize: 0 });
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    // Ctrl-C, Ctrl-D and the answer close it.
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => {
      output.write('\n');
      resolve(null);
    });
  });
}
