import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '../../packages/embedded-postgres/src/start-postmaster.ts';
import { endProcess } from '../../test/end-process.ts';

/** A window of WebKit. Each call fails if the process of its page has ended. */
export interface WebKit {
  open(url: string): Promise<void>;
  /** Cookies for the site of the open page. */
  addCookies(cookies: ReadonlyMap<string, string>): Promise<void>;
  /** The window, in pixels; it stays wider than about 450. Resolves once the page has its new width. */
  resize(width: number): Promise<void>;
  /** The value of an expression on the open page. */
  evaluate<Value>(expression: string): Promise<Value>;
  close(): Promise<void>;
}

const HEIGHT = 900;
/** Wider than any window that is asked for. */
const SCREEN = '2800x1400x24';
const START_TRIES = 100;
const START_PAUSE_MS = 100;

/** Starts Debian's WebKit without a screen and controls it by WebDriver: https://www.w3.org/TR/webdriver2/ */
export async function startWebKit(): Promise<WebKit> {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', SCREEN, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const started: ChildProcess[] = [screen];
  const stop = async () => {
    for (const child of started.toReversed()) await endProcess(child);
  };
  try {
    const [display] = await once(screen.stdio[3] as Readable, 'data');
    const port = await findFreePort();
    const env = { ...process.env, DISPLAY: `:${String(display).trim()}` };
    started.push(spawn('WebKitWebDriver', [`--port=${port}`], { stdio: 'ignore', env }));
    return await openWindow(`http://127.0.0.1:${port}`, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openWindow(driver: string, stop: () => Promise<void>): Promise<WebKit> {
  const { sessionId } = await openSession(driver);
  const window = `${driver}/session/${sessionId}`;
  const evaluate = <Value>(expression: string) =>
    send<Value>('POST', `${window}/execute/sync`, { script: `return (${expression});`, args: [] });
  return {
    open: (url) => send('POST', `${window}/url`, { url }),
    addCookies: async (cookies) => {
      for (const [name, value] of cookies) {
        await send('POST', `${window}/cookie`, { cookie: { name, value, path: '/', httpOnly: true } });
      }
    },
    resize: async (width) => {
      const outer = await send<Size>('POST', `${window}/window/rect`, { width, height: HEIGHT });
      await evaluate(untilWidth(outer.width));
    },
    evaluate,
    close: async () => {
      // The session has ended if the page's process has.
      await send('DELETE', window).catch(() => undefined);
      await stop();
    },
  };
}

interface Size {
  readonly width: number;
}

/** The window has no frame at its sides. Its page is laid out anew within two frames. */
function untilWidth(width: number): string {
  return `new Promise((resolve) => {
    const look = () => innerWidth === ${width} ? requestAnimationFrame(() => resolve(null)) : requestAnimationFrame(look);
    look();
  })`;
}

/** The driver listens a moment after its start. */
async function openSession(driver: string): Promise<{ readonly sessionId: string }> {
  const capabilities = {
    alwaysMatch: { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { args: ['--automation'] } },
  };
  for (let tries = 1; ; tries += 1) {
    try {
      return await send('POST', `${driver}/session`, { capabilities });
    } catch (error) {
      if (tries === START_TRIES || !(error instanceof TypeError)) throw error;
      await pause(START_PAUSE_MS);
    }
  }
}

async function send<Value>(method: string, url: string, body?: unknown): Promise<Value> {
  const response = await fetch(url, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const { value }: { readonly value: Value & { readonly message?: string } } = JSON.parse(
    await response.text(),
  );
  if (!response.ok) throw new Error(`WebKit does not answer to ${url}: ${value.message ?? response.status}`);
  return value;
}
