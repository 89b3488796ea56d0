import { spawn, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '../../packages/embedded-postgres/src/start-postmaster.ts';
import { endProcess } from '../../test/end-process.ts';

export function isNginxThere(): boolean {
  return spawnSync('nginx', ['-v']).status === 0;
}

/** One worker, as the server is one process. It serves everything below `files`. */
export async function startNginx(
  directory: string,
  files: string,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const port = await findFreePort();
  const config = join(directory, 'nginx.conf');
  await writeFile(
    config,
    `daemon off; worker_processes 1; pid ${directory}/nginx.pid; error_log ${directory}/nginx.log;
     ${process.geteuid?.() === 0 ? 'user root;' : ''}
     events { worker_connections 4096; }
     http {
       access_log off; sendfile on; tcp_nopush on;
       ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${directory}/${kind};`).join(' ')}
       server { listen 127.0.0.1:${port}; root ${files}; }
     }`,
  );
  const child = spawn('nginx', ['-c', config, '-p', directory, '-e', `${directory}/nginx.log`], {
    stdio: 'inherit',
  });
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error('nginx did not start.');
    await pause(20);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => void (await endProcess(child)),
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
