const ORGANISATION = /^[0-9a-z][0-9a-z_-]{0,127}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** Ids and hashes become parts of paths, so anything else is rejected. */
export function isOrganisation(orgId: string): boolean {
  return ORGANISATION.test(orgId);
}

export function isSha256(sha256: string): boolean {
  return SHA256.test(sha256);
}
