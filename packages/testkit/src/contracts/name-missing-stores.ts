import type { Stores } from '@handover/domain';
import { nameMissing } from '../name-missing.ts';
import type { CreateStores, CreateStoresUnderTest, PartialStores } from './harness.ts';

/** The same stores; asked for a method that they lack, they say which one and what needs it, also in a transaction. */
export function nameMissingStores(part: string, createStores: CreateStoresUnderTest): CreateStores {
  return async () => {
    const { stores, ...queue } = await createStores();
    return { ...queue, stores: namePorts(part, stores) };
  };
}

function namePorts(part: string, stores: PartialStores): Stores {
  const ports = new Proxy(stores as Partial<Stores>, {
    get: (target, name) => {
      const port: unknown = Reflect.get(target, name);
      if (name === 'inTransaction' && port !== undefined) return bindTransaction(part, target);
      return typeof port === 'object' && port !== null ? nameMissing(part, String(name), port) : port;
    },
  });
  return nameMissing<Stores>(part, '', ports);
}

function bindTransaction(part: string, stores: Partial<Stores>): Stores['inTransaction'] {
  return (work) => (stores as Stores).inTransaction((within) => work(namePorts(part, within)));
}
