// `npm run webkit`: every page and mail in WebKit, the engine of Safari and Apple Mail.
import { runOnDebian } from '../run-on-debian.ts';

runOnDebian({
  command: 'webkit',
  folder: 'webkit',
  names: ['pages', 'mails'],
  packages: ['webkit2gtk-driver', 'xvfb'],
  needsRoot: 'install WebKit and its driver with apt',
});
