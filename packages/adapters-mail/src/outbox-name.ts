const NAME = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)-[A-Za-z0-9_-]+\.eml$/;

/** A file name that sorts by time and is valid on every file system. */
export function outboxName(at: Date, mailId: string): string {
  const id = mailId.replace(/[^A-Za-z0-9-]/g, '_').slice(0, 64) || '_';
  return `${at.toISOString().replaceAll(':', '-')}-${id}.eml`;
}

/**
 * The time in a mail's file name, or null if the name is not one of ours: this guards against path
 * traversal.
 */
export function readOutboxName(name: string): Date | null {
  const [, hour, minute, second] = NAME.exec(name) ?? [];
  const at = new Date(`${hour}:${minute}:${second}`);
  return Number.isNaN(at.getTime()) ? null : at;
}
