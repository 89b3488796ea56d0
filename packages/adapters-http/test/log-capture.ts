import type { FastifyBaseLogger } from 'fastify';

export interface LogLine extends Readonly<Record<string, unknown>> {
  readonly level: string;
}

export interface LogCapture {
  readonly logger: FastifyBaseLogger;
  readonly lines: readonly LogLine[];
  /** The lines that requests left. */
  requests(): readonly LogLine[];
}

/** A logger that keeps its lines, as much of pino as Fastify asks for. */
export function createLogCapture(): LogCapture {
  const lines: LogLine[] = [];
  return {
    logger: createLogger(lines, {}),
    lines,
    requests: () => lines.filter(({ msg }) => msg === 'request'),
  };
}

function createLogger(lines: LogLine[], bindings: Readonly<Record<string, unknown>>): FastifyBaseLogger {
  const at = (level: string) => (first: unknown, msg?: string) => {
    const facts = typeof first === 'object' ? first : { msg: first };
    lines.push({ ...bindings, ...facts, ...(msg === undefined ? {} : { msg }), level });
  };
  return {
    level: 'info',
    silent: () => undefined,
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    fatal: at('fatal'),
    child: (more: Record<string, unknown>) => createLogger(lines, { ...bindings, ...more }),
  } as FastifyBaseLogger;
}
