// For HEALTHCHECK, in an image without curl: exits with 0 if the server of this container can take requests.
const { PORT = '3000', ROLE = 'all' } = process.env;
// A worker does not listen: its process ends when it cannot work, and is started again.
if (ROLE !== 'worker') {
  const response = await fetch(`http://127.0.0.1:${PORT}/readyz`, { signal: AbortSignal.timeout(4000) });
  if (!response.ok) throw new Error(`/readyz: ${response.status} ${await response.text()}`);
}
