import { expect, test } from 'vitest';
import { undoAtEnd } from '../speed/undo-at-end.ts';

test('a second call waits for what the first one is still undoing', async () => {
  const undo = undoAtEnd();
  const { promise, resolve } = Promise.withResolvers<void>();
  const undone: string[] = [];
  undo.later(() => promise.then(() => undone.push('server')));
  const first = undo.all();
  const second = undo.all().then(() => undone.push('second call'));
  setImmediate(resolve);
  await Promise.all([first, second]);
  expect(undone).toEqual(['server', 'second call']);
});

test('what is opened while others are undone is undone, too', async () => {
  const undo = undoAtEnd();
  const undone: string[] = [];
  undo.later(async () => undone.push('database'));
  undo.later(async () => {
    undo.later(async () => undone.push('late server'));
  });
  await undo.all();
  expect(undone).toEqual(['late server', 'database']);
});

test('what is still being opened is undone when it is open, unless that fails', async () => {
  const undo = undoAtEnd();
  const undone: string[] = [];
  const close = async (what: string) => undone.push(what);
  const [database, server] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  void undo.opened(database.promise, close);
  const started = undo.opened(server.promise, close);
  const all = undo.all();
  database.resolve('database');
  setImmediate(() => server.reject(new Error('no port')));
  await expect(started).rejects.toThrow('no port');
  await all;
  expect(undone).toEqual(['database']);
});

test('no longer ends this process once everything is undone', async () => {
  const before = process.listenerCount('SIGTERM');
  const undo = undoAtEnd();
  expect(process.listenerCount('SIGTERM')).toBe(before + 1);
  await undo.all();
  expect(process.listenerCount('SIGTERM')).toBe(before);
});
