import type { SurvivorsByFile } from '../survivors.ts';

export const DOWNLOADS: SurvivorsByFile = {
  'packages/domain/src/downloads/open-download-link.ts': [
    {
      line: 'const opened = await openDownloadLink({ clock, links, tokens }, token, { refresh: false });',
      change: '{ refresh: false } → {}',
      reason: 'What is undefined is false as well.',
    },
  ],
  'packages/domain/src/downloads/read-progress.ts': [
    {
      line: 'const found = begun.find((file) => file.version === version?.label && file.name === name);',
      change: 'version?.label → version.label',
      reason: 'Without a version there is no file to look for.',
    },
    {
      line: "return found ?? { version: version?.label ?? '', name, size, sent: 0, whole: false };",
      change: 'version?.label → version.label',
      reason: 'Without a version there is no file to look for.',
    },
    {
      line: "return found ?? { version: version?.label ?? '', name, size, sent: 0, whole: false };",
      change: `'' → "Stryker was here!"`,
      reason: 'Without a version there is no file to say it of.',
    },
  ],
  'packages/domain/src/model/day.ts': [
    {
      line: 'if (!/^\\d{4}-\\d{2}-\\d{2}$/.test(text)) return null;',
      change: '/^\\d{4}-\\d{2}-\\d{2}$/ → /^\\d{4}-\\d{2}-\\d{2}/',
      reason: 'What follows a day makes it no date, or none that begins with it.',
    },
  ],
  'packages/domain/src/downloads/request-fresh-link.ts': [
    {
      line: 'const opened = await openDownloadLink(ports, token, { refresh: false });',
      change: '{ refresh: false } → {}',
      reason: 'What is undefined is false as well.',
    },
  ],
};
