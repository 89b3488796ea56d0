import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Whether a Docker daemon for Linux containers answers soon: a command without a daemon may hang. */
export async function isDockerThere(): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)('docker', ['version', '--format', '{{.Server.Os}}'], {
      timeout: 3000,
      killSignal: 'SIGKILL',
    });
    return stdout.trim() === 'linux';
  } catch {
    return false;
  }
}

export async function startPostgresContainer(settings: Readonly<Record<string, string>>) {
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const container = await new PostgreSqlContainer('postgres:18-alpine')
    .withCommand(['postgres', ...options])
    .start();
  return {
    url: container.getConnectionUri(),
    stop: async () => {
      await container.stop();
    },
  };
}
