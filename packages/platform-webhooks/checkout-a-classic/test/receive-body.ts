import { createReceiver } from '@handover/platform-contract/testing';
import { checkoutAClassic } from '../src/index.ts';
import { signForTest } from '../src/testing.ts';

export const KEY = 'classic-test-private-key';

type Headers = Readonly<Record<string, string | readonly string[]>>;

export const {
  receiveBody,
  receiveSigned,
  entryOf,
  orderIn: orderOf,
} = createReceiver(checkoutAClassic, KEY, (_body, headers: Headers = signForTest(KEY)) => ({ headers }));
