import type { DownloadLinkEmail, DownloadLinkEmailItem } from '@handover/domain';

export const ORG_ID = '0192f3a8-c41e-7000-8000-0000000000aa';
export const URL_BASE = 'https://get.lumen.audio/d/';

export function sampleLinkItem(changes: Partial<DownloadLinkEmailItem> = {}): DownloadLinkEmailItem {
  return {
    productName: 'Felt Piano',
    version: '2.1',
    fileCount: 3,
    totalSize: 6_300_000_000,
    orderNumber: '#1186',
    boughtAt: new Date('2026-10-14T23:30:00Z'),
    downloadUrl: `${URL_BASE}one`,
    ...changes,
  };
}

export function sampleLinks(changes: Partial<DownloadLinkEmail> = {}): DownloadLinkEmail {
  return {
    kind: 'links',
    language: 'en',
    timeZone: 'UTC',
    worksUntil: new Date('2026-10-16T14:02:00Z'),
    mailId: '0192f3a8-c41e-7000-8000-000000000009',
    to: { email: 'ana.lima@example.com', name: 'Ana Lima' },
    shops: [{ orgId: ORG_ID, name: 'Lumen Audio', replyTo: 'help@lumen.audio', items: [sampleLinkItem()] }],
    leftOut: false,
    myUrl: 'https://get.lumen.audio/my',
    ...changes,
  };
}
