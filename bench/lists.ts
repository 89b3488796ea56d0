// How much memory the server takes to answer with very long lists, and how fast it does: npm run bench -- lists [rows]
import { connectDatabase } from './connect-database.ts';
import { seedShop } from './seed-shop.ts';
import { startTrialServer } from './trial-server.ts';

const COUNT = Number(process.argv[3] ?? 200_000);
const server = await startTrialServer();
try {
  const client = await connectDatabase(server);
  await seedShop(client, COUNT);
  await client.end();
  console.log(`${COUNT} rows; the server stands at ${await server.memory('VmRSS')} MB`);
  for (const path of ['/api/purchases', '/api/deliveries', '/api/download-sessions']) await list(path);
} finally {
  await server.end();
}

async function list(path: string): Promise<void> {
  await server.forgetPeak();
  const began = performance.now();
  const headers = { authorization: `Bearer ${server.key}` };
  const response = await fetch(`${server.url}${path}`, { headers });
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const megabytes = (bytes / 1e6).toFixed(0);
  console.log(`${path}: ${megabytes} MB in ${seconds} s; at its peak ${await server.memory('VmHWM')} MB`);
}
