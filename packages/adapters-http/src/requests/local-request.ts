import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/**
 * Whether a request comes from this machine and asks for it by a name of its own. The peer is who holds the other end
 * of the connection, never who a header names; and a header that any proxy adds says that the peer only passes the
 * request on. A page elsewhere whose name was made to resolve to this machine (DNS rebinding) asks by that name.
 */
export function isLocalRequest({ socket, headers }: IncomingMessage): boolean {
  if (Object.keys(headers).some((name) => FORWARDING.test(name))) return false;
  const host = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '';
  return isLoopbackAddress(socket.remoteAddress ?? '') && isLoopbackHost(host);
}

/** Whether the host of a URL can only be this machine: browsers resolve `*.localhost` so without asking anybody. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    /^([a-z0-9-]+\.)*localhost$/i.test(hostname) || isLoopbackAddress(hostname.replace(/^\[(.*)\]$/, '$1'))
  );
}

export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && LOOPBACK.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

const FORWARDING =
  /^(forwarded|via|x-forwarded.*|x-real-ip|x-(cluster-)?client-ip|true-client-ip|cf-.*|fly-.*)$/;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
