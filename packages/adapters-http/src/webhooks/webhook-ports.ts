import type {
  DeliveryLog,
  DestinationPorts,
  FulfilOrderPorts,
  Timer,
  UnassignedDeliveries,
} from '@handover/domain';
import type { DatabaseProbe } from '../http-ports.ts';

/** All that taking in a webhook asks of the world outside. */
export interface WebhookPorts extends DestinationPorts, FulfilOrderPorts {
  readonly deliveries: DeliveryLog;
  readonly unassigned: UnassignedDeliveries;
  readonly database: DatabaseProbe;
  readonly timer: Timer;
}
