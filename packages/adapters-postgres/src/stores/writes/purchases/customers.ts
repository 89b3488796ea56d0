import type { Customers } from '@handover/domain';
import type { Db } from '../../../database/schema.ts';
import { readCustomers } from '../../reads/purchases/customers.ts';
import { eraseCustomer } from './erase-customer.ts';

export function createPostgresCustomers(db: Db): Customers {
  return {
    ...readCustomers(db),
    erase: (orgId, erasure) => eraseCustomer(db, orgId, erasure),
  };
}
