import { createReceiver } from '@handover/platform-contract/testing';
import { cartA } from '../src/index.ts';

export const SECRET = 'test-secret';

type Query = Readonly<Record<string, string | readonly string[]>>;

export const {
  receiveBody,
  receiveSigned,
  entriesOf,
  orderIn: orderOf,
} = createReceiver(cartA, SECRET, (_body, query: Query = { secret: SECRET }) => ({ query }));
