import { findStart, type ParsedBody, parseJsonOrForm } from '@handover/platform-contract';

/** ThriveCart tries an address with an empty body before it accepts it, so nothing is read as an object of nothing. */
export function parse(bytes: Uint8Array): ParsedBody {
  return findStart(bytes) === bytes.length ? { kind: 'parsed', value: {} } : parseJsonOrForm(bytes);
}
