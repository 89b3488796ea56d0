import { type ParsedBody, parseJsonOrForm } from '@handover/platform-contract';

/** ThriveCart tries an address with an empty body before it accepts it, so nothing is read as an object of nothing. */
export function parse(bytes: Uint8Array): ParsedBody {
  return bytes.every(isBlank) ? { kind: 'parsed', value: {} } : parseJsonOrForm(bytes);
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}
