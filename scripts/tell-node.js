// Tells scripts/start.js where the Node is that npx brought.
import { writeFileSync } from 'node:fs';

if (process.env.HANDOVER_TELL_NODE) writeFileSync(process.env.HANDOVER_TELL_NODE, process.execPath);
