import type { TestRunner } from '../runner.ts';
import { accessContract } from './access-contract.ts';
import { alertsContract } from './alerts-contract.ts';
import { browsingContract } from './browsing-contract.ts';
import { catalogueContract } from './catalogue-contract.ts';
import { connectionsContract } from './connections-contract.ts';
import { downloadsContract } from './downloads-contract.ts';
import { downloadsReportContract } from './downloads-report-contract.ts';
import { figuresContract } from './figures-contract.ts';
import { fulfilmentContract } from './fulfilment-contract.ts';
import type { CreateStores } from './harness.ts';
import { linkMailsContract } from './link-mails-contract.ts';
import { mailingsContract } from './mailings-contract.ts';
import { openDeliveriesContract } from './open-deliveries-contract.ts';
import { receiptsContract } from './receipts-contract.ts';
import { recordingContract } from './recording-contract.ts';
import { rejectedContract } from './rejected-contract.ts';
import { salesContract } from './sales-contract.ts';
import { searchContract } from './search-contract.ts';
import { signInContract } from './sign-in-contract.ts';
import { teamContract } from './team-contract.ts';
import { unassignedContract } from './unassigned-contract.ts';
import { upkeepContract } from './upkeep-contract.ts';

/** What every set of stores must do, whatever it keeps its rows in. It has no parts that may be skipped. */
export function storesContract(runner: TestRunner, createStores: CreateStores): void {
  accessContract(runner, createStores);
  signInContract(runner, createStores);
  connectionsContract(runner, createStores);
  catalogueContract(runner, createStores);
  browsingContract(runner, createStores);
  fulfilmentContract(runner, createStores);
  figuresContract(runner, createStores);
  linkMailsContract(runner, createStores);
  mailingsContract(runner, createStores);
  recordingContract(runner, createStores);
  rejectedContract(runner, createStores);
  openDeliveriesContract(runner, createStores);
  receiptsContract(runner, createStores);
  alertsContract(runner, createStores);
  salesContract(runner, createStores);
  searchContract(runner, createStores);
  teamContract(runner, createStores);
  unassignedContract(runner, createStores);
  downloadsContract(runner, createStores);
  upkeepContract(runner, createStores);
  downloadsReportContract(runner, createStores);
}
