/**
 * Whether a connection to this mail server must be encrypted: credentials never travel in the clear over a network.
 * Whoever must do otherwise can say so in the URL, with `?requireTLS=false`.
 */
export function requiresTls(url: string): boolean {
  const { hostname, password } = new URL(url);
  const isLoopback = /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  return password !== '' && !isLoopback;
}
