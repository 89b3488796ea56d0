// First: libraries that the others load need it.
import 'reflect-metadata';

export { migrate } from '@handover/adapters-postgres';
export { HandoverStoppedError } from './composition/assemble-handover.ts';
export {
  createHandover,
  type Handover,
  type HandoverOptions,
  HandoverOptionsError,
} from './create-handover.ts';
