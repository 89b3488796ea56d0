import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/**
 * Whether a request comes from this machine and addresses it by a local name. The peer is the other end of
 * the connection, never what a header claims; a forwarding header shows that the peer is a proxy. The name
 * matters because of DNS rebinding: a foreign page can resolve its own name to this machine.
 */
export function isLocalRequest({ socket, headers }: IncomingMessage): boolean {
  if (Object.keys(headers).some((name) => FORWARDING.test(name))) return false;
  const host = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '';
  return isLoopbackAddress(socket.remoteAddress ?? '') && isLoopbackHost(host);
}

/** Whether a URL's host is always this machine: browsers resolve `*.localhost` without DNS. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    /^([a-z0-9-]+\.)*localhost$/i.test(hostname) || isLoopbackAddress(hostname.replace(/^\[(.*)\]$/, '$1'))
  );
}

/** Whether an IP address reaches only this machine. False for a name. */
export function isLoopbackAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && LOOPBACK.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

const FORWARDING =
  /^(forwarded|via|x-forwarded.*|x-real-ip|x-(cluster-)?client-ip|true-client-ip|cf-.*|fly-.*)$/;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
