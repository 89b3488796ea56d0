import {
  type ActionItemsOverview,
  listActionItems,
  readConnectionStates,
  subjectOfActionItem,
} from '@handover/domain';
import type { HttpPorts } from '../../http-ports.ts';

/** The action items of an organisation, those that were dismissed, and the states of its connections. */
export async function readItems(
  ports: Pick<HttpPorts, 'actionItems' | 'clock' | 'connections' | 'dismissals' | 'platforms' | 'rejected'>,
  orgId: string,
  now: Date,
) {
  const [facts, states] = await Promise.all([
    ports.actionItems.read(orgId, now),
    readConnectionStates(ports, orgId),
  ]);
  const { actionItems: all } = listActionItems(facts, states, [], now);
  const dismissals = await ports.dismissals.list(orgId, all.map(subjectOfActionItem));
  const items: ActionItemsOverview = listActionItems(facts, states, dismissals, now);
  return { items, states };
}
