import { describe, expect, it } from 'vitest';
import { asStoreError } from '../src/database/store-errors.ts';

function failSystemCall(syscall: string, code: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { syscall, code });
}

describe('the database cannot be reached', () => {
  it.each(['ECONNREFUSED', 'EACCES', 'EPERM', 'EHOSTDOWN', 'EINVAL'])(
    'where the system refuses the connection with %s, also by all of several addresses',
    (code) => {
      const refused = failSystemCall('connect', code);
      for (const error of [refused, new AggregateError([refused, refused])])
        expect(asStoreError(error)).toMatchObject({ code: 'store-unavailable', cause: error });
    },
  );

  it('is not said of a file that cannot be opened', () => {
    const error = failSystemCall('open', 'EACCES');
    expect(asStoreError(error)).toBe(error);
  });
});
