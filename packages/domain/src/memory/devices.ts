import { NO_ORGANISATION } from '../model/outgoing-email.ts';
import { MAX_DEVICES_PER_USER, type PendingNewDeviceMail } from '../model/sign-in.ts';
import type { UserDevices } from '../ports/access.ts';
import { freshEmail } from './fresh-rows.ts';
import { type Memory, queueEmail, rowsWhere } from './memory.ts';
import type { EmailRow } from './rows.ts';

export function createInMemoryUserDevices(memory: Memory): UserDevices {
  const { devices, users, emails } = memory;
  const ofUser = (userId: string) => [...rowsWhere(devices, { userId })];
  return {
    see: async (userId, device) => {
      if (!users.has(userId)) return 'unknown-user';
      const known = ofUser(userId);
      const same = known.find(({ hash }) => hash === device.hash);
      if (same) {
        devices.set(same.id, { ...same, seenAt: device.at });
        return 'known';
      }
      devices.set(device.id, { ...device, userId, seenAt: device.at });
      const newest = ofUser(userId).sort(
        (a, b) => b.seenAt.getTime() - a.seenAt.getTime() || (a.id < b.id ? 1 : -1),
      );
      for (const { id } of newest.slice(MAX_DEVICES_PER_USER)) devices.delete(id);
      if (known.length === 0) return 'first';
      const email = freshEmail('new-device', { id: device.id, orgId: NO_ORGANISATION, createdAt: device.at });
      emails.set(email.id, email);
      queueEmail(memory, email, device.at);
      return 'new';
    },
  };
}

export function prepareNewDevice(
  { devices, users, emails }: Memory,
  { id, pendingSince, attempts }: EmailRow,
): PendingNewDeviceMail | { readonly kind: 'not-pending' } {
  const device = devices.get(id);
  const user = device && users.get(device.userId);
  if (!device || !user) {
    emails.delete(id);
    return { kind: 'not-pending' };
  }
  const { client, at } = device;
  const to = { email: user.email, name: user.name };
  const orgId = user.membership?.orgId ?? null;
  return { kind: 'new-device', id, orgId, to, client, at, pendingSince, attempts };
}
