import { countGenuineRejected, deliverRejected, type Platform } from '@handover/domain';
import type { OpenedCommand } from './run-command.ts';
import { runCommandAction } from './run-command-action.ts';

/** Counts the rejected requests that are genuine with the current secrets, and delivers them if asked. */
export async function tryRejectedAgain(
  opened: OpenedCommand,
  orgId: string,
  platform: Platform,
  deliver: boolean,
) {
  const ports = { ...opened.ports, rejectedReader: opened.composition.resolve('rejectedReader') };
  const rejectedThatVerify = await countGenuineRejected(ports, orgId, platform);
  const delivered = deliver ? await deliverAgain(opened, orgId, platform) : 0;
  return {
    json: { rejectedThatVerify, delivered },
    lines: describe(rejectedThatVerify, deliver ? delivered : null),
  };
}

function deliverAgain(opened: OpenedCommand, orgId: string, platform: Platform): Promise<number> {
  const rejectedReader = opened.composition.resolve('rejectedReader');
  return runCommandAction(
    opened,
    (within) => deliverRejected({ ...within, rejectedReader }, orgId, platform),
    (delivered) => {
      if (delivered === 0) return null;
      const some = delivered === 1 ? '1 rejected delivery' : `${delivered} rejected deliveries`;
      const summary = `${some} of ${opened.platforms.vendorOf(platform)} went into the webhook log.`;
      return { orgId, kind: 'integration-changed', subjectId: orgId, summary };
    },
  );
}

function describe(genuine: number, delivered: number | null): readonly string[] {
  if (genuine === 0) return [];
  const some = genuine === 1 ? '1 delivery' : `${genuine} deliveries`;
  if (delivered === null) {
    return [
      `${some} rejected within the last 7 days would be accepted now.`,
      'Run the same command with --deliver-rejected to deliver them.',
    ];
  }
  return [`${delivered} of ${some} rejected before went into the webhook log, and are processed now.`];
}
