import type { Settings } from '../settings/settings.ts';

/**
 * Why the program did not start, in a sentence that names the setting to fix; null for an error that only its stack
 * explains.
 */
export function explainStartFailure(error: unknown, settings: Settings): string | null {
  const { code, syscall, port, message, cause } = readError(error);
  if (code === null) return null;
  if (syscall === 'listen' && code === 'EADDRINUSE') {
    const setting = namePort(port, settings);
    return `${setting} ${port ?? settings.port} is in use. Stop what listens there, or choose another: ${setting}=…`;
  }
  if (syscall === 'listen' && code === 'EACCES') {
    return `${namePort(port, settings)} ${port ?? settings.port} may not be used by this user. Choose one above 1023.`;
  }
  if ((syscall === 'getaddrinfo' && settings.databaseUrl === null) || code === 'EADDRNOTAVAIL') {
    return `HOST ${settings.host} is not an address of this machine. Choose one that is, such as 127.0.0.1 or 0.0.0.0.`;
  }
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOSPC', 'EEXIST'].includes(code)) {
    const remedy = code === 'ENOSPC' ? 'Free space on its disk.' : 'Give one that this user may write to.';
    return `DATA_DIR ${settings.dataDir} cannot be used (${message}). ${remedy}`;
  }
  if (code === 'store-unavailable' || isDatabaseCode(code)) {
    const why = (cause ?? message).replace(/\.$/, '');
    const remedy = code === '42501' ? ' Its role must own it: alter database … owner to …' : '';
    return settings.databaseUrl === null
      ? message
      : `DATABASE_URL names a database that cannot be used: ${why}.${remedy}`;
  }
  return message;
}

/** The setting of a port that could not be listened at; both servers have the host in common. */
function namePort(port: number | null, settings: Settings): 'PORT' | 'METRICS_PORT' {
  return port !== null && port === settings.metricsPort && port !== settings.port ? 'METRICS_PORT' : 'PORT';
}

/** SQLSTATEs of a refused connection: authentication, unknown database, too many connections, missing rights. */
function isDatabaseCode(code: string): boolean {
  return /^(28|3D|53|42501)/.test(code) && code.length === 5;
}

function readError(error: unknown) {
  const members: { code?: unknown; syscall?: unknown; port?: unknown; message?: unknown; cause?: unknown } =
    typeof error === 'object' && error !== null ? error : {};
  return {
    code: typeof members.code === 'string' ? members.code : null,
    syscall: typeof members.syscall === 'string' ? members.syscall : null,
    port: typeof members.port === 'number' ? members.port : null,
    message: typeof members.message === 'string' ? members.message : '',
    cause: members.cause instanceof Error ? members.cause.message : null,
  };
}
